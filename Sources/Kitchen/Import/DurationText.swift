/// Parses durations in the form of ISO 8601 (5.5.2.2): `PT1H30M`, `P0DT45M`, `P1W`.
enum DurationText {
  /// The minutes of a duration, rounded up. `nil` for anything else, for months and years, whose length
  /// varies, and for more than a year.
  static func minutes(_ text: String) -> Int32? {
    var rest = Substring(text.uppercased())
    guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
    var seconds = Rational.zero
    var isTime = false
    var order = -1
    while !rest.isEmpty {
      if rest.first == "T", !isTime {
        rest.removeFirst()
        guard !rest.isEmpty else { return nil }
        isTime = true
        continue
      }
      guard let number = Rational.taken(from: &rest), let letter = rest.popFirst(),
        let unit = units.firstIndex(where: { $0.letter == letter && $0.isTime == isTime }),
        unit > order, let part = number.multiplied(by: Rational(units[unit].seconds)),
        let sum = seconds.adding(part)
      else { return nil }
      (seconds, order) = (sum, unit)
    }
    let (whole, part) = seconds.wholeAndRest
    guard order >= 0, whole <= 366 * 86_400 else { return nil }
    return Int32(clamping: (whole + (part == .zero ? 0 : 1) + 59) / 60)
  }

  /// The minutes of a duration as people write it, rounded up: `1 hr 20 min`, `90 minutes`, `1½ Std.`, `45`.
  /// `nil` for anything else, and for more than a year.
  static func saidMinutes(_ text: String) -> Int32? {
    var rest = text.lowercased()[...]
    var minutes = Rational.zero
    var isFound = false
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "," }
      guard !rest.isEmpty else { break }
      if isFound, rest.hasPrefix("and ") || rest.hasPrefix("und ") { rest = rest.dropFirst(4) }
      guard let number = Rational.taken(from: &rest), !(number < .zero) else { return nil }
      rest = rest.drop { $0.isWhitespace }
      let word = rest.prefix { $0.isLetter }
      rest = rest[word.endIndex...].drop { $0 == "." }
      // A bare number means minutes if nothing else follows.
      guard let factor = word.isEmpty && rest.isEmpty && !isFound ? 1 : Self.words[String(word)],
        let part = number.multiplied(by: Rational(factor)), let sum = minutes.adding(part)
      else { return nil }
      (minutes, isFound) = (sum, true)
    }
    let (whole, part) = minutes.wholeAndRest
    guard isFound, whole <= 366 * 1440 else { return nil }
    return Int32(clamping: whole + (part == .zero ? 0 : 1))
  }

  private static let words: [String: Int64] = [
    "m": 1, "min": 1, "mins": 1, "minute": 1, "minutes": 1, "minuten": 1, "h": 60, "hr": 60,
    "hrs": 60, "hour": 60, "hours": 60, "std": 60, "stunde": 60, "stunden": 60, "d": 1440,
    "day": 1440, "days": 1440, "tag": 1440, "tage": 1440,
  ]

  /// Largest first: a duration names each unit at most once, in this order.
  private static let units: [(letter: Character, isTime: Bool, seconds: Int64)] = [
    ("W", false, 7 * 86_400), ("D", false, 86_400), ("H", true, 3_600), ("M", true, 60),
    ("S", true, 1),
  ]
}
