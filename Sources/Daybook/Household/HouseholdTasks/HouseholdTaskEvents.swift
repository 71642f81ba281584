public import Values
public import Calendar
public import Avro

/// What is to be done in a household: all that a member writes of it (MC-3).
public struct HouseholdTaskContent: AvroRecord, Columns, Hashable {
  /// What is to be done; never empty.
  public var title: String = ""
  /// More about it.
  public var description: String?
  /// The day on which it is due.
  public var dueDate: Day?
  /// The time of that day, where the house is; without a day that of any.
  public var dueTime: LocalTime?
  /// How much it matters.
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

/// How much a household task matters; greater is more. New ones go to the end.
public enum HouseholdTaskPriority: String, AvroEnumeration, Comparable {
  /// It can wait.
  case low
  /// As most things.
  case medium
  /// Soon.
  case high
  /// Now.
  case urgent

  public static var enumerationName: String { "ChorePriority" }

  /// What matters less is less.
  public static func < (left: HouseholdTaskPriority, right: HouseholdTaskPriority) -> Bool {
    left.symbolNumber < right.symbolNumber
  }
}

/// A member wrote down what is to be done in the household (MC-3).
public struct HouseholdTaskCreated: EventRecord, BegunEvent {
  /// The client's name for the task.
  public var key: Key = Key(high: 0, low: 0)
  /// The household.
  public var household: Household.ID = .placeholder
  /// Who wrote it down.
  public var owner: Account.ID = .placeholder
  /// What is to be done.
  public var content: HouseholdTaskContent = .placeholder
  /// Who is to do it: a member.
  public var assignee: Account.ID?
  /// When it began by the clock of its app; nothing where it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "ChoreCreated" }
  /// Where it is to be done.
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

/// What is to be done was written otherwise; all of it as it is now.
public struct HouseholdTaskDescribed: EventRecord {
  /// The task.
  public var householdTask: HouseholdTask.ID = .placeholder
  /// What is to be done.
  public var content: HouseholdTaskContent = .placeholder

  public static var recordName: String { "ChoreDescribed" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("chore", &householdTask)
    try visitor.visit("content", &content)
  }
}

/// Somebody else is to do it from now on, or nobody in particular.
public struct HouseholdTaskAssigned: EventRecord {
  /// The task.
  public var householdTask: HouseholdTask.ID = .placeholder
  /// Who is to do it: a member.
  public var assignee: Account.ID?

  public static var recordName: String { "ChoreAssigned" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("chore", &householdTask)
    try visitor.visit("assignee", &assignee, [.doc("a member")])
  }
}

/// It is done; the actor says who did it.
public struct HouseholdTaskCompleted: EventRecord {
  /// The task.
  public var householdTask: HouseholdTask.ID = .placeholder
  /// When it was done, where an undo or an app says so; else when this was recorded.
  public var completed: Instant?
  /// Who did it, where it is said when; else who acts.
  public var completer: Account.ID?

  public static var recordName: String { "ChoreCompleted" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("chore", &householdTask)
    try visitor.visit(
      "completed", &completed, [.doc("when it was done, if not when this was recorded")])
    try visitor.visit("completer", &completer, [.doc("who did it, if not who acts")])
  }
}

/// It is to be done again.
public struct HouseholdTaskReopened: EventRecord {
  /// The task.
  public var householdTask: HouseholdTask.ID = .placeholder

  public static var recordName: String { "ChoreReopened" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("chore", &householdTask)
  }
}

/// It was taken off the household's list.
public struct HouseholdTaskDeleted: EventRecord {
  /// The task.
  public var householdTask: HouseholdTask.ID = .placeholder

  public static var recordName: String { "ChoreDeleted" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("chore", &householdTask)
  }
}

/// A deleted task is on the household's list again.
public struct HouseholdTaskRestored: EventRecord {
  /// The task.
  public var householdTask: HouseholdTask.ID = .placeholder

  public static var recordName: String { "ChoreRestored" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("chore", &householdTask)
  }
}
