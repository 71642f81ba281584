import Calendar
import Daybook
import Streaks
import Values

/// The rows of `activity_events` that an entry touched.
struct ActivityTouch {
  let change: EntryChange

  var rows: [TouchedRow] {
    switch change.entry.event {
    case .activityPosted(let event):
      return row(event.key, of: event.account, in: event.hive)
    case .habitLogged(let event): return completion(event)
    case .habitDeleted(let event): return posted(about: event.habit)
    case .habitUndeleted(let event): return posted(about: event.habit)
    case .accountErased(let event):
      return change.before.postedActivities(of: event.account)
        .flatMap { row(of: $0.activity) }
    default: return change.hives.flatMap { hiveRows(in: $0.number, $0.scope) }
    }
  }

  /// The line of a day that a log completed, and the lines of milestones that it may have reached.
  private func completion(_ event: HabitLogged) -> [TouchedRow] {
    guard let habit = change.after.habits[event.habit] else { return [] }
    let target = habit.version(on: event.day).target
    let former = change.before.habits[event.habit]?.days[event.day]
    guard target.isMet(by: event.value),
      !(former.map { !$0.isSkipped && target.isMet(by: $0.value) } ?? false)
    else { return [] }
    let history = change.after.history(
      of: habit, today: max(event.day, habit.days.records.map(\.day).last ?? event.day))
    let streaks = StreakRule.daybook.judgement(of: history).streaks
    let length = streaks.first { $0.start <= event.day && event.day <= $0.end }?.length ?? 0
    // Members of a hive that was made from the habit also see the day.
    let hives = change.after.hives(of: habit.owner).filter {
      change.after.hives[$0]?.source == event.habit
    }
    let audience = Set(hives.flatMap { change.members(of: $0) }).union([habit.owner]).sorted()
    return lines(through: length, for: audience)
  }

  /// The rows that the members of a hive see.
  private func hiveRows(in hive: Hive.ID, _ scope: HiveScope) -> [TouchedRow] {
    let members = change.members(of: hive)
    switch change.entry.event {
    case .hiveAdvanced(let event): return lines(through: Int(event.streak), for: members)
    case .hiveBroken: return lines(through: 0, for: members)
    case .hiveJoined, .hiveLeft, .hiveDeleted, .hiveRestored:
      let posted = change.states.flatMap { $0.postedActivities(in: hive).map(\.activity) }
      return lines(through: 0, for: members) + Set(posted).flatMap { row(of: $0) }
    default: return []
    }
  }

  /// The entry's line, and the lines of milestones up to a streak's length.
  private func lines(through length: Int, for audience: [Account.ID]) -> [TouchedRow] {
    let head = change.entry.head
    let ids =
      [String(head.position)]
      + Milestone.reached(after: 0, through: length).map { "\(head.position)-\($0)" }
    return ids.flatMap { id in
      EntryChange.row(
        ["id": .uuid(ActivityThing.key(id)), "created_at": .timestamp(head.at)], for: audience)
    }
  }

  private func posted(about habit: Habit.ID) -> [TouchedRow] {
    guard let owner = change.after.habits[habit]?.owner else { return [] }
    let posted = change.states.flatMap { $0.postedActivities(of: owner).map(\.activity) }
    return Set(posted).filter { $0.habit == habit }.flatMap { row(of: $0) }
  }

  private func row(of activity: PostedActivity) -> [TouchedRow] {
    row(activity.key, of: activity.owner, in: activity.hive)
  }

  /// The row of a posted activity.
  private func row(
    _ key: Values.Key, of owner: Account.ID, in hive: Hive.ID?
  ) -> [TouchedRow] {
    var touched = TouchedRow(
      ["id": .uuid(key)], for: [owner] + (hive.map { change.members(of: $0) } ?? []))
    touched.isWritten = true
    return [touched]
  }
}
