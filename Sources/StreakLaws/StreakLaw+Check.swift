import Calendar
import PropertyTesting
package import Streaks

extension StreakLaw {
  /// The law as a sentence.
  package var sentence: String {
    switch self {
    case .monotone: "a further full day never shortens the longest streak"
    case .skipNeutral: "a skip in place of a miss never shortens a streak"
    case .closed: "the passing of time never changes a closed day"
    case .prefix: "later days never change what a day does (without quotas)"
    case .orderFree: "the order in which pauses are recorded changes nothing"
    case .incremental: "streaks kept day by day equal those computed from scratch"
    case .bounds: "streaks are in order, and none is longer than its days"
    }
  }

  /// Checks a rule against the law on one history.
  ///
  /// - Throws: ``PropertyTesting/Falsified``, which describes the violation.
  package func require(of rule: StreakRule, on history: HabitHistory) throws {
    switch self {
    case .monotone: try requireMonotone(rule, history)
    case .skipNeutral: try requireSkipNeutral(rule, history)
    case .closed: try requireClosed(rule, history)
    case .prefix: try requirePrefix(rule, history)
    case .orderFree: try requireOrderFree(rule, history)
    case .incremental: try requireIncremental(rule, history)
    case .bounds: try requireBounds(rule, history)
    }
  }

  private func requireMonotone(_ rule: StreakRule, _ history: HabitHistory) throws {
    let judgement = rule.judgement(of: history)
    let before = judgement.longest?.length ?? 0
    for day in judgement.days where day.mark == .missed || day.mark == .partial {
      let after =
        rule.summary(of: history.with(day.target.amount, on: day.day)).longest?.length ?? 0
      try expect(
        after >= before,
        "the longest streak is \(before), and \(after) once \(day.day) is full as well")
    }
  }

  private func requireSkipNeutral(_ rule: StreakRule, _ history: HabitHistory) throws {
    let judgement = rule.judgement(of: history)
    let longest = judgement.longest?.length ?? 0
    let current = judgement.current?.length ?? 0
    for day in judgement.days where day.mark == .missed {
      let after = rule.summary(of: history.with(nil, on: day.day))
      // At one source line, so that one failure may turn into the other during shrinking: the smallest
      // history may show either.
      for (which, before, after) in [
        ("longest", longest, after.longest), ("current", current, after.current),
      ] {
        try expect(
          after?.length ?? 0 >= before,
          "the \(which) streak is \(before), and \(after?.length ?? 0) once \(day.day) is skipped")
      }
    }
  }

  private func requireClosed(_ rule: StreakRule, _ history: HabitHistory) throws {
    let now = rule.judgement(of: history)
    for dayCount in [1, 2, 8, 40] {
      var later = history
      later.today = history.today.advanced(by: dayCount)
      later.openFrom = max(history.openFrom, later.today)
      let then = rule.judgement(of: later)
      for day in now.days where day.day < history.openFrom {
        try requireSame(day, then[day.day], "\(dayCount) days later")
      }
    }
  }

  private func requirePrefix(_ rule: StreakRule, _ history: HabitHistory) throws {
    let whole = rule.judgement(of: history)
    // On these days something new becomes known.
    let days = Set(history.records.map(\.day) + history.versions.dropFirst().map(\.since))
    for last in days.map({ $0.advanced(by: -1) }).sorted() {
      var known = history
      known.records.removeAll { $0.day > last }
      let versions = history.versions.prefix { $0.since <= last }
      known.versions = versions.isEmpty ? [history.versions[0]] : Array(versions)
      let then = rule.judgement(of: known)
      for day in whole.days.prefix(while: { $0.day <= last }) {
        try requireSame(day, then[day.day], "with nothing known of the days after \(last)")
      }
    }
  }

  private func requireSame(_ day: JudgedDay, _ other: JudgedDay?, _ when: String) throws {
    guard day.effect != other?.effect || day.mark != other?.mark else { return }
    let now = "\(day.mark.rawValue), \(day.effect)"
    let then = other.map { "\($0.mark.rawValue), \($0.effect)" } ?? "not judged"
    throw Falsified("\(day.day) is \(now); \(when) it is \(then)")
  }

  private func requireOrderFree(_ rule: StreakRule, _ history: HabitHistory) throws {
    var other = history
    other.paused.reverse()
    other.archived.reverse()
    try expect(
      rule.judgement(of: history) == rule.judgement(of: other),
      "with its pauses in another order it is judged differently")
  }

  private func requireIncremental(_ rule: StreakRule, _ history: HabitHistory) throws {
    let judgement = rule.judgement(of: history)
    let summary = rule.summary(of: history)
    try expect(
      summary.current == judgement.current && summary.longest == judgement.longest
        && summary.dayCount == judgement.days.count, "its summary differs")
    try expect(Judgement(folding: judgement.days) == judgement, "computed from scratch it differs")
    var tally = StreakTally()
    for day in judgement.days {
      tally.add(day.day, day.effect)
      try expect(tally.length == day.streak, "the streak after \(day.day) differs")
    }
  }

  private func requireBounds(_ rule: StreakRule, _ history: HabitHistory) throws {
    let judgement = rule.judgement(of: history)
    let longest = judgement.longest?.length ?? 0
    try expect(judgement.current?.length ?? 0 <= longest, "the current streak is the longest")
    var last: Day?
    for streak in judgement.streaks {
      try expect(
        last.map { $0 < streak.start } ?? true, "the streak from \(streak.start) is out of order")
      try expect(
        streak.length >= 1 && streak.length <= streak.start.distance(to: streak.end) + 1,
        "the streak from \(streak.start) to \(streak.end) counts \(streak.length)")
      last = streak.end
    }
  }
}

extension HabitHistory {
  /// The history with a record made on the day itself; without a value the record is a skip.
  fileprivate func with(_ value: Amount?, on day: Day) -> HabitHistory {
    var history = self
    history.records.removeAll { $0.day == day }
    let place = history.records.firstIndex { $0.day > day } ?? history.records.count
    history.records.insert(DayRecord(day: day, value: value), at: place)
    return history
  }
}
