import Calendar
import Streaks

extension HabitHistory {
  /// Tells of each record how late it was made, by the clock that its owner had then, and of the late ones in which order.
  ///
  /// - Parameters:
  ///   - days: What is known of the days that the records are of.
  ///   - owner: Whose they are.
  ///   - zones: The time zones; of one that is not known nothing is late.
  mutating func addRecordTimes(
    _ days: DayTable, of owner: Account, _ zones: any TimeZones
  ) {
    var late: [(at: Instant, index: Int)] = []
    for (index, record) in days.records.enumerated() where index < records.count {
      let hours = owner.hoursLate(record.updated, on: record.day, zones)
      records[index].hoursLate = hours
      if hours > 0 { late.append((record.updated, index)) }
    }
    // Those of one moment by their day.
    late.sort { $0 < $1 }
    for (rank, record) in late.enumerated() {
      records[record.index].lateRank = UInt16(clamping: rank + 1)
    }
  }
}

extension Account {
  /// How many hours after the end of a day an instant is, an hour begun for a whole one; 0 up to its end.
  fileprivate func hoursLate(
    _ instant: Instant, on day: Day, _ zones: any TimeZones
  ) -> UInt16 {
    // No zone is so far behind that the day had ended: nearly every log needs no zone looked up.
    let earliestEnd = (Int64(day.number) + 1) * 86_400_000 - 14 * 3_600_000
    guard instant.milliseconds >= earliestEnd else { return 0 }
    guard let end = clock(at: instant).end(of: day, in: zones), instant > end else { return 0 }
    let late = instant.milliseconds - end.milliseconds - 1
    return UInt16(clamping: max(1, (late + 3_599_999) / 3_600_000))
  }
}
