public import Avro

// Events by which an account undoes commands and orders its habits.

/// An account's pauses are restored to earlier ones.
public struct PausesReverted: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// All pauses.
  public var pauses: [Account.Pause] = []

  public static var recordName: String { "PausesReverted" }
  var rowScope: RowScope { .tables(["pauses"]) }
  var dayEffect: DayEffect { .pauses(pauses.map(\.days)) }
  var verb: String { "restored the pauses" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("pauses", &pauses)
  }
}

/// An account's habits got another order.
public struct HabitsOrdered: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The habits in their order; habits that are not named come last, in the order of their creation.
  public var habits: [Habit.ID] = []

  public static var recordName: String { "HabitsOrdered" }
  var rowScope: RowScope { .profile }
  var verb: String { "reordered the habits" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("habits", &habits)
  }
}

/// The entries that follow undo a command; an undo of a single entry has no such event.
public struct CommandUndone: EventRecord {
  /// The account that undid the command.
  public var account: Account.ID = .placeholder
  /// The position of one of the command's entries.
  public var position: Int64 = 0
  /// The number of following entries that belong to the undo.
  public var count: Int32 = 0

  public static var recordName: String { "CommandUndone" }
  var verb: String { "undid entry \(position)" }
  /// It only announces the entries that follow.
  var rowScope: RowScope { .tables([]) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("position", &position)
    try visitor.visit("count", &count)
  }
}
