/// A pattern of `like`: `%` and `*` match any text, `_` matches one character, and `\` escapes the next character.
struct LikePattern: Sendable {
  private enum Part: Equatable {
    case anything
    case anyScalar
    /// A byte of UTF-8.
    case byte(UInt8)
  }

  private var parts: [Part] = []
  private let ignoresCase: Bool

  init(_ pattern: String, ignoringCase: Bool) {
    ignoresCase = ignoringCase
    var isEscaped = false
    for scalar in (ignoringCase ? pattern.lowercased() : pattern).unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        append(scalar)
        isEscaped = false
      case "\\": isEscaped = true
      case "%", "*":
        if parts.last != .anything { parts.append(.anything) }
      case "_": parts.append(.anyScalar)
      default: append(scalar)
      }
    }
    if isEscaped { append("\\") }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    parts.append(contentsOf: UTF8.encode(scalar).map { $0.map(Part.byte) } ?? [])
  }

  /// The cost of matching it against a long text, in comparisons with a short value.
  var weight: Int { (ignoresCase ? 800 : 400) + 8 * parts.count }

  /// Whether the pattern matches a whole text. It does not match once the budget is spent.
  ///
  /// A `%` first matches as little as possible, and more when the rest does not fit. Only the last `%` ever has to
  /// grow, so the number of steps is at most the bytes of the text times those of the pattern.
  func matches(_ text: String, _ budget: RequestBudget? = nil) -> Bool {
    if !ignoresCase { return matches(text.utf8Span.span, budget) }
    // Lowercasing goes letter by letter, and is slow beyond ASCII.
    budget?.spend(text.utf8.count)
    return matches(text.lowercased().utf8Span.span, budget)
  }

  private func matches(_ bytes: Span<UInt8>, _ budget: RequestBudget?) -> Bool {
    var (place, part) = (0, 0)
    var retry: (place: Int, part: Int)?
    var count = 0
    while place < bytes.count {
      count += 1
      if count % 4096 == 0 {
        budget?.spend(1024)
        if budget?.isSpent == true { return false }
      }
      if part < parts.count, parts[part] == .anything {
        retry = (place, part)
        part += 1
      } else if part < parts.count, parts[part] == .byte(bytes[place]) {
        place += 1
        part += 1
      } else if part < parts.count, parts[part] == .anyScalar {
        place = Self.end(ofScalarAt: place, in: bytes)
        part += 1
      } else if let last = retry {
        place = Self.end(ofScalarAt: last.place, in: bytes)
        retry = (place, last.part)
        part = last.part + 1
      } else {
        return false
      }
    }
    budget?.spend(4 + count % 4096 / 4)
    return parts[part...].allSatisfy { $0 == .anything }
  }

  /// The place where the next scalar begins.
  private static func end(ofScalarAt place: Int, in bytes: Span<UInt8>) -> Int {
    var next = place + 1
    while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }
}
