import Avro

/// An answer that fits a budget: its longest texts and lists are cut, and the answer says so.
///
/// A list in ascending order of days or positions keeps its end, which is the latest; any other keeps its beginning.
struct ShortAnswer {
  /// Something that was cut: a list, in elements, or a text, in characters.
  struct Cut: Hashable {
    /// Whether it is a list or a text.
    enum Kind: String { case list, text }

    let kind: Kind
    /// Where it is: the names of members, joined by dots; empty for the answer itself.
    let place: String
    /// How much is left; of several in one place, of the longest.
    let kept: Int
    /// How much there was.
    let count: Int

    /// `{"list":"days","kept":120,"of":731}`
    var json: JSON {
      .object([
        .init(kind.rawValue, .string(place)), .init("kept", .number(kept)),
        .init("of", .number(count)),
      ])
    }
  }

  /// The answer.
  let json: JSON
  /// What was cut, in the order in which it occurs.
  let cuts: [Cut]

  /// Shortens an answer; `nil` if it is too long even with all lists empty.
  ///
  /// - Parameters:
  ///   - whole: The answer.
  ///   - byteCount: The most bytes of its text.
  init?(_ whole: JSON, within byteCount: Int) {
    guard whole.encoded.utf8.count > byteCount else {
      (json, cuts) = (whole, [])
      return
    }
    // Whoever wrote a text of pages does not hide what others wrote.
    let texts = whole.cut(to: .max)
    // The most elements a list for which it fits: more elements never make it shorter.
    var (fitting, tooMany) = (-1, texts.longestList + 1)
    while tooMany - fitting > 1 {
      let middle = fitting + (tooMany - fitting) / 2
      if texts.cut(to: middle).encoded.utf8.count <= byteCount {
        fitting = middle
      } else {
        tooMany = middle
      }
    }
    guard fitting >= 0 else { return nil }
    json = texts.cut(to: fitting)
    cuts = Self.cuts(of: whole, to: fitting)
  }

  private struct Place: Hashable {
    let kind: Cut.Kind
    let name: String
  }

  private static func cuts(of whole: JSON, to count: Int) -> [Cut] {
    var order: [Place] = []
    var longest: [Place: Int] = [:]
    func note(_ kind: Cut.Kind, _ path: [String], _ size: Int) {
      let place = Place(kind: kind, name: path.joined(separator: "."))
      if longest[place] == nil { order.append(place) }
      longest[place] = max(longest[place] ?? 0, size)
    }
    func look(at json: JSON, _ path: [String]) {
      switch json {
      case .string(let text):
        let size = text.unicodeScalars.count
        if size > ToolLimit.textCount { note(.text, path, size) }
      case .array(let elements):
        if elements.count > count { note(.list, path, elements.count) }
        for element in elements.kept(count) { look(at: element, path) }
      case .object(let members):
        for member in members { look(at: member.value, path + [member.name]) }
      case .null, .bool, .number: break
      }
    }
    look(at: whole, [])
    return order.map { place in
      Cut(
        kind: place.kind, place: place.name,
        kept: place.kind == .list ? count : ToolLimit.textCount, count: longest[place] ?? 0)
    }
  }
}

extension JSON {
  /// The number of elements of the longest list in it.
  fileprivate var longestList: Int {
    switch self {
    case .array(let elements): max(elements.count, elements.map(\.longestList).max() ?? 0)
    case .object(let members): members.map(\.value.longestList).max() ?? 0
    case .null, .bool, .number, .string: 0
    }
  }

  /// The value with at most some elements in each list, and texts of at most ``ToolLimit/textCount`` characters.
  fileprivate func cut(to count: Int) -> JSON {
    switch self {
    case .string(let text):
      guard text.utf8.count > ToolLimit.textCount else { return self }
      let kept = text.unicodeScalars.prefix(ToolLimit.textCount)
      return .string(String(kept))
    case .array(let elements): return .array(elements.kept(count).map { $0.cut(to: count) })
    case .object(let members):
      return .object(members.map { .init($0.name, $0.value.cut(to: count)) })
    case .null, .bool, .number: return self
    }
  }
}

extension [JSON] {
  /// The elements that are left of a list that is cut.
  fileprivate func kept(_ count: Int) -> ArraySlice<JSON> {
    isAscending ? suffix(count) : prefix(count)
  }

  /// Whether it goes from earlier to later days or positions.
  private var isAscending: Bool {
    guard count > 1, let first, let last else { return false }
    if let one = first["position"]?.integer, let other = last["position"]?.integer {
      return one < other
    }
    for name in ["day", "date", "at"] {
      if let one = first[name]?.text, let other = last[name]?.text { return one < other }
    }
    return false
  }
}
