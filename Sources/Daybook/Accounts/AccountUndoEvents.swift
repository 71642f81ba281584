public import Avro

// What an account takes back, and the order in which it sees its habits.

/// An account's pauses are again what they were.
public struct PausesReverted: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// All pauses.
  public var pauses: [Account.Pause] = []

  public static var recordName: String { "PausesReverted" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("pauses", &pauses)
  }
}

/// An account's habits are shown in another order.
public struct HabitsOrdered: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The habits in their order; those that are not named come after them, as they were created.
  public var habits: [Habit.ID] = []

  public static var recordName: String { "HabitsOrdered" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("habits", &habits)
  }
}

/// A command was taken back by the entries that follow, when one does not do.
public struct CommandUndone: EventRecord {
  /// Who took it back.
  public var account: Account.ID = .placeholder
  /// The position of an entry of the command.
  public var position: Int64 = 0
  /// How many entries follow that are of the undo.
  public var count: Int32 = 0

  public static var recordName: String { "CommandUndone" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("position", &position)
    try visitor.visit("count", &count)
  }
}
