public import Calendar

/// What would have saved a streak on the day that broke it (design, "Why-trace").
public enum Remedy: Hashable, Sendable {
  /// Logging this value: the target of that day.
  case log(Amount)
  /// Skipping the day (HH-10).
  case skip
  /// A pause over the day.
  case pause

  /// The history as it would be if the remedy had been taken on a day.
  public func applied(to history: HabitHistory, on day: Day) -> HabitHistory {
    var history = history
    switch self {
    case .log(let value): history.put(HabitHistory.DayRecord(day: day, value: value))
    case .skip: history.put(HabitHistory.DayRecord(day: day, value: nil))
    case .pause: history.paused.append(DaySpan(first: day, last: day))
    }
    return history
  }
}

extension StreakRule {
  /// The remedies that would have saved the run that a day broke, in the order log, skip, pause.
  ///
  /// Each remedy is tried. It is listed only if the day then does not break, and the live run after it is at
  /// least as long as the lost one. Empty when the day broke no run. O(days) per remedy.
  public func remedies(for day: Day, in history: HabitHistory) -> [Remedy] {
    remedies(for: day, in: history, judgement(of: history))
  }

  /// Returns the same as ``remedies(for:in:)``, for a history that is already judged.
  package func remedies(
    for day: Day, in history: HabitHistory, _ judgement: Judgement
  ) -> [Remedy] {
    guard let broken = judgement.breaks.first(where: { $0.day == day }),
      let judged = judgement[day]
    else { return [] }
    return [.log(history.loggable(judged.target, on: day)), .skip, .pause].filter { remedy in
      let saved = self.judgement(of: remedy.applied(to: history, on: day))[day]
      return saved.map { $0.effect != .breaks && $0.streak >= broken.lost } ?? false
    }
  }
}

extension HabitHistory {
  /// The value recorded when a target is logged on a day. For an at-least habit it is clamped to the target
  /// then in force (HH-8), which may differ from the one a rule judges by.
  fileprivate func loggable(_ target: Target, on day: Day) -> Amount {
    let version = versions.last { $0.since <= day } ?? versions.first
    guard let inForce = version?.target, inForce.bound == .atLeast else { return target.amount }
    return min(target.amount, inForce.amount)
  }

  /// Replaces the record of a day.
  fileprivate mutating func put(_ record: DayRecord) {
    let index = records.firstIndex { $0.day >= record.day } ?? records.count
    if index < records.count, records[index].day == record.day {
      records[index] = record
    } else {
      records.insert(record, at: index)
    }
  }
}
