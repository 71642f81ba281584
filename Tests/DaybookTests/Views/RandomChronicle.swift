import Daybook
import Testing

/// A random history of three accounts in three zones: habits of every schedule, a hive made from one, logs of today
/// and of other days, and commands that undo them.
func randomChronicle(seed: Int, steps: ClosedRange<Int> = 60...160) throws -> Chronicle {
  var chance = Chance(seed: seed)
  var chronicle = threePeople(zones: ["Etc/UTC", "Pacific/Kiritimati", "Pacific/Honolulu"])
  var now = moment("2026-02-21T06:00:00Z")
  let schedules: [Schedule] = [
    .daily, .daily, weekdays("MTWTF--"), .quota(times: 3, days: 7), .quota(times: 1, days: 2),
  ]
  for owner in [1, 1, 2, 3] where chance.happens(80) {
    try chronicle.record(
      CreateHabit(
        name: "Habit \(owner)", type: .counter,
        target: Target(amount(chance.pick(1...2)), chance.happens(10) ? .atMost : .atLeast),
        schedule: chance.pick(schedules)),
      by: owner, at: now)
  }
  try chronicle.record(
    CreateHiveFromHabit(
      First.habit, name: "Readers", backfillDays: 3, threshold: chance.happens(30) ? 2 : nil),
    by: 1, at: now)
  try chronicle.record(
    CreateHiveInvite(firstHive, minutes: 500_000, code: "0123456789ab"), by: 1, at: now)
  try chronicle.record(JoinHive("0123456789ab"), by: chance.pick(2...3), at: now)
  // Accounts that do their habits most days, so that streaks grow.
  let diligence = chance.pick([60, 85, 97])
  for _ in 0..<chance.pick(steps) {
    now = now.advanced(byMilliseconds: Int64(chance.pick([30, 200, 400, 700, 1400])) * 60_000)
    if chance.happens(4) { now = now.advanced(byMilliseconds: 9 * 86_400_000) }
    let actor = chance.pick(1...3)
    if chance.happens(diligence) {
      // Mostly all of them, so that days of the hive advance.
      for person in chance.happens(70) ? [1, 2, 3] : [actor] {
        try? chronicle.keepEverything(by: person, at: now)
      }
    } else {
      try? chronicle.doSomething(by: actor, at: now, &chance)
    }
  }
  return chronicle
}

extension Chronicle {
  private var habitNumbers: [Habit.ID] {
    state.habits.elements.indices.compactMap { Habit.ID($0 + 1) }
  }

  /// Logs everything that an account has to do today.
  fileprivate mutating func keepEverything(by actor: Int, at: Instant) throws {
    for habit in habitNumbers where state.habits[habit]?.owner == Account.ID(actor) {
      try? record(LogHabit(habit, value: amount(2)), by: actor, at: at)
    }
    try? record(LogHiveDay(firstHive), by: actor, at: at)
  }

  fileprivate mutating func doSomething(by actor: Int, at: Instant, _ chance: inout Chance) throws {
    let habits = habitNumbers.filter { state.habits[$0]?.owner == Account.ID(actor) }
    let today = at.milliseconds / 86_400_000
    let some = Day(clampingNumber: Int(today)).advanced(by: -chance.pick(0...9))
    guard let habit = habits.isEmpty ? nil : chance.pick(habits) else { return }
    switch chance.pick(0...15) {
    case 0, 1: try record(ClearLog(habit, day: .day(some)), by: actor, at: at)
    case 2: try record(SkipDay(habit, day: .day(some)), by: actor, at: at)
    case 3, 4, 5:
      try record(
        LogHabit(habit, value: amount(chance.pick(0...3)), day: .day(some)), by: actor, at: at)
    case 6:
      try record(
        Pause(first: some, last: some.advanced(by: chance.pick(0...6))), by: actor, at: at)
    case 7: try record(Resume(), by: actor, at: at)
    case 8:
      let target = amount(chance.pick(1...2))
      try record(UpdateHabit(habit) { $0.target.amount = target }, by: actor, at: at)
    case 9:
      let schedule = chance.pick([.daily, weekdays("M-W-F--"), Schedule.quota(times: 2, days: 7)])
      try record(UpdateHabit(habit) { $0.schedule = schedule }, by: actor, at: at)
    case 10: try record(ArchiveHabit(habit), by: actor, at: at)
    case 11: try record(RestoreHabit(habit), by: actor, at: at)
    case 12: try record(LeaveHive(firstHive), by: actor, at: at)
    case 13: try record(ClearHiveLog(firstHive), by: actor, at: at)
    case 14: try record(Settle(), by: nil, at: at)
    default: try record(JoinHive("0123456789ab"), by: actor, at: at)
    }
  }
}
