package import Calendar
import Streaks

/// Parses everyday wording for a day, relative to today: `2026-03-01`, `yesterday`, `fri`, `in 3 days`,
/// `next week`, `5 march`.
package struct DayWords {
  /// The direction in which a bare weekday, or a date without a year, is resolved.
  package enum Direction { case past, coming }

  package static let pastHelp =
    "2026-03-01, today, yesterday, a weekday such as tue (the last one), or 3 days ago"
  package static let comingHelp =
    "2026-03-01, today, tomorrow, a weekday such as fri, in 3 days, next week, or 5 march"

  /// The day that the wording is relative to.
  package let today: Day
  /// Whether the wording refers to the past or the future.
  package let direction: Direction

  package init(today: Day, direction: Direction) {
    self.today = today
    self.direction = direction
  }

  /// The day that a text denotes; `nil` for another text.
  package func day(_ text: String) -> Day? {
    if let day = Day(text) { return day }
    let words = text.lowercased().split(separator: " ").map(String.init)
    return named(words) ?? counted(words) ?? dated(words)
  }

  private func named(_ words: [String]) -> Day? {
    switch words {
    case ["today"], ["tonight"]: return today
    case ["tomorrow"]: return today.advanced(by: 1)
    case ["yesterday"]: return today.advanced(by: -1)
    case ["weekend"], ["this", "weekend"]:
      // On a weekend this means the current one.
      return today.weekday >= 5 ? today : today.advanced(by: 5 - today.weekday)
    case ["next", "week"]: return today.advanced(by: 7 - today.weekday)
    case ["next", "month"]: return Period.month.next(after: today)
    case ["end", "of", "month"]: return Period.month.next(after: today)?.advanced(by: -1)
    default: break
    }
    guard let weekday = words.last.flatMap(WeekdayWord.weekday) else { return nil }
    let ahead = (weekday - today.weekday + 7) % 7
    let behind = (today.weekday - weekday + 7) % 7
    switch words.dropLast() {
    case []: return today.advanced(by: direction == .past ? -behind : ahead)
    case ["next"]: return today.advanced(by: ahead == 0 ? 7 : ahead)
    case ["last"]: return today.advanced(by: behind == 0 ? -7 : -behind)
    default: return nil
    }
  }

  /// `in 3 days`, `in a week`, `2 months ago`.
  private func counted(_ words: [String]) -> Day? {
    guard words.count == 3 else { return nil }
    let isAhead = words[0] == "in"
    guard isAhead != (words[2] == "ago") else { return nil }
    let (amount, unit) = isAhead ? (words[1], words[2]) : (words[0], words[1])
    guard let count = Self.count(amount) else { return nil }
    let signed = isAhead ? count : -count
    switch unit {
    case "day", "days": return today.advanced(by: signed)
    case "week", "weeks": return today.advanced(by: 7 * signed)
    case "month", "months": return advanced(byMonths: signed)
    case "year", "years": return advanced(byMonths: 12 * signed)
    default: return nil
    }
  }

  /// A count of units: `3`, or `a` for one.
  static func count(_ text: String) -> Int? {
    if text == "a" || text == "an" || text == "one" { return 1 }
    // A larger count cannot denote a day that a book can hold, and this bound prevents overflow.
    guard let count = Int(text), (0...100_000).contains(count) else { return nil }
    return count
  }

  /// `5 march`, `mar 5`, `5 march 2027`; without a year the nearest such date in the direction, today
  /// included.
  private func dated(_ words: [String]) -> Day? {
    guard (2...3).contains(words.count) else { return nil }
    let months = words.prefix(2).map(Self.month)
    guard let place = months.firstIndex(where: { $0 != nil }), let month = months[place],
      let number = Int(words[1 - place])
    else { return nil }
    if words.count == 3 {
      return Int(words[2]).flatMap { Day(year: $0, month: month, day: number) }
    }
    let year = today.parts.year
    // A 29 February may be years away.
    for distance in 0...8 {
      let found = Day(
        year: direction == .past ? year - distance : year + distance, month: month, day: number)
      if let found, direction == .past ? found <= today : found >= today { return found }
    }
    return nil
  }

  private static func month(_ word: String) -> Int? {
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ]
    return names.firstIndex { $0 == word || $0.prefix(3) == word }.map { $0 + 1 }
  }

  /// The same day of another month, or its last day if the month is shorter.
  private func advanced(byMonths count: Int) -> Day? {
    let (year, month, day) = today.parts
    let months = year * 12 + month - 1 + count
    guard months >= 12 else { return nil }
    return (0...3).lazy.compactMap {
      Day(year: months / 12, month: months % 12 + 1, day: day - $0)
    }.first
  }
}

/// Parses a day of the week: "tue", "Tuesday".
package enum WeekdayWord {
  private static let names = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// The weekday, 0 = Monday … 6 = Sunday; `nil` for another word.
  package static func weekday(_ word: String) -> Int? {
    let word = word.lowercased()
    guard word.utf8.count >= 3 else { return nil }
    return names.firstIndex { $0.hasPrefix(word) }
  }
}
