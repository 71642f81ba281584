/// Durations as ISO 8601 writes them (5.5.2.2): `PT1H30M`, `P0DT45M`, `P1W`.
enum DurationText {
  /// The minutes of a duration, a part of one counting whole; `nil` for anything else, for months and years, whose
  /// length varies, and for what is longer than a year.
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

  /// From the longest: a duration names each at most once, and in this order.
  private static let units: [(letter: Character, isTime: Bool, seconds: Int64)] = [
    ("W", false, 7 * 86_400), ("D", false, 86_400), ("H", true, 3_600), ("M", true, 60),
    ("S", true, 1),
  ]
}
