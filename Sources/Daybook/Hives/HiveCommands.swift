package import Streaks
package import Values
package import Calendar
public import Avro

/// Creates a hive (HH-15); the actor leads it and is its first member. Repeated with the same key and content it
/// changes nothing.
public struct CreateHive: ColumnCommand {
  /// The client's name for the hive; a fresh one unless given.
  package var key: Key?
  /// The name and look.
  package var description: HiveDescription
  /// Whether it is checked or counted.
  package var type: HabitType
  /// The value that a member must reach on a day.
  package var target: Amount
  /// The weekdays on which it is due.
  package var schedule: WeekdayMask
  /// The number of members who must be done for a day to advance; all of them if not given.
  package var threshold: Int?
  /// The habit of the actor's from which it is made, given by apps that copy the habit's rules themselves.
  package var source: Habit.ID?

  public init(
    key: Key? = nil, name: String, emoji: String = "", color: String = HabitDescription.usualColor,
    type: HabitType = .checkbox, target: Amount = .one, schedule: WeekdayMask = .everyDay,
    threshold: Int? = nil
  ) {
    self.key = key
    description = HiveDescription(name: name, emoji: emoji, color: color)
    self.type = type
    self.target = target
    self.schedule = schedule
    self.threshold = threshold
  }

  package static let form = CommandForm(
    "create_hive", "Creates a hive; the actor leads it.", answer: "hive")
  /// A hive without a name, every day.
  public static var defaults: CreateHive { CreateHive(name: "") }

  /// `key`, the columns of the description, the target, the schedule and the threshold, and the source habit.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("key", &key)
    try description.visitColumns(&visitor)
    try visitor.column("type", &type)
    try visitor.column(
      "target_per_day", &target, [.doc("what each member must reach; greater than 0")])
    try visitor.columns(WeekdaysCodec(), &schedule)
    try visitor.columns(ThresholdCodec(), &threshold)
    try visitor.column("source_habit_id", &source, [.doc("the habit from which it is made")])
  }

  /// Decides the command; the answer is the hive's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Hive.ID>
  {
    let (actor, account) = try state.actor(context)
    let key = key ?? context.freshKey
    let created = try created(key, actor, try account.today(context))
    let known = try state.known(key, in: state.hives) { hive in
      hive.owner == actor && hive.isBegun(by: created)
    }
    if let known { return Decision([], known) }
    if let source { _ = try state.own(source, context) }
    return Decision(state.beginning(created), state.hives.nextNumber)
  }

  /// The event that creates the hive.
  func created(_ key: Key, _ owner: Account.ID, _ day: Day) throws(Rejection) -> HiveCreated {
    guard target > .zero else { throw .cannotShareTarget }
    if let threshold, !(1...Hive.maximumMemberCount).contains(threshold) {
      throw .invalidThreshold(threshold)
    }
    var created = HiveCreated.placeholder
    created.key = key
    created.owner = owner
    created.description = try description.checked()
    created.type = type
    created.target = target
    created.weekmask = Int32(schedule.bits)
    created.rule = threshold == nil ? .allMustComplete : .threshold
    created.threshold = Int32(clamping: threshold ?? 0)
    created.source = source
    created.day = day
    return created
  }
}

/// Creates a hive from a habit of the actor's (HH-15): with its name, look, type, target and schedule, and with its
/// recent logs. Those days are shown; they advance nothing (R6).
public struct CreateHiveFromHabit: ColumnCommand {
  /// The client's name for the hive; a fresh one unless given.
  package var key: Key?
  package var habit: Habit.ID
  /// The name of the hive; the habit's if not given.
  package var name: String?
  /// The number of days before today that are copied, up to 90; none if below 1.
  package var backfillDays: Int
  /// The number of members who must be done for a day to advance; all of them if not given.
  package var threshold: Int?

  public init(
    _ habit: Habit.ID, key: Key? = nil, name: String? = nil, backfillDays: Int = 30,
    threshold: Int? = nil
  ) {
    self.key = key
    self.habit = habit
    self.name = name
    self.backfillDays = backfillDays
    self.threshold = threshold
  }

  package static let form = CommandForm(
    "create_hive_from_habit",
    "Creates a hive from a habit, with its look, target, schedule and last days.",
    answer: "hive")
  /// The defaults; no habit is named yet.
  public static var defaults: CreateHiveFromHabit { CreateHiveFromHabit(.placeholder) }

  /// `p_habit_id`, `key`, `p_name`, `p_backfill_days`, `rule` and `threshold`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_habit_id", &habit, [.needed])
    try visitor.column("key", &key)
    try visitor.column("p_name", &name, [.doc("the habit's name unless given")])
    try visitor.column(
      "p_backfill_days", &backfillDays,
      [.doc("how many days before today are copied"), .bounds(["maximum": 90])])
    try visitor.columns(ThresholdCodec(), &threshold)
  }

  /// Decides the command; the answer is the hive's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Hive.ID>
  {
    let (actor, account) = try state.actor(context)
    let key = key ?? context.freshKey
    let known = try state.known(key, in: state.hives) { $0.owner == actor && isBegun($0) }
    if let known { return Decision([], known) }
    let found = try state.sharedHabit(habit, context)
    guard backfillDays <= 90 else { throw .invalidBackfill(backfillDays) }
    guard case .weekdays(let schedule) = found.version.schedule else { throw .cannotShareQuota }
    let today = try account.today(context)
    var created = try CreateHive(
      name: name ?? found.description.name, emoji: found.description.emoji,
      color: found.description.color, type: found.type, target: found.version.target.amount,
      schedule: schedule, threshold: threshold
    ).created(key, actor, today)
    created.source = habit
    let number = state.hives.nextNumber
    var events = state.beginning(created)
    // The logs are the owner's, so their days count back from the owner's today (HH-15).
    let first = today.advanced(by: -max(backfillDays, 0))
    for record in found.days.records
    where backfillDays > 0 && record.day >= first && record.day <= today && !record.isSkipped {
      let counted = record.value.clamped(to: created.target)
      events.append(
        .hiveDayLogged(
          HiveDayLogged(
            hive: number, member: actor, day: record.day, value: counted, source: record.source,
            entered: (found.days.entered(on: record.day) ?? record.value).unless(counted))))
    }
    return Decision(events, number)
  }

  /// Whether the hive equals what the command would create, as far as the command gives it: the habit may have changed
  /// since.
  private func isBegun(_ hive: Hive) -> Bool {
    hive.source == habit && hive.rule == (threshold == nil ? .allMustComplete : .threshold)
      && hive.threshold == threshold ?? 0
      && (name.map { $0.asOneLine == hive.description.name } ?? true)
  }
}

/// Changes a hive's name or look. Only its owner may.
public struct UpdateHive: PatchCommand {
  package var thing: Hive.ID
  /// The changes.
  package var patch: Patch<HiveDescription>

  public init(_ hive: Hive.ID, _ set: (inout HiveDescription) -> Void = { _ in }) {
    thing = hive
    patch = Patch(set)
  }

  package static let form = CommandForm(
    "update_hive", "Changes a hive's name or look.", answer: "hive")
  /// Nothing changes.
  public static var defaults: UpdateHive { UpdateHive(.placeholder) }

  func events(_ found: Hive, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    let description = try patch.applied(to: found.description).checked()
    guard description != found.description else { return [] }
    return [.hiveDescribed(HiveDescribed(hive: thing, description: description))]
  }
}

/// Hands a hive over to another member, who then leads it (HH-18). Only its owner may.
public struct HandOverHive: MemberCommand {
  package var thing: Hive.ID
  /// The new owner.
  package var member: Account.ID

  public init(_ hive: Hive.ID, to member: Account.ID) {
    thing = hive
    self.member = member
  }

  package static let form = CommandForm(
    "hand_over_hive", "Hands the hive over to another member.", answer: "hive")
  /// The defaults; no member is named yet.
  public static var defaults: HandOverHive { HandOverHive(.placeholder, to: .placeholder) }

  func events(_ found: Hive, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    guard found.member(member) != nil else { throw .hiveMemberNotFound }
    return found.owner == member
      ? [] : [.hiveHandedOver(HiveHandedOver(hive: thing, owner: member))]
  }
}

/// Deletes a hive; as-of queries still find it. Only its owner may.
public struct DeleteHive: BareEntityCommand {
  package var thing: Hive.ID

  public init(_ hive: Hive.ID) { thing = hive }

  package static let form = CommandForm("delete_hive", "Deletes a hive.", answer: "id, deleted")

  func events(_ found: Hive, _ state: BookState, _ context: Context) -> [Event] {
    [.hiveDeleted(HiveDeleted(hive: thing))]
  }
}
