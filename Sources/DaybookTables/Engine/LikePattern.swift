/// A pattern of `like`: `%` and `*` stand for any text, `_` for a character, and what follows `\` for itself.
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

  /// What it costs to hold it against a long text, as so many comparisons with a short value.
  var weight: Int { (ignoresCase ? 800 : 400) + 8 * parts.count }

  /// Whether all of a text goes with the pattern; not, once all that may be spent is.
  ///
  /// What a `%` stands for is begun as short as can be, and made longer when the rest does not fit; only the last one
  /// needs that, so that it takes at most as many steps as text and pattern have bytes, multiplied.
  func matches(_ text: String, _ budget: RequestBudget? = nil) -> Bool {
    if !ignoresCase { return matches(text.utf8Span.span, budget) }
    // Letters are made small one by one, and those beyond ASCII slowly.
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

  /// Where the next scalar begins.
  private static func end(ofScalarAt place: Int, in bytes: Span<UInt8>) -> Int {
    var next = place + 1
    while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }
}
