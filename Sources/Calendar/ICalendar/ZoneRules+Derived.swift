extension ICalendar.ZoneRules {
  /// Derives the rules of a known time zone for readers that do not know it. They are correct from the first
  /// given year on, and indefinitely if the clocks change by a fixed rule in the years after the last.
  ///
  /// - Parameters:
  ///   - zone: An IANA name; an unknown one counts as UTC.
  ///   - years: The years that are needed.
  ///   - zones: Provides the zone.
  init(of zone: String, in years: ClosedRange<Int>, zones: any TimeZones) {
    let first = Day(year: max(years.lowerBound - 1, 1), month: 1, day: 1) ?? .first
    // To detect a rule, look 28 years ahead, in which every date falls on every weekday. No clock changed
    // before the first of these years, and a zone follows a rule by the last.
    let lastYear = min(years.upperBound, 2200) + 28
    let last = Day(year: lastYear, month: 12, day: 31) ?? .last
    let earliest = max(first, Day(year: 1800, month: 1, day: 1) ?? .first)
    let changes = Self.changes(of: zone, from: min(earliest, last), to: last, zones: zones)
    let initial = changes.first?.before ?? zones.offset(of: zone, on: first)
    observances = [
      Observance(
        isDaylight: false, start: LocalDateTime(day: first), offsetBefore: initial, offset: initial)
    ]
    // Groups the changes by the offsets before and after: dates, and the rule that the last of them follow.
    var kinds: [(change: Change, starts: [LocalDateTime])] = []
    for change in changes {
      let place = kinds.firstIndex {
        ($0.change.before, $0.change.after) == (change.before, change.after)
      }
      if let place {
        kinds[place].starts.append(change.wall)
      } else {
        kinds.append((change, [change.wall]))
      }
    }
    for kind in kinds { observances += Self.observances(kind.change, kind.starts, to: lastYear) }
  }

  /// A change of the clocks.
  private struct Change {
    /// The second since 1970 at which the new offset takes effect.
    var since: Int
    var before: Int
    var after: Int

    /// The wall-clock time of the change, by the old offset.
    var wall: LocalDateTime { LocalDateTime(clampingSecondsSince1970: since + before) }
  }

  /// All changes between two days; two changes within a week that cancel each other are not noticed.
  private static func changes(
    of zone: String, from first: Day, to last: Day, zones: any TimeZones
  ) -> [Change] {
    let offset = { (second: Int) in
      zones.offsetSeconds(of: zone, at: Instant(clamping: Int64(second) * 1000)) ?? 0
    }
    var changes: [Change] = []
    var (second, before) = (Int(first.number) * 86_400, zones.offset(of: zone, on: first))
    while second < Int(last.number) * 86_400 {
      let next = second + 7 * 86_400
      let after = offset(next)
      if after != before {
        var (low, high) = (second, next)
        while high - low > 1 {
          let middle = (low + high) / 2
          if offset(middle) == before { low = middle } else { high = middle }
        }
        changes.append(Change(since: high, before: before, after: offset(high)))
        // The rest of the week after the change is examined next.
        (second, before) = (high, offset(high))
      } else {
        second = next
      }
    }
    return changes
  }

  /// The observances of one kind of change: one for single dates, and one for the rule that they finally
  /// follow.
  private static func observances(
    _ change: Change, _ starts: [LocalDateTime], to lastYear: Int
  ) -> [Observance] {
    let make = { (starts: ArraySlice<LocalDateTime>, rule: RecurrenceRule?) -> [Observance] in
      guard let start = starts.first else { return [] }
      return [
        Observance(
          isDaylight: change.after > change.before, start: start, offsetBefore: change.before,
          offset: change.after, rules: rule.map { [$0] } ?? [],
          dates: rule == nil ? Array(starts.dropFirst()) : [])
      ]
    }
    guard starts.last?.day.parts.year == lastYear else { return make(starts[...], nil) }
    // Among the rules that produce exactly the last dates, take the one that covers most of them.
    var best: (index: Int, rule: RecurrenceRule)?
    for text in Self.yearlyRules(like: starts[starts.count - 1].day) {
      guard let rule = try? RecurrenceRule(parsing: text) else { continue }
      let index = starts.indices.first { index in
        let made = Recurrence(start: starts[index], rules: [rule]).occurrences()
          .prefix { $0.day.parts.year <= lastYear }
        return made.elementsEqual(starts[index...])
      }
      if let index, index < best?.index ?? starts.count - 10 { best = (index, rule) }
    }
    guard let best else { return make(starts[...], nil) }
    return make(starts[..<best.index], nil) + make(starts[best.index...], best.rule)
  }

  /// The yearly rules that may produce a day: its weekday as the last or n-th of the month, its weekday on or
  /// after a day of the month, or its date.
  private static func yearlyRules(like day: Day) -> [String] {
    let (year, month, dayOfMonth) = day.parts
    let weekday = RecurrenceRule.weekdayNames[day.weekday]
    let stem = "FREQ=YEARLY;BYMONTH=\(month);BYDAY="
    var rules: [String] = []
    let dayCount = Day.dayCount(year: year, month: month)
    if dayOfMonth + 7 > dayCount { rules.append("\(stem)-1\(weekday)") }
    rules.append("\(stem)\((dayOfMonth - 1) / 7 + 1)\(weekday)")
    for from in max(1, dayOfMonth - 6)...dayOfMonth where from + 6 <= dayCount {
      let days = (from..<from + 7).map(String.init).joined(separator: ",")
      rules.append("\(stem)\(weekday);BYMONTHDAY=\(days)")
    }
    rules.append("FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=\(dayOfMonth)")
    return rules
  }
}

extension TimeZones {
  fileprivate func offset(of zone: String, on day: Day) -> Int {
    offsetSeconds(of: zone, at: Instant(clamping: Int64(day.number) * 86_400_000)) ?? 0
  }
}
