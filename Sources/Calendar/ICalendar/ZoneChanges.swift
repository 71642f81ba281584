import Values

extension ICalendar {
  /// The clock changes of a zone that a calendar defines: its rules are expanded once, for all queries.
  ///
  /// RDATEs count without bounds, rules in the years 1800 to 2200: earlier there were no zones, and after
  /// 2200 a zone keeps its last offset. What foreign rules would add beyond the limits is left out, and
  /// ``isCutOff`` is then true.
  package struct ZoneChanges: Sendable {
    /// The offsets and the seconds from which they hold, ascending.
    private var changes: [Change]
    /// Whether the rules of the zone exceed the limits.
    private(set) var isCutOff = false
    /// The number of steps taken.
    private(set) var steps = 0

    private struct Change {
      var since: Int
      var offset: Int
    }

    package init(_ rules: ZoneRules) {
      changes = []
      for observance in rules.observances { follow(observance) }
      changes.sort { ($0.since, $0.offset) < ($1.since, $1.offset) }
      if changes.count > Limit.zoneChanges.maximum {
        changes.removeLast(changes.count - Limit.zoneChanges.maximum)
        isCutOff = true
      }
      if let first = rules.observances.min(by: { $0.start < $1.start }) {
        changes.insert(Change(since: .min, offset: first.offsetBefore), at: 0)
      }
    }

    /// Adds the times at which an observance begins.
    private mutating func follow(_ observance: ZoneRules.Observance) {
      for onset in [observance.start] + observance.dates { add(onset, of: observance) }
      steps += 1 + observance.dates.count
      guard !observance.rules.isEmpty else { return }
      let rules = observance.rules.map { rule in
        var rule = rule
        if case .utc(let until) = rule.until {
          let seconds = Int(until.milliseconds / 1000) + observance.offsetBefore
          rule.until = .local(LocalDateTime(clampingSecondsSince1970: seconds))
        }
        return rule
      }
      var onsets = Recurrence(start: observance.start, rules: rules).occurrences(
        from: max(observance.start, Self.firstYear), maximumStepCount: Self.maximumStepCount)
      var count = 0
      while let onset = onsets.next(), onset <= Self.lastYear {
        guard count < Self.maximumOnsetCount else {
          isCutOff = true
          break
        }
        count += 1
        add(onset, of: observance)
      }
      isCutOff = isCutOff || onsets.isCutOff
      steps += onsets.steps
    }

    private mutating func add(_ onset: LocalDateTime, of observance: ZoneRules.Observance) {
      changes.append(
        Change(
          since: onset.secondsSince1970 - observance.offsetBefore, offset: observance.offset))
    }

    private static let firstYear = LocalDateTime(day: Day(year: 1800, month: 1, day: 1) ?? .first)
    private static let lastYear = LocalDateTime(day: Day(year: 2200, month: 1, day: 1) ?? .last)
    /// More than four hundred years of changes twice a year, as some zones had them.
    private static let maximumOnsetCount = 1000
    /// Enough to follow a yearly rule with a COUNT from the year 1601 on, as Windows writes them.
    private static let maximumStepCount = 10_000

    /// Seconds ahead of UTC at an instant.
    func offsetSeconds(at instant: Instant) -> Int {
      let seconds = Int(DayClock.floorDivide(instant.milliseconds, 1000))
      // Binary search for the first later change.
      var (low, high) = (0, changes.count)
      while low < high {
        let middle = (low + high) / 2
        if changes[middle].since <= seconds { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? changes[low - 1].offset : 0
    }
  }
}
