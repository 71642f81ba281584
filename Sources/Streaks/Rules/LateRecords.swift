package import Calendar

extension RuleDefinition {
  /// The clauses that hold on a day.
  package func clauses(on day: Day) -> RuleClauses {
    (stages.last { $0.from <= day } ?? stages[0]).clauses
  }

  /// The history without the records that the clause `late` does not count.
  ///
  /// Late records are taken in the order in which they were made, so that a record made later never displaces
  /// one already counted. O(records), plus O(late records × the limit).
  @usableFromInline
  package func withoutRefused(_ history: HabitHistory) -> HabitHistory {
    guard needsRecordTimes else { return history }
    // When each late record was made, in hours of the habit's own days.
    var late: [(rank: UInt16, hour: Int, day: Day)] = []
    for record in history.records where record.hoursLate > 0 {
      let hour = (Int(record.day.number) + 1) * 24 + Int(record.hoursLate)
      late.append((record.lateRank, hour, record.day))
    }
    guard !late.isEmpty else { return history }
    late.sort { $0 < $1 }
    var taken: [Int] = []
    var refused: Set<Day> = []
    for record in late {
      guard let clause = clauses(on: record.day).late else { continue }
      let hours = record.hour - (Int(record.day.number) + 1) * 24
      let since = record.hour - clause.inDays * 24
      let recent = taken.reversed().prefix { $0 > since }.count
      if hours > clause.withinHours || clause.atMost.map({ recent >= $0 }) ?? false {
        refused.insert(record.day)
      } else if clause.atMost != nil {
        // After a change of clock an earlier record may be hours ahead.
        let place = taken.lastIndex { $0 <= record.hour }.map { $0 + 1 } ?? 0
        taken.insert(record.hour, at: place)
      }
    }
    var history = history
    history.records.removeAll { refused.contains($0.day) }
    return history
  }
}
