import Daybook
import PropertyTesting

/// Plays a scenario in the domain and in the model at once, and reports the differences.
struct HiveStage {
  var ledger: StateLedger
  var model: HiveModel
  let hive: Hive.ID
  let habits: [Habit.ID]
  /// The figures of days when they were first seen closed.
  private(set) var settled: [Day: HiveDay] = [:]
  /// The recorded breaks, each with the streak that it ended.
  private(set) var recordedBreaks: [[Int]] = []
  private(set) var joinAdvances = 0
  private(set) var leaveAdvances = 0
  private(set) var reached = Reached()

  /// The scenario's results, for its statistics.
  struct Reached {
    var refusals: Set<String> = []
    var lateLogs = 0
    var movesWithStreak = 0
    var longest = 0
  }

  static func person(_ number: Int) -> Account.ID { Account.ID(number + 1) ?? .first }

  init(_ scenario: HiveScenario) throws {
    let beginning = HiveMenu.beginnings[scenario.beginning]
    ledger = StateLedger(clock: HandClock(beginning))
    for (zone, start) in scenario.people {
      try ledger.record(
        CreateAccount(
          timeZone: HiveMenu.zones[zone], dayStartHour: HiveMenu.starts[start]),
        by: nil, at: nil, id: nil)
    }
    var habits: [Habit.ID] = []
    for person in scenario.people.indices {
      habits.append(ledger.state.habits.nextNumber)
      try ledger.record(
        CreateHabit(name: "Mine", type: .counter, target: Target(Menu.amounts[4])),
        by: Self.person(person), at: nil, id: nil)
    }
    self.habits = habits
    hive = ledger.state.hives.nextNumber
    let mask = HiveMenu.masks[scenario.weekmask]
    try ledger.record(
      CreateHive(
        name: "Bees", type: .counter, target: Self.amount(scenario.target),
        schedule: WeekdayMask(bits: mask) ?? .everyDay, threshold: scenario.threshold),
      by: Self.person(0), at: nil, id: nil)
    model = HiveModel(
      people: scenario.people.map {
        .init(zone: HiveMenu.zone($0.zone), start: HiveMenu.starts[$0.start])
      },
      weekdays: Set((0..<7).filter { mask >> $0 & 1 == 1 }), threshold: scenario.threshold,
      target: scenario.target, now: Int(beginning.milliseconds))
  }

  static func amount(_ thousandths: Int) -> Amount {
    Amount(thousandths: Int64(thousandths)) ?? .zero
  }

  var found: Hive { get throws { try unwrap(ledger.state.hives[hive]) } }

  var firstOpen: Day {
    get throws {
      ledger.state.firstOpenDay(of: try found, at: ledger.clock.instant, in: StateLedger.zones)
    }
  }

  /// The days from the hive's creation to the latest that has begun for anybody.
  var days: ClosedRange<Day> {
    get throws {
      let last = model.people.map(\.latest).max() ?? model.createdOn
      let first = try found.createdOn
      return first.advanced(by: -1)...max(first, Day(clampingNumber: last + 1))
    }
  }

  // MARK: Playing

  /// Plays a step; `settling` says whether the settling job runs when the scenario asks for it.
  mutating func play(_ step: HiveStep, settling: Bool = true) throws {
    ledger.clock.instant = ledger.clock.instant.advanced(byMilliseconds: Int64(step.wait) * 60_000)
    model.walk(to: Int(ledger.clock.instant.milliseconds))
    if case .settle = step.action, !settling { return }
    let before = ledger.state
    let expected = expectation(of: step.action)
    var refusal: String?
    var events: [Event] = []
    do {
      let entries = try decide(step.action)
      for entry in entries { ledger.state.apply(entry) }
      events = entries.map(\.event)
    } catch let rejection as Rejection {
      refusal = rejection.code
      reached.refusals.insert(rejection.code)
    }
    try expectEqual(refusal, expected, "\(step.action)")
    if case .move = step.action, model.streak > 0 { reached.movesWithStreak += 1 }
    try look(at: events, of: step.action, before)
  }

  /// Passes the action to the model.
  private mutating func expectation(of action: HiveStepAction) -> String? {
    switch action {
    case .look, .settle: return nil
    case .log(let person, .queued(let minutes), _) where minutes < 0,
      .clear(let person, .queued(let minutes)) where minutes < 0:
      return model.isMember(person) ? "future_instant" : "not_member"
    case .log(let person, let when, let value):
      return model.log(person, day(when, person), HiveMenu.values[value])
    case .clear(let person, let when): return model.clear(person, day(when, person))
    case .habitLog(let person, let ago, let value):
      // A habit's value is first clamped to the habit's own target, here 3.
      let value = min(max(HiveMenu.values[value], 1000), 3000)
      model.logLinked(person, model.today(person) - ago, value)
      return nil
    case .habitClear(let person, let ago):
      let day = Day(clampingNumber: model.today(person) - ago)
      guard ledger.state.habits[habits[person]]?.days[day] != nil else { return nil }
      model.clearLinked(person, Int(day.number))
      return nil
    case .link(let person, let isLinked): return model.link(person, isLinked)
    case .invite(let minutes, let maximumUseCount):
      model.invite(minutes: minutes, maximumUseCount: maximumUseCount)
      return nil
    case .revoke(let invite):
      guard model.invites.indices.contains(invite) else { return "invalid_code" }
      model.revoke(invite)
      return nil
    case .join(let person, let invite): return model.join(person, invite)
    case .leave(let person): return model.leave(person)
    case .remove(let person): return model.remove(person)
    case .handOver(let person): return model.handOver(to: person)
    case .move(let person, let zone, let start):
      model.move(person, HiveMenu.zone(zone), start: HiveMenu.starts[start])
      return nil
    case .advance(let person, let ago):
      return model.refusalOfAdvance(person, model.today(person) - ago)
    }
  }

  private func day(_ when: HiveWhen, _ person: Int) -> Int {
    switch when {
    case .today: model.today(person)
    case .ago(let days): model.today(person) - days
    case .queued(let minutes):
      HiveModel.date(model.people[person], model.now - minutes * 60_000)
    }
  }

  private func decide(_ action: HiveStepAction) throws -> [Entry] {
    switch action {
    case .look: return []
    case .settle: return try ledger.decide(Settle(), by: nil)
    case .log(let person, let when, let value):
      let log = LogHiveDay(
        hive, value: Self.amount(HiveMenu.values[value]), day: choice(when, person), source: .sync)
      return try ledger.decide(log, by: Self.person(person))
    case .clear(let person, let when):
      return try ledger.decide(
        ClearHiveLog(hive, day: choice(when, person)), by: Self.person(person))
    case .habitLog(let person, let ago, let value):
      let log = LogHabit(
        habits[person], value: Self.amount(HiveMenu.values[value]), day: choice(.ago(ago), person))
      return try ledger.decide(log, by: Self.person(person))
    case .habitClear(let person, let ago):
      let clear = ClearLog(habits[person], day: choice(.ago(ago), person))
      return try ledger.decide(clear, by: Self.person(person))
    case .link(let person, let isLinked):
      return try ledger.decide(
        LinkHabit(isLinked ? habits[person] : nil, to: hive), by: Self.person(person))
    case .invite(let minutes, let maximumUseCount):
      let code = Self.code(try found.invites.count)
      return try ledger.decide(
        CreateHiveInvite(hive, minutes: minutes, maximumUseCount: maximumUseCount, code: code),
        by: try found.owner)
    case .revoke(let invite):
      return try ledger.decide(RevokeHiveInvite(Self.code(invite)), by: try found.owner)
    case .join(let person, let invite):
      return try ledger.decide(JoinHive(Self.code(invite)), by: Self.person(person))
    case .leave(let person): return try ledger.decide(LeaveHive(hive), by: Self.person(person))
    case .remove(let person):
      return try ledger.decide(
        RemoveHiveMember(Self.person(person), from: hive), by: try found.owner)
    case .handOver(let person):
      return try ledger.decide(HandOverHive(hive, to: Self.person(person)), by: try found.owner)
    case .move(let person, let zone, let start):
      return try ledger.decide(
        UpdateProfile {
          $0.timeZone = HiveMenu.zones[zone]
          $0.dayStartHour = HiveMenu.starts[start]
        },
        by: Self.person(person))
    case .advance(let person, let ago):
      let day = Day(clampingNumber: model.today(person) - ago)
      return try ledger.decide(AdvanceHiveDay(hive, day: day), by: Self.person(person))
    }
  }

  private func choice(_ when: HiveWhen, _ person: Int) -> DayChoice {
    switch when {
    case .today: .today
    case .ago(let days): .day(Day(clampingNumber: model.today(person) - days))
    case .queued(let minutes):
      .dayOf(ledger.clock.instant.advanced(byMilliseconds: Int64(minutes) * -60_000))
    }
  }

  private static func code(_ invite: Int) -> String {
    let digits = String(invite, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }

  // MARK: Looking

  /// The recorded advances: each once, at the action that caused it, with its streak.
  private mutating func look(at events: [Event], of action: HiveStepAction, _ before: BookState)
    throws
  {
    let advances = events.compactMap { event -> HiveAdvanced? in
      guard case .hiveAdvanced(let advanced) = event else { return nil }
      return advanced
    }
    for advanced in advances {
      try expect(before.hives[hive]?.hasAdvanced(advanced.day) == false, "advanced again")
      let told = model.told(Int(advanced.day.number))
      try expectEqual(told.verdict, "advanced")
      guard advances.count == 1 else { continue }
      try expectEqual(Int(advanced.streak), model.streak(of: Int(advanced.day.number)))
    }
    switch action {
    case .advance: try expectEqual(events, [], "asking again found something new")
    case .join: joinAdvances += advances.count
    case .leave, .remove: leaveAdvances += advances.count
    case .settle:
      for event in events {
        guard case .hiveBroken(let broken) = event else { throw Unexpected(event: event) }
        recordedBreaks.append([Int(broken.day.number), Int(broken.streak)])
        let told = model.told(Int(broken.day.number))
        try expectEqual(
          told,
          .init(
            verdict: "broken", complete: Int(broken.completeCount),
            required: Int(broken.requiredCount)))
      }
      try expectEqual(recordedBreaks, model.breaks, "the breaks that were recorded")
    default: break
    }
    for event in events {
      if case .hiveDayLogged(let logged) = event, logged.isLate { reached.lateLogs += 1 }
    }
  }

  struct Unexpected: Error { var event: Event }

  /// Compares the hive's figures with the model: the last days, or all of them.
  mutating func compare(all: Bool = false) throws {
    let (found, open) = (try found, try firstOpen)
    let days = try days
    let first = all ? days.lowerBound : max(days.lowerBound, days.upperBound.advanced(by: -7))
    let told = found.days(first...days.upperBound, firstOpen: open)
    for told in told {
      let expected = model.told(Int(told.day.number))
      try expectEqual(
        HiveModel.Told(
          verdict: told.verdict.rawValue, complete: told.completeCount, required: told.requiredCount
        ), expected, "\(told.day)")
      try expectEqual(told.neededCount, model.needed(of: expected.required), "\(told.day)")
      try expectEqual(found.day(told.day, firstOpen: open), told)
      try expectEqual(told.day < open, model.isClosed(Int(told.day.number)), "closed, \(told.day)")
      // A closed day stays closed and unchanged.
      if let known = settled[told.day] {
        try expectEqual(told, known, "a settled day")
      } else if told.day < open {
        settled[told.day] = told
      }
    }
    try expectEqual(found.streak(firstOpen: open), model.streak, "the streak")
    reached.longest = max(reached.longest, model.streak)
    try expectEqual(Set(found.advanced.map { Int($0.number) }), model.advanced)
    try expectEqual(found.activeMembers.count, model.memberCount)
    try expectEqual(found.invites.map(\.useCount), model.invites.map(\.useCount))
    guard all else { return }
    for (person, logs) in model.logs.enumerated() {
      let member = found.members.first { $0.account == Self.person(person) }
      try expectEqual(Self.values(member?.days), logs)
      try expectEqual(Self.values(member?.lateDays), model.lateLogs[person])
    }
  }

  private static func values(_ days: DayTable?) -> [Int: Int] {
    guard let days else { return [:] }
    var values: [Int: Int] = [:]
    for record in days.records {
      values[Int(record.day.number)] = Int(record.value.thousandths)
    }
    return values
  }
}

/// Unwraps the value; the property fails without it.
func unwrap<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw Missing() }
  return value
}

private struct Missing: Error {}
