package import Calendar

/// Parses everyday wording for a time of day: `17:30`, `9:00`, `5pm`, `5:30 pm`, `noon`.
package enum TimeWords {
  package static let help = "17:30, 5pm or noon"

  /// The time that a text denotes; `nil` for another text.
  package static func time(_ text: String) -> LocalTime? {
    let text = text.lowercased().filter { $0 != " " }
    switch text {
    case "noon", "midday": return LocalTime(minutes: 720)
    case "midnight": return .midnight
    default: break
    }
    let isAfternoon = text.hasSuffix("pm")
    let hasHalf = isAfternoon || text.hasSuffix("am")
    let parts = (hasHalf ? text.dropLast(2) : text[...])
      .split(separator: ":", omittingEmptySubsequences: false)
    // A bare number is an hour only with am or pm: "tomorrow 9" may be a mistyped day.
    guard parts.count == 2 || hasHalf && parts.count == 1, let hour = number(parts[0]),
      let minute = parts.count == 2 ? number(parts[1]) : 0, minute < 60,
      parts.count == 1 || parts[1].count == 2
    else { return nil }
    guard hasHalf else { return hour < 24 ? LocalTime(minutes: hour * 60 + minute) : nil }
    guard (1...12).contains(hour) else { return nil }
    return LocalTime(minutes: (hour % 12 + (isAfternoon ? 12 : 0)) * 60 + minute)
  }

  private static func number(_ digits: Substring) -> Int? {
    guard (1...2).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(digits)
  }
}

/// Parses everyday wording for a moment: a day, a time, both, or `in 2 hours`.
package struct MomentWords {
  package static let help =
    "\(DayWords.comingHelp); with a time or alone a time such as 9:00 or 5pm"

  /// The parser for days.
  package let days: DayWords
  /// The moment that the wording is relative to.
  package let now: Instant
  /// The wall clock of the user.
  package let wall: WallClock

  package init(days: DayWords, now: Instant, wall: WallClock) {
    self.days = days
    self.now = now
    self.wall = wall
  }

  /// The meaning of a text.
  package enum Moment: Equatable {
    /// A day without a time.
    case day(Day)
    /// A wall-clock time.
    case local(LocalDateTime)
    /// An instant.
    case instant(Instant)
  }

  /// The moment that a text denotes; `nil` for another text.
  package func moment(_ text: String) -> Moment? {
    if let instant = Instant(text) { return .instant(instant) }
    if let day = days.day(text) { return .day(day) }
    if text.utf8.count > 10, text.contains("-"), let local = LocalDateTime(text) {
      return .local(local)
    }
    let words = text.lowercased().split(separator: " ").map(String.init)
    if let instant = counted(words) { return .instant(instant) }
    if let time = time(words[...]) { return .local(nearest(time)) }
    // The time may take two words ("5 pm"), and come before or after the day.
    for count in [1, 2] where count < words.count {
      if let time = time(words.suffix(count)), let day = day(words.dropLast(count)) {
        return .local(LocalDateTime(day: day, time: time))
      }
      if let time = time(words.prefix(count)), let day = day(words.dropFirst(count)) {
        return .local(LocalDateTime(day: day, time: time))
      }
    }
    return nil
  }

  /// `in 2 hours`, `in 30 minutes`, `an hour ago`.
  private func counted(_ words: [String]) -> Instant? {
    guard words.count == 3, (words[0] == "in") != (words[2] == "ago") else { return nil }
    let isAhead = words[0] == "in"
    guard let count = DayWords.count(isAhead ? words[1] : words[0]) else { return nil }
    let signed = Int64(isAhead ? count : -count)
    switch isAhead ? words[2] : words[1] {
    case "hour", "hours": return now.advanced(byMilliseconds: signed * 3_600_000)
    case "minute", "minutes", "min": return now.advanced(byMilliseconds: signed * 60_000)
    default: return nil
    }
  }

  private func time(_ words: ArraySlice<String>) -> LocalTime? {
    TimeWords.time(words.joined())
  }

  private func day(_ words: ArraySlice<String>) -> Day? {
    // "tomorrow at 9:00", "9:00 on friday".
    var words = words
    if words.last == "at" { words.removeLast() }
    if words.first == "on" { words.removeFirst() }
    return days.day(words.joined(separator: " "))
  }

  /// The nearest occurrence of a bare time: the next one, or the last one when the wording refers to the
  /// past. Before the day start, the current day is still the previous calendar date.
  private func nearest(_ time: LocalTime) -> LocalDateTime {
    let ahead = days.direction == .coming
    let candidates = (ahead ? [0, 1, 2] : [1, 0, -1]).map {
      LocalDateTime(day: days.today.advanced(by: $0), time: time)
    }
    let found = candidates.first { candidate in
      wall.instant(of: candidate).map { ahead ? $0 >= now : $0 <= now } ?? false
    }
    return found ?? LocalDateTime(day: days.today, time: time)
  }
}
