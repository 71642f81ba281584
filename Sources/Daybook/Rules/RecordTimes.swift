import Calendar
import Streaks

extension HabitHistory {
  /// Computes how late each record was made, by the clock that its owner had then, and the order of the late ones.
  ///
  /// - Parameters:
  ///   - days: The known days of the records.
  ///   - owner: The owner of the records.
  ///   - zones: The time zones; in an unknown zone nothing is late.
  mutating func addRecordTimes(
    _ days: DayTable, of owner: Account, _ zones: any TimeZones
  ) {
    var late: [(at: Instant, index: Int)] = []
    for (index, record) in days.records.enumerated() where index < records.count {
      let hours = owner.hoursLate(record.updated, on: record.day, zones)
      records[index].hoursLate = hours
      if hours > 0 { late.append((record.updated, index)) }
    }
    // Records of the same moment are ordered by day.
    late.sort { $0 < $1 }
    for (rank, record) in late.enumerated() {
      records[record.index].lateRank = UInt16(clamping: rank + 1)
    }
  }
}

extension Account {
  /// The number of hours from the end of a day to an instant, rounded up; 0 up to its end.
  fileprivate func hoursLate(
    _ instant: Instant, on day: Day, _ zones: any TimeZones
  ) -> UInt16 {
    // In no zone had the day ended by then: nearly every log needs no zone lookup.
    let earliestEnd = (Int64(day.number) + 1) * 86_400_000 - 14 * 3_600_000
    guard instant.milliseconds >= earliestEnd else { return 0 }
    guard let end = clock(at: instant).end(of: day, in: zones), instant > end else { return 0 }
    let late = instant.milliseconds - end.milliseconds - 1
    return UInt16(clamping: max(1, (late + 3_599_999) / 3_600_000))
  }
}
