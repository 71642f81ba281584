public import Values
public import Calendar

/// A task of a household (MC-3), as opposed to a person's own tasks. On disk its events and records are named after
/// chores.
public struct HouseholdTask: Entity, Hashable {
  /// The number of a household task in its book.
  public typealias ID = EntityNumber<HouseholdTask>
  /// "chore-number".
  @inlinable
  public static var entityName: StaticString { "chore-number" }

  /// The client's name for it.
  public internal(set) var key: Key
  /// The household.
  public internal(set) var household: Household.ID
  /// The account that created it.
  public internal(set) var creator: Account.ID
  /// The content.
  public internal(set) var content: HouseholdTaskContent
  /// The assignee; a current member while the task is open.
  public internal(set) var assignee: Account.ID?
  /// When it was done; nothing while it is open.
  public internal(set) var completed: Instant?
  /// The member who did it.
  public internal(set) var completer: Account.ID?
  /// When it was created.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant
  /// Whether it was deleted.
  public internal(set) var isDeleted = false

  /// Whether it is done.
  public var isComplete: Bool { completed != nil }
  /// The name that people see.
  public var displayName: String { content.title }
  /// The account that created it; the task belongs to the household.
  public var ownedBy: Account.ID? { creator }
  /// The household, whose members see and change it.
  public var home: Household.ID? { household }
}

extension HouseholdTask: HouseholdEntity {
  static var kind: EntityKind { .householdTask }
  static var table: WritableKeyPath<BookState, Table<HouseholdTask>> { \.householdTasks }
  static var column: StaticString { "task" }
  static var field: StaticString { "chore" }
  static var countField: StaticString { "chores" }
  static var plural: String { "household tasks" }
  static var notFound: Rejection { .householdTaskNotFound }

  mutating func erase(at instant: Instant) { content = content.erased }

  static func creation(of lost: LostEntity) -> Event {
    .householdTaskCreated(
      HouseholdTaskCreated(of: lost) {
        ($0.household, $0.content.title) = (lost.household, lost.name)
      })
  }
}

extension HouseholdTaskCreated: OwnedCreationEvent {
  func created(_ head: EntryHead) -> HouseholdTask {
    HouseholdTask(
      key: key, household: household, creator: owner, content: content,
      assignee: assignee, created: begun(head), updated: head.at)
  }
}

extension HouseholdTaskDescribed: EditEvent, SetEvent {
  var changed: HouseholdTask.ID { householdTask }
  func edit(_ householdTask: inout HouseholdTask) { householdTask.content = content }
  init(_ id: HouseholdTask.ID, as householdTask: HouseholdTask) {
    self.init(householdTask: id, content: householdTask.content)
  }
}

extension HouseholdTaskAssigned: EditEvent, SetEvent {
  var changed: HouseholdTask.ID { householdTask }
  func edit(_ householdTask: inout HouseholdTask) { householdTask.assignee = assignee }
  init(_ id: HouseholdTask.ID, as householdTask: HouseholdTask) {
    self.init(householdTask: id, assignee: householdTask.assignee)
  }
}

extension HouseholdTaskCompleted: ChangeEvent {
  var changed: HouseholdTask.ID { householdTask }
  func change(_ householdTask: inout HouseholdTask, _ head: EntryHead) {
    householdTask.completed = completed ?? head.at
    householdTask.completer = completed == nil ? head.actor : completer
    householdTask.updated = head.at
  }
}

extension HouseholdTaskReopened: EditEvent, BareEvent {
  static var number: Number { \.householdTask }
  var changed: HouseholdTask.ID { householdTask }
  func edit(_ householdTask: inout HouseholdTask) {
    householdTask.completed = nil
    householdTask.completer = nil
  }
}

extension HouseholdTaskRestored: RestorationEvent {
  static var number: Number { \.householdTask }
  var changed: HouseholdTask.ID { householdTask }
}

extension HouseholdTaskDeleted: DeletionEvent {
  static var number: Number { \.householdTask }
  var changed: HouseholdTask.ID { householdTask }
}
