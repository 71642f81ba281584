import Avro
import Daybook
import DaybookStore
import PropertyTesting
import Testing

/// Laws of marks and streaks (laws 3 to 7), over random histories of every command.
@Suite(.tags(.law)) struct StreakLawTests {
  /// A world with a habit, and a few small numbers for choices.
  struct Trial {
    var ledger: StateLedger
    let habit: Habit.ID
    let owner: Account.ID
    let today: Day
    let numbers: [Int]

    var now: Instant { max(ledger.clock.instant, ledger.state.at) }
    var record: Habit? { ledger.state.habits[habit] }

    var history: HabitHistory {
      get throws {
        guard let history = ledger.state.history(of: habit, at: now) else {
          throw Discard("no habit")
        }
        return history
      }
    }

    var judgement: Judgement { get throws { StreakRule.daybook.judgement(of: try history) } }

    /// The trial after one more command of the owner.
    func after(_ command: some Command) throws -> Trial {
      var next = self
      try next.ledger.record(command, by: owner, at: nil, id: nil)
      return next
    }

    /// A log for a day, also of an archived habit.
    func log(_ day: Day, _ value: Amount) -> LogHabit {
      LogHabit(habit, value: value, day: .day(day), source: .import)
    }
  }

  static let trials = Generator.zip(
    .histories(), Generator<Int>.integer(in: 0...199).array(count: 4...4))

  /// Plays a history, and chooses one of its habits.
  static func trial(_ pair: (History, [Int])) throws -> Trial {
    let (history, numbers) = pair
    var ledger = StateLedger(clock: HandClock(Menu.beginnings[history.beginning]))
    for step in history.steps { _ = try ledger.play(step) }
    let habits = ledger.state.livingHabits
    try assume(!habits.isEmpty, "no habit is left")
    let number = Menu.pick(habits, numbers[3])
    guard let habit = ledger.state.habits[number] else { throw Discard("no habit") }
    let now = max(ledger.clock.instant, ledger.state.at)
    return Trial(
      ledger: ledger, habit: number, owner: habit.owner,
      today: ledger.state.today(of: habit.owner, at: now), numbers: numbers)
  }

  // MARK: Law 3

  @Test func `law 3: logs of different days commute (HH-8)`() {
    let report = check("logs commute", Self.trials, cases: 150) { pair, statistics in
      let trial = try Self.trial(pair)
      cover(trial, &statistics)
      let first = trial.today.advanced(by: -(trial.numbers[0] % 12))
      let second = first.advanced(by: -1 - trial.numbers[1] % 6)
      let one = trial.log(first, Menu.pick(Menu.values, trial.numbers[2]))
      let other = trial.log(second, Menu.pick(Menu.values, trial.numbers[1]))
      let forward = try trial.after(one).after(other)
      let backward = try trial.after(other).after(one)
      try expectEqual(try forward.judgement, try backward.judgement)
      try expectEqual(forward.ledger.state.digest, backward.ledger.state.digest)
      try expectEqual(forward.record?.days[first]?.value, one.value)
      try expectEqual(forward.record?.days[second]?.value, other.value)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `law 3: logging the same value again changes nothing but history (HH-8)`() {
    let report = check("again", Self.trials, cases: 100) { pair in
      let trial = try Self.trial(pair)
      let day = trial.today.advanced(by: -(trial.numbers[0] % 12))
      let log = trial.log(day, Menu.pick(Menu.values, trial.numbers[1]))
      let once = try trial.after(log)
      once.ledger.clock.instant = once.now.advanced(byMilliseconds: 1)
      let twice = try once.after(log)
      try expectEqual(try twice.judgement, try once.judgement)
      try expectEqual(twice.record?.days.records.map(\.day), once.record?.days.records.map(\.day))
      try expectEqual(twice.record?.days[day]?.created, once.record?.days[day]?.created)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `law 3: clear undoes log (HH-9)`() {
    let report = check("clear undoes log", Self.trials, cases: 100) { pair, statistics in
      var trial = try Self.trial(pair)
      let day = trial.today.advanced(by: -(trial.numbers[0] % 12))
      let wasEmpty = trial.record?.days[day] == nil
      statistics.cover("an empty day", atLeast: 20, wasEmpty)
      statistics.cover("a day with a record", atLeast: 5, !wasEmpty)
      let clear = ClearLog(trial.habit, day: .day(day))
      trial = try trial.after(clear)
      let value = Menu.pick(Menu.values, trial.numbers[1])
      let logged = LogHabit(
        trial.habit, value: value, day: .day(day), source: .import, note: "A note")
      let undone = try trial.after(logged).after(clear)
      try expectEqual(undone.record?.days, trial.record?.days)
      try expectEqual(try undone.judgement, try trial.judgement)
      // A hive that the habit is linked to may have advanced meanwhile, which nothing reverts (R8).
      try expectEqual(Self.ownRows(undone.ledger.state), Self.ownRows(trial.ledger.state))
    }
    #expect(report.passed, "\(report)")
  }

  /// All rows but those of hives.
  private static func ownRows(_ state: BookState) -> [String] {
    state.tables.filter { !$0.name.hasPrefix("hive") }.flatMap { table in
      table.rows.map { "\(table.name) \($0.encoded)" }
    }
  }

  // MARK: Law 4

  /// Whether a day without a record accepts one: a book may hold days from before logs were allowed.
  private static func canChange(_ day: Day, in trial: Trial) -> Bool {
    day >= Limit.firstLogDay && day <= trial.today
  }

  @Test func `law 4: a skip or a pause on a missed day never shortens a streak (HH-10)`() {
    let report = check("mercy never hurts", Self.trials, cases: 200) { pair, statistics in
      let trial = try Self.trial(pair)
      let before = try trial.judgement
      let missed = before.days.filter {
        ($0.mark == .missed || $0.mark == .partial) && Self.canChange($0.day, in: trial)
      }
      try assume(!missed.isEmpty && trial.record?.isArchived == false, "no missed day")
      cover(trial, &statistics)
      let day = Menu.pick(missed, trial.numbers[0]).day
      for after in [
        try trial.after(SkipDay(trial.habit, day: .day(day))),
        try trial.after(Pause(first: day, last: day)),
      ] {
        let found = try after.judgement
        try expect(length(found.longest) >= length(before.longest), "longest, \(day)")
        try expect(length(found.current) >= length(before.current), "current, \(day)")
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `law 4: a full log on a missed due day never shortens the longest streak`() {
    let report = check("a full log never hurts", Self.trials, cases: 200) { pair, statistics in
      let trial = try Self.trial(pair)
      let before = try trial.judgement
      let missed = before.days.filter {
        $0.mark == .missed && $0.due && Self.canChange($0.day, in: trial)
      }
      try assume(!missed.isEmpty, "no missed day")
      cover(trial, &statistics)
      let day = Menu.pick(missed, trial.numbers[0])
      let after = try trial.after(trial.log(day.day, day.target.amount)).judgement
      try expect(length(after.longest) >= length(before.longest), "longest, \(day.day)")
      try expect(length(after.current) >= length(before.current), "current, \(day.day)")
    }
    #expect(report.passed, "\(report)")
  }
}

func length(_ streak: Streak?) -> Int { streak?.length ?? 0 }

/// Requires that rare cases are generated, too.
func cover(_ trial: StreakLawTests.Trial, _ statistics: inout Statistics) {
  guard let habit = trial.record else { return }
  let account = trial.ledger.state.accounts[habit.owner]
  let isQuota = habit.versions.contains { if case .quota = $0.schedule { true } else { false } }
  let pauses = account?.pauses ?? []
  statistics.cover("quota", atLeast: 10, isQuota)
  statistics.cover("at most", atLeast: 5, habit.versions.contains { $0.target.bound == .atMost })
  statistics.cover("archived once", atLeast: 3, !habit.archived.isEmpty)
  statistics.cover("several versions", atLeast: 10, habit.versions.count > 1)
  statistics.cover(
    "pause over a logged day", atLeast: 5,
    pauses.contains { pause in habit.days.records.contains { pause.days.contains($0.day) } })
  statistics.cover("journey west", atLeast: 0.1, (account?.closedBefore ?? .first) > trial.today)
  let first = habit.days.records.first?.day ?? .last
  statistics.cover("logged before creation", atLeast: 5, first < habit.createdOn)
  statistics.cover("several accounts", atLeast: 10, trial.ledger.state.accounts.elements.count > 1)
}
