/// A pattern of `like`: `%` and `*` stand for any text, `_` for a character, and what follows `\` for itself.
struct LikePattern: Sendable {
  private enum Part: Equatable {
    case anything
    case anyScalar
    case scalar(Unicode.Scalar)
  }

  private var parts: [Part] = []
  private let ignoresCase: Bool

  init(_ pattern: String, ignoringCase: Bool) {
    ignoresCase = ignoringCase
    var isEscaped = false
    for scalar in (ignoringCase ? pattern.lowercased() : pattern).unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        parts.append(.scalar(scalar))
        isEscaped = false
      case "\\": isEscaped = true
      case "%", "*":
        if parts.last != .anything { parts.append(.anything) }
      case "_": parts.append(.anyScalar)
      default: parts.append(.scalar(scalar))
      }
    }
    if isEscaped { parts.append(.scalar("\\")) }
  }

  /// Whether all of a text goes with the pattern.
  ///
  /// What a `%` stands for is begun as short as can be, and made longer when the rest does not fit; only the last one
  /// needs that, so that it takes at most as many steps as text and pattern have scalars, multiplied.
  func matches(_ text: String) -> Bool {
    let scalars = Array((ignoresCase ? text.lowercased() : text).unicodeScalars)
    var (place, part) = (0, 0)
    var retry: (place: Int, part: Int)?
    while place < scalars.count {
      if part < parts.count, parts[part] == .anything {
        retry = (place, part)
        part += 1
      } else if part < parts.count,
        parts[part] == .anyScalar || parts[part] == .scalar(scalars[place])
      {
        place += 1
        part += 1
      } else if let last = retry {
        retry = (last.place + 1, last.part)
        place = last.place + 1
        part = last.part + 1
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anything }
  }
}
