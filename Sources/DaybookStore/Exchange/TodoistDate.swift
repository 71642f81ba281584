import Calendar

/// A due date in a Todoist export: `2026-10-05`, `Oct 5 2026 18:00`, `every 2 weeks`,
/// `every monday and fri at 9am`, `every! day` (counted from the completion).
///
/// It may be English, as in Todoist's templates, or an ISO date.
///
/// What depends on the day of the export, such as `tomorrow`, is not understood.
struct TodoistDate: Hashable {
  /// When it is due. Nil for a repetition: only its time of day is known, and its first day is
  /// found later.
  private(set) var due: TaskExport.Due?
  /// How it repeats.
  private(set) var recurrence: String?
  /// Whether the next occurrence is counted from the completion.
  private(set) var repeatsFromCompletion = false
  /// The time of day of a repetition.
  private(set) var time: LocalTime?

  init?(_ text: String) {
    var words = text.lowercased().split { $0 == " " || $0 == "," }
      .map(String.init)
    guard let first = words.first else { return nil }
    if let instant = Instant(text) {
      due = .instant(instant)
      return
    }
    if words.count == 1, let (day, time) = Self.stamp(text) {
      due = time.map { .local(day, $0) } ?? .day(day)
      return
    }
    time = Self.takeTime(&words)
    if ["every", "every!", "ev", "ev!"].contains(first) || Self.adverbs[first] != nil {
      repeatsFromCompletion = first.hasSuffix("!")
      if Self.adverbs[first] == nil { words.removeFirst() }
      guard let rule = Self.rule(words) else { return nil }
      recurrence = rule
      return
    }
    guard let day = Self.day(words) else { return nil }
    due = time.map { .local(day, $0) } ?? .day(day)
  }

  /// A local time such as `2026-10-05T18:00:00`.
  private static func stamp(_ text: String) -> (Day, LocalTime?)? {
    let parts = text.uppercased().split(separator: "T", omittingEmptySubsequences: false)
    guard let day = Day(String(parts[0])), parts.count <= 2 else { return nil }
    guard parts.count == 2 else { return (day, nil) }
    guard let time = clock(String(parts[1].prefix(5))) else { return nil }
    return (day, time)
  }

  /// Takes the time from the end of the words: `18:00`, `9am`, `at 9 pm`.
  private static func takeTime(_ words: inout [String]) -> LocalTime? {
    var rest = words
    guard var last = rest.popLast() else { return nil }
    if last == "am" || last == "pm", let number = rest.popLast() { last = number + last }
    guard let time = clock(last) else { return nil }
    if rest.last == "at" || rest.last == "@" { rest.removeLast() }
    words = rest
    return time
  }

  private static func clock(_ text: String) -> LocalTime? {
    let isAfternoon = text.hasSuffix("pm")
    let hasHalf = isAfternoon || text.hasSuffix("am")
    let parts = (hasHalf ? text.dropLast(2) : text[...])
      .split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || hasHalf && parts.count == 1, let hour = Int(parts[0]),
      let minute = parts.count == 2 ? Int(parts[1]) : 0, (0..<60).contains(minute),
      hasHalf ? (1...12).contains(hour) : (0..<24).contains(hour)
    else { return nil }
    let hours = hasHalf ? hour % 12 + (isAfternoon ? 12 : 0) : hour
    return LocalTime(minutes: hours * 60 + minute)
  }

  /// A day such as `2026-10-05`, `oct 5 2026`, `5 oct 2026`.
  private static func day(_ words: [String]) -> Day? {
    if words.count == 1 { return Day(words[0]) }
    guard words.count == 3, words[2].count == 4, let year = Int(words[2]) else { return nil }
    let months = words.prefix(2).map(month)
    guard let place = months.firstIndex(where: { $0 != nil }), let month = months[place],
      let number = Int(words[1 - place])
    else { return nil }
    return Day(year: year, month: month, day: number)
  }

  private static func month(_ word: String) -> Int? {
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ]
    guard word.count >= 3 else { return nil }
    return names.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
  }

  private static let adverbs = [
    "daily": "FREQ=DAILY", "weekly": "FREQ=WEEKLY", "monthly": "FREQ=MONTHLY",
    "yearly": "FREQ=YEARLY",
  ]
  private static let frequencies = [
    "day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY",
  ]
  private static let weekdays = [
    "monday": "MO", "tuesday": "TU", "wednesday": "WE", "thursday": "TH", "friday": "FR",
    "saturday": "SA", "sunday": "SU",
  ]

  /// The rule of a repetition, given the words after "every".
  private static func rule(_ words: [String]) -> String? {
    let words = words.filter { $0 != "and" }
    guard let first = words.first else { return nil }
    if words.count == 1 {
      if let rule = adverbs[first] { return rule }
      switch first {
      case "weekday", "workday": return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
      case "weekend": return "FREQ=WEEKLY;BYDAY=SA"
      default: break
      }
      if let frequency = frequencies[first] { return "FREQ=\(frequency)" }
    }
    if words.count == 2 {
      let unit = words[1].hasSuffix("s") ? String(words[1].dropLast()) : words[1]
      let count = first == "other" ? 2 : Int(first)
      if let frequency = frequencies[unit], let count, (1...999).contains(count) {
        return "FREQ=\(frequency)" + (count == 1 ? "" : ";INTERVAL=\(count)")
      }
      if words == ["last", "day"] { return "FREQ=MONTHLY;BYMONTHDAY=-1" }
    }
    let days = words.compactMap { word in
      word.count < 3 ? nil : weekdays.first { $0.key.hasPrefix(word) }?.value
    }
    if days.count == words.count {
      let order = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
      return "FREQ=WEEKLY;BYDAY=\(order.filter(days.contains).joined(separator: ","))"
    }
    let dates = words.compactMap { word in
      Int(word.prefix { $0.isNumber }).flatMap { number in
        let tail = String(word.drop { $0.isNumber })
        return (1...31).contains(number) && ["", "st", "nd", "rd", "th"].contains(tail)
          ? number : nil
      }
    }
    guard dates.count == words.count else { return nil }
    return "FREQ=MONTHLY;BYMONTHDAY=\(dates.sorted().map(String.init).joined(separator: ","))"
  }
}
