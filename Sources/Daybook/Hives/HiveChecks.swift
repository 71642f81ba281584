import Streaks
import Values
import Calendar

extension BookState {
  /// An existing hive of which the actor is a member (HH-16).
  func sharedHive(
    _ number: Hive.ID, _ context: Context
  ) throws(Rejection) -> (Hive, Account.ID, Account) {
    let (actor, account) = try self.actor(context)
    guard let hive = hives[number], !hive.isDeleted else { throw .hiveNotFound }
    guard hive.member(actor) != nil else { throw .notMember }
    return (hive, actor, account)
  }

  /// A habit of the actor's whose days a hive can share: it is active, and done at a value or above.
  func sharedHabit(_ number: Habit.ID, _ context: Context) throws(Rejection) -> Habit {
    let habit = try own(number, context)
    guard !habit.isArchived else { throw .cannotShareArchived(habit.description.name) }
    guard habit.version.target.bound == .atLeast else { throw .cannotShareTarget }
    return habit
  }

  /// The events that begin a hive: its creation, and its owner's joining.
  func beginning(_ created: HiveCreated) -> [Event] {
    [
      .hiveCreated(created),
      .hiveJoined(
        HiveJoined(
          hive: hives.nextNumber, member: created.owner, day: created.day,
          requiredFrom: created.day, invite: nil)),
    ]
  }

  /// The first day that is not closed for a hive (R4).
  func firstOpenDay(of hive: Hive, _ context: Context) -> Day {
    firstOpenDay(of: hive, at: context.at, in: context.zones)
  }
}

extension Hive: ChangeableEntity {
  static var column: StaticString { "p_hive_id" }
  static var field: StaticString { "hive" }

  /// An existing hive that the actor leads.
  static func own(
    _ number: Hive.ID, in state: BookState, _ context: Context
  ) throws(Rejection) -> Hive {
    let (hive, actor, _) = try state.sharedHive(number, context)
    guard hive.owner == actor else { throw .notOwner(of: .hive) }
    return hive
  }
}

extension Hive {
  /// Whether the hive equals the one that an event creates, regardless of its members and its day.
  func isBegun(by event: HiveCreated) -> Bool {
    description == event.description && type == event.type && target == event.target
      && Int32(schedule.bits) == event.weekmask && rule == event.rule
      && Int32(clamping: threshold) == event.threshold && source == event.source
  }
}

extension Amount {
  /// The value as it is logged: clamped to 1…target, or the target itself when that is below 1 (R2).
  func clamped(to target: Amount) -> Amount { min(max(self, min(.one, target)), target) }
}

extension HiveDescription {
  func checked() throws(Rejection) -> HiveDescription {
    guard !name.trimmingSpace.isEmpty else { throw .emptyHiveName }
    let checked = try HabitDescription(name: name, emoji: emoji, color: color).checked()
    return HiveDescription(name: checked.name, emoji: checked.emoji, color: checked.color)
  }
}
