public import Avro

/// What is to be done in a household: all that a member writes of it (MC-3).
public struct ChoreContent: AvroRecord, Columns, Hashable {
  /// What is to be done; never empty.
  public var title: String = ""
  /// More about it.
  public var description: String?
  /// The day on which it is due.
  public var dueDate: Day?
  /// The time of that day, where the house is; none without a day.
  public var dueTime: LocalTime?
  /// How much it matters.
  public var priority: ChorePriority = .medium

  /// Makes the content.
  public init(
    title: String, description: String? = nil, dueDate: Day? = nil, dueTime: LocalTime? = nil,
    priority: ChorePriority = .medium
  ) {
    self.title = title
    self.description = description
    self.dueDate = dueDate
    self.dueTime = dueTime
    self.priority = priority
  }

  /// "ChoreContent".
  public static var recordName: String { "ChoreContent" }
  /// About to be read.
  public static var blank: ChoreContent { ChoreContent(title: "") }

  /// The fields in their order.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("title", &title, [.personal, .needed])
    try visitor.visit("description", &description, [.personal])
    try visitor.visit("due_date", &dueDate)
    try visitor.visit("due_time", &dueTime)
    try visitor.visit("priority", &priority)
  }
}

/// How much a household task matters; greater is more. New ones go to the end.
public enum ChorePriority: String, AvroEnumeration, Comparable {
  /// It can wait.
  case low
  /// As most things.
  case medium
  /// Soon.
  case high
  /// Now.
  case urgent

  /// "ChorePriority".
  public static var enumerationName: String { "ChorePriority" }

  /// What matters less is less.
  public static func < (left: ChorePriority, right: ChorePriority) -> Bool {
    left.symbolNumber < right.symbolNumber
  }
}

/// A member wrote down what is to be done in the household (MC-3).
public struct ChoreCreated: EventRecord {
  /// The client's name for the task.
  public var key: Key = Key(high: 0, low: 0)
  /// The household.
  public var household: Household.ID = .blank
  /// Who wrote it down.
  public var owner: Account.ID = .blank
  /// What is to be done.
  public var content: ChoreContent = .blank
  /// Who is to do it: a member.
  public var assignee: Account.ID?

  /// "ChoreCreated".
  public static var recordName: String { "ChoreCreated" }
  /// What it changes.
  public var subject: Subject { .new(.chore, key: key, owner: owner) }
  /// Where it is to be done.
  public var home: Household.ID? { household }
  /// About to be read.
  public static var blank: ChoreCreated { ChoreCreated() }

  /// The fields in their order.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("household", &household)
    try visitor.visit("owner", &owner, [.doc("who wrote it down")])
    try visitor.visit("content", &content)
    try visitor.visit("assignee", &assignee, [.doc("a member")])
  }
}

/// What is to be done was written otherwise; all of it as it is now.
public struct ChoreDescribed: EventRecord {
  /// The task.
  public var chore: Chore.ID = .blank
  /// What is to be done.
  public var content: ChoreContent = .blank

  /// "ChoreDescribed".
  public static var recordName: String { "ChoreDescribed" }
  /// What it changes.
  public var subject: Subject { .chore(chore) }
  /// About to be read.
  public static var blank: ChoreDescribed { ChoreDescribed() }

  /// The fields in their order.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("chore", &chore)
    try visitor.visit("content", &content)
  }
}

/// Somebody else is to do it from now on, or nobody in particular.
public struct ChoreAssigned: EventRecord {
  /// The task.
  public var chore: Chore.ID = .blank
  /// Who is to do it: a member.
  public var assignee: Account.ID?

  /// "ChoreAssigned".
  public static var recordName: String { "ChoreAssigned" }
  /// What it changes.
  public var subject: Subject { .chore(chore) }
  /// About to be read.
  public static var blank: ChoreAssigned { ChoreAssigned() }

  /// The fields in their order.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("chore", &chore)
    try visitor.visit("assignee", &assignee, [.doc("a member")])
  }
}

/// It is done; the actor says who did it.
public struct ChoreCompleted: EventRecord {
  /// The task.
  public var chore: Chore.ID = .blank

  /// "ChoreCompleted".
  public static var recordName: String { "ChoreCompleted" }
  /// What it changes.
  public var subject: Subject { .chore(chore) }
  /// About to be read.
  public static var blank: ChoreCompleted { ChoreCompleted() }

  /// The fields in their order.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("chore", &chore)
  }
}

/// It is to be done again.
public struct ChoreReopened: EventRecord {
  /// The task.
  public var chore: Chore.ID = .blank

  /// "ChoreReopened".
  public static var recordName: String { "ChoreReopened" }
  /// What it changes.
  public var subject: Subject { .chore(chore) }
  /// About to be read.
  public static var blank: ChoreReopened { ChoreReopened() }

  /// The fields in their order.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("chore", &chore)
  }
}

/// It was taken off the household's list.
public struct ChoreDeleted: EventRecord {
  /// The task.
  public var chore: Chore.ID = .blank

  /// "ChoreDeleted".
  public static var recordName: String { "ChoreDeleted" }
  /// What it changes.
  public var subject: Subject { .chore(chore) }
  /// About to be read.
  public static var blank: ChoreDeleted { ChoreDeleted() }

  /// The fields in their order.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("chore", &chore)
  }
}
