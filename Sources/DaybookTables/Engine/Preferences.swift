import HTTPTypes

/// A client's preferences, from its `Prefer` headers (RFC 7240). The first of two values for one preference counts,
/// and unknown preferences are ignored.
struct Preferences: Sendable {
  /// The treatment of an inserted row that exists already.
  enum Resolution: String, Sendable {
    case merge = "merge-duplicates"
    case ignore = "ignore-duplicates"
  }

  /// Whether the answer contains the written rows.
  private(set) var representation = false
  private(set) var resolution: Resolution?
  /// Whether all rows are counted.
  private(set) var counts = false
  /// Whether a column that a row does not set takes its default instead of NULL.
  private(set) var usesDefaults = false
  /// The most rows that may be changed.
  private(set) var maximumAffected: Int?
  /// The known preferences as the client wrote them.
  private var known: [(name: String, value: String)] = []

  /// Reads the headers.
  ///
  /// - Throws: ``TableError`` (`PGRST122`) for unknown preferences under `handling=strict`.
  init(_ headers: HTTPFields) throws(TableError) {
    var seen: Set<String> = []
    var unknown: [String] = []
    for line in headers[values: .prefer] {
      for piece in line.split(separator: ",") {
        let parts = piece.split(separator: "=", maxSplits: 1).map { Self.trimmed($0) }
        guard parts.count == 2 else {
          unknown.append(Self.trimmed(piece))
          continue
        }
        let (name, value) = (parts[0].lowercased(), parts[1])
        guard seen.insert(name).inserted else { continue }
        if take(name, value) {
          known.append((name, value))
        } else {
          unknown.append("\(name)=\(value)")
        }
      }
    }
    let isStrict = known.contains { $0 == ("handling", "strict") }
    // Without `handling=strict` there is no limit, so none is reported as applied.
    if !isStrict {
      maximumAffected = nil
      known.removeAll { $0.name == "max-affected" }
    }
    guard !isStrict || unknown.isEmpty else {
      throw TableError(
        .badRequest, "PGRST122", "Invalid preferences given with handling=strict",
        details: "Invalid preferences: \(unknown.joined(separator: ", "))")
    }
  }

  private mutating func take(_ name: String, _ value: String) -> Bool {
    switch (name, value) {
    case ("return", "representation"): representation = true
    case ("return", "minimal"), ("handling", "strict"), ("handling", "lenient"),
      ("missing", "null"):
      break
    case ("resolution", _):
      resolution = Resolution(rawValue: value)
      return resolution != nil
    case ("count", "exact"), ("count", "planned"), ("count", "estimated"): counts = true
    case ("missing", "default"): usesDefaults = true
    case ("max-affected", _):
      maximumAffected = Int(value)
      return maximumAffected != nil
    default: return false
    }
    return true
  }

  /// The same preferences, with existing rows merged.
  var merging: Preferences {
    var preferences = self
    preferences.resolution = .merge
    return preferences
  }

  /// The value of `Preference-Applied`: the preferences that apply to a method.
  func applied(to method: HTTPRequest.Method) -> String? {
    if known.isEmpty { return nil }
    let names: Set<String> =
      switch method {
      case .post: ["return", "resolution", "missing", "count", "handling"]
      case .put: ["return", "count", "handling"]
      case .patch, .delete: ["return", "count", "handling", "max-affected"]
      default: ["count", "handling"]
      }
    let applied = known.filter { names.contains($0.name) }
    return applied.isEmpty
      ? nil : applied.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
  }

  private static func trimmed(_ text: Substring) -> String {
    let spaces: [Character] = [" ", "\t"]
    var text = text
    while let last = text.last, spaces.contains(last) { text.removeLast() }
    return String(text.drop { spaces.contains($0) })
  }
}

/// The form of the answered rows.
enum MediaType: Sendable {
  /// An array.
  case rows
  /// A single row as an object.
  case object

  private static let objectName = "application/vnd.pgrst.object+json"

  /// Reads an `Accept` header; without one, any form will do.
  ///
  /// - Throws: ``TableError`` (`PGRST107`) where the client accepts neither form.
  init(_ headers: HTTPFields) throws(TableError) {
    guard let accept = headers[.accept], accept != "*/*", accept != "application/json" else {
      self = .rows
      return
    }
    let names = accept.split(separator: ",").map { piece in
      piece.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }
    // The first form that the server supports is chosen.
    let objects = [Self.objectName, "application/vnd.pgrst.object"]
    let arrays = [
      "*/*", "application/*", "application/json", "application/vnd.pgrst.array+json",
      "application/vnd.pgrst.array",
    ]
    guard
      let name = names.first(where: { (objects + arrays).contains($0) })
        ?? (names.isEmpty ? "*/*" : nil)
    else {
      throw TableError(
        .notAcceptable, "PGRST107", "None of these media types are available: \(accept)")
    }
    self = objects.contains(name) ? .object : .rows
  }

  /// The value of `Content-Type`.
  var header: String {
    switch self {
    case .rows: "application/json; charset=utf-8"
    case .object: "\(Self.objectName); charset=utf-8"
    }
  }
}
