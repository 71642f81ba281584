public import Values
public import Calendar
public import Streaks

/// Something that a person wants to do again and again (HH-7).
public struct Habit: Entity, Hashable {
  /// The number of a habit in its book.
  public typealias ID = EntityNumber<Habit>
  /// "habit-number".
  @inlinable
  public static var entityName: StaticString { "habit-number" }

  /// The client's name for the habit.
  public internal(set) var key: Key
  /// The owner.
  public internal(set) var owner: Account.ID
  /// The goal that it serves.
  public internal(set) var goal: Goal.ID?
  /// The name and look.
  public internal(set) var description: HabitDescription
  /// Whether it is checked or counted.
  public internal(set) var type: HabitType
  /// When the owner is reminded.
  public internal(set) var reminders: [LocalTime]
  /// The versions of the habit's rules: each holds from its `since` until the next one's.
  public internal(set) var versions: [HabitHistory.Version]
  /// The days on which it was archived; the last span is open while it is.
  public internal(set) var archived: [DaySpan] = []
  /// The name.
  public var name: String { description.name }
  /// The name that people see.
  public var displayName: String { name }
  /// The owner.
  public var ownedBy: Account.ID? { owner }
  /// Whether it was deleted.
  public internal(set) var isDeleted = false
  /// The user-local day of creation.
  public internal(set) var createdOn: Day
  /// When it was created.
  public internal(set) var created: Instant
  /// When it last changed; its logs do not count as changes.
  public internal(set) var updated: Instant
  /// The records of its days.
  public internal(set) var days = DayTable()

  /// Whether it is archived now.
  public var isArchived: Bool { archived.last.map { $0.last == nil } ?? false }

  /// The current version of the rules.
  public var version: HabitHistory.Version { versions[versions.count - 1] }

  /// The version of the rules that holds on a day.
  public func version(on day: Day) -> HabitHistory.Version {
    Self.version(of: versions, on: day)
  }

  /// The version that holds on a day, among a habit's versions, of which there is always at least one.
  static func version(of versions: [HabitHistory.Version], on day: Day) -> HabitHistory.Version {
    versions.last { $0.since <= day } ?? versions[0]
  }

  /// Changes the rules from a day on; versions that would begin later are replaced.
  mutating func change(from day: Day, _ change: (inout HabitHistory.Version) -> Void) {
    var next = version
    next.since = day
    change(&next)
    var first = versions[0]
    first.since = min(first.since, day.advanced(by: -1))
    versions.removeAll { $0.since >= day }
    // The first version still holds for the days before creation, which were lived under it.
    if versions.isEmpty { versions.append(first) }
    versions.append(next)
  }
}

extension Habit: PersonalEntity {
  static var kind: EntityKind { .habit }
  static var table: WritableKeyPath<BookState, Table<Habit>> { \.habits }
  static var column: StaticString { "habit" }
  static var countField: StaticString { "habits" }
  static var notFound: Rejection { .habitNotFound }
  var isWhole: Bool { !versions.isEmpty }

  mutating func erase(at instant: Instant) {
    description.name = ""
    description.emoji = ""
    description.question = ""
    description.unit = ""
    days.dropNotes()
    isDeleted = true
    updated = instant
  }

  static func creation(of lost: LostEntity) -> Event {
    .habitCreated(
      HabitCreated(of: lost) { habit in
        (habit.description.name, habit.description.color) = (lost.name, HabitDescription.usualColor)
        (habit.target, habit.day) = (Target(.one), Day(utc: lost.at))
      })
  }
}

extension HabitCreated: OwnedCreationEvent {
  func created(_ head: EntryHead) -> Habit {
    Habit(
      key: key, owner: owner, goal: goal, description: description,
      type: type, reminders: reminders,
      versions: [.init(since: day, schedule: schedule, target: target)],
      createdOn: day, created: begun(head), updated: head.at)
  }
}

extension HabitDescribed: EditEvent, SetEvent {
  var changed: Habit.ID { habit }
  func edit(_ habit: inout Habit) { habit.description = description }
  init(_ id: Habit.ID, as habit: Habit) { self.init(habit: id, description: habit.description) }
}

extension HabitScheduleChanged: EditEvent {
  var changed: Habit.ID { habit }
  func edit(_ habit: inout Habit) { habit.change(from: day) { $0.schedule = schedule } }
}

extension HabitTargetChanged: EditEvent {
  var changed: Habit.ID { habit }
  func edit(_ habit: inout Habit) {
    habit.type = type
    habit.change(from: day) { $0.target = target }
  }
}

extension HabitRemindersChanged: EditEvent, SetEvent {
  var changed: Habit.ID { habit }
  func edit(_ habit: inout Habit) { habit.reminders = reminders }
  init(_ id: Habit.ID, as habit: Habit) { self.init(habit: id, reminders: habit.reminders) }
}

extension HabitArchived: ChangeEvent {
  var changed: Habit.ID { habit }
  func change(_ habit: inout Habit, _ head: EntryHead) {
    guard !habit.isArchived else { return }
    habit.archived.append(DaySpan(first: day, last: nil))
    habit.updated = head.at
  }
}

extension HabitRestored: ChangeEvent {
  var changed: Habit.ID { habit }
  func change(_ habit: inout Habit, _ head: EntryHead) {
    guard habit.isArchived else { return }
    let last = habit.archived.count - 1
    habit.archived[last].last = day.advanced(by: -1)
    if day <= habit.archived[last].first { habit.archived.removeLast() }
    habit.updated = head.at
  }
}

extension HabitDeleted: DeletionEvent {
  static var number: Number { \.habit }
  var changed: Habit.ID { habit }
}

extension HabitUndeleted: RestorationEvent {
  static var number: Number { \.habit }
  var changed: Habit.ID { habit }
}

extension HabitVersionsReverted: ChangeEvent {
  var changed: Habit.ID { habit }
  func change(_ habit: inout Habit, _ head: EntryHead) {
    // A habit always has a version, whatever a forged entry says.
    guard !versions.isEmpty else { return }
    habit.type = type
    habit.versions = versions
    habit.updated = head.at
  }
}

extension HabitLogged: ChangeEvent {
  static var mayMoveInIndexes: Bool { false }
  var changed: Habit.ID { habit }
  func change(_ habit: inout Habit, _ head: EntryHead) { habit.days.apply(self, head) }
}

extension HabitLogCleared: ChangeEvent {
  static var mayMoveInIndexes: Bool { false }
  var changed: Habit.ID { habit }
  func change(_ habit: inout Habit, _ head: EntryHead) { habit.days.apply(self) }
}

extension HabitDayReverted: ChangeEvent {
  static var mayMoveInIndexes: Bool { false }
  var changed: Habit.ID { habit }
  func change(_ habit: inout Habit, _ head: EntryHead) { habit.days.apply(self) }
}

extension HabitDaySkipped: ChangeEvent {
  static var mayMoveInIndexes: Bool { false }
  var changed: Habit.ID { habit }
  func change(_ habit: inout Habit, _ head: EntryHead) { habit.days.apply(self, at: head.at) }
}

extension BookState {
  /// Records a log; see ``Projection/apply(_:_:)``.
  public mutating func apply(_ event: HabitLogged, _ head: EntryHead) {
    position = head.position
    at = head.at
    guard let index = habits.place(of: event.habit) else { return }
    habits.elements[index].days.apply(event, head)
  }
}

extension BookState {
  /// Everything about a habit that a streak rule needs.
  ///
  /// - Parameters:
  ///   - habit: The habit.
  ///   - today: The owner's user-local today.
  /// - Returns: The history, as known in this state.
  public func history(of habit: Habit, today: Day) -> HabitHistory {
    let owner = accounts[habit.owner]
    var history = HabitHistory(created: .first, versions: [], today: today)
    history.become(
      habit, owner?.freeDays ?? .init(), today: today, openFrom: owner?.closedBefore)
    return history
  }
}
