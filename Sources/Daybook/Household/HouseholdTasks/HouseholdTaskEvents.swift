public import Values
public import Calendar
public import Avro

/// The content of a household task, as a member writes it (MC-3).
public struct HouseholdTaskContent: AvroRecord, Columns, Hashable {
  /// The title; never empty.
  public var title: String = ""
  /// More about it.
  public var description: String?
  /// The day on which it is due.
  public var dueDate: Day?
  /// The time of that day, in the house's time zone; without a due day, of any day.
  public var dueTime: LocalTime?
  /// The priority.
  public var priority: HouseholdTaskPriority = .medium

  public init(
    title: String, description: String? = nil, dueDate: Day? = nil, dueTime: LocalTime? = nil,
    priority: HouseholdTaskPriority = .medium
  ) {
    self.title = title
    self.description = description
    self.dueDate = dueDate
    self.dueTime = dueTime
    self.priority = priority
  }

  public static var recordName: String { "ChoreContent" }
  public static var placeholder: HouseholdTaskContent { HouseholdTaskContent(title: "") }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("title", &title, [.personal, .needed])
    try visitor.visit("description", &description, [.personal])
    try visitor.visit("due_date", &dueDate)
    try visitor.visit("due_time", &dueTime)
    try visitor.visit("priority", &priority)
  }
}

/// The priority of a household task; greater is more important. New cases are added at the end.
public enum HouseholdTaskPriority: String, AvroEnumeration, Comparable {
  /// It can wait.
  case low
  /// The usual priority.
  case medium
  /// It should be done soon.
  case high
  /// It must be done now.
  case urgent

  public static var enumerationName: String { "ChorePriority" }

  /// Compares priorities: the less important one is less.
  public static func < (left: HouseholdTaskPriority, right: HouseholdTaskPriority) -> Bool {
    left.symbolNumber < right.symbolNumber
  }
}

/// A member created a household task (MC-3).
public struct HouseholdTaskCreated: EventRecord, BackdatableEvent {
  /// The client's name for the task.
  public var key: Key = Key(high: 0, low: 0)
  /// The household.
  public var household: Household.ID = .placeholder
  /// The account that created it.
  public var owner: Account.ID = .placeholder
  /// The content.
  public var content: HouseholdTaskContent = .placeholder
  /// The assignee: a member.
  public var assignee: Account.ID?
  /// When it began by the clock of its app; nothing when it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "ChoreCreated" }
  /// The household of the task.
  public var home: Household.ID? { household }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("household", &household)
    try visitor.visit("owner", &owner, [.doc("who wrote it down")])
    try visitor.visit("content", &content)
    try visitor.visit("assignee", &assignee, [.doc("a member")])
    try visitor.visit("begun", &begun, [.begun])
  }
}

/// A household task's content changed; the event holds all of it as it is now.
public struct HouseholdTaskDescribed: EventRecord {
  /// The task.
  public var householdTask: HouseholdTask.ID = .placeholder
  /// The content.
  public var content: HouseholdTaskContent = .placeholder

  public static var recordName: String { "ChoreDescribed" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("chore", &householdTask)
    try visitor.visit("content", &content)
  }
}

/// A household task was assigned to another member, or to nobody in particular.
public struct HouseholdTaskAssigned: EventRecord {
  /// The task.
  public var householdTask: HouseholdTask.ID = .placeholder
  /// The assignee: a member.
  public var assignee: Account.ID?

  public static var recordName: String { "ChoreAssigned" }
  var verb: String { assignee == nil ? "assigned to nobody" : "assigned" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("chore", &householdTask)
    try visitor.visit("assignee", &assignee, [.doc("a member")])
  }
}

/// A household task was done, by the actor.
public struct HouseholdTaskCompleted: EventRecord {
  /// The task.
  public var householdTask: HouseholdTask.ID = .placeholder
  /// When it was done, if an undo or an app says so; else when this was recorded.
  public var completed: Instant?
  /// The member who did it, if the time is given; else the actor.
  public var completer: Account.ID?

  public static var recordName: String { "ChoreCompleted" }
  var verb: String { "done" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("chore", &householdTask)
    try visitor.visit(
      "completed", &completed, [.doc("when it was done, if not when this was recorded")])
    try visitor.visit("completer", &completer, [.doc("who did it, if not who acts")])
  }
}

/// A household task was reopened.
public struct HouseholdTaskReopened: EventRecord {
  /// The task.
  public var householdTask: HouseholdTask.ID = .placeholder

  public static var recordName: String { "ChoreReopened" }
  var verb: String { "open again" }
}

/// A household task was deleted.
public struct HouseholdTaskDeleted: EventRecord {
  /// The task.
  public var householdTask: HouseholdTask.ID = .placeholder

  public static var recordName: String { "ChoreDeleted" }
}

/// A deleted household task was restored.
public struct HouseholdTaskRestored: EventRecord {
  /// The task.
  public var householdTask: HouseholdTask.ID = .placeholder

  public static var recordName: String { "ChoreRestored" }
}
