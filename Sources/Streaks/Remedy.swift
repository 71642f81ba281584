public import Calendar

/// What would have saved a streak on the day that broke it (design, "Why-trace").
public enum Remedy: Hashable, Sendable {
  /// Logging this value: the target of that day.
  case log(Amount)
  /// Skipping the day (HH-10).
  case skip
  /// A pause over the day.
  case pause

  /// The history as it would be had the remedy been taken on a day.
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
  /// The remedies that would have saved the run which a day broke, in the order log, skip, pause.
  ///
  /// Each is tried: only those are named under which the day does not break, and the run alive after it
  /// is at least as long as the one lost. Empty when the day broke no run. O(days) for each of the three.
  public func remedies(for day: Day, in history: HabitHistory) -> [Remedy] {
    remedies(for: day, in: history, judgement(of: history))
  }

  /// As ``remedies(for:in:)``, for a history that was judged already.
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
  /// What a log of a target comes to on a day: an at-least habit's is clamped to the target in force then
  /// (HH-8), which a rule may judge by another.
  fileprivate func loggable(_ target: Target, on day: Day) -> Amount {
    let version = versions.last { $0.since <= day } ?? versions.first
    guard let inForce = version?.target, inForce.bound == .atLeast else { return target.amount }
    return min(target.amount, inForce.amount)
  }

  /// Records what was done about a day, in place of what was recorded of it.
  fileprivate mutating func put(_ record: DayRecord) {
    let index = records.firstIndex { $0.day >= record.day } ?? records.count
    if index < records.count, records[index].day == record.day {
      records[index] = record
    } else {
      records.insert(record, at: index)
    }
  }
}
