public import Values
public import Avro

/// A client posted an activity in its person's own name (HH-24). All other activities in the feed are computed from
/// other events.
public struct ActivityPosted: EventRecord {
  /// The client's name for the activity.
  public var key: Key = Key(high: 0, low: 0)
  /// The account that posted it.
  public var account: Account.ID = .placeholder
  /// The hive in which it is shown, if any.
  public var hive: Hive.ID?
  /// The habit that it is about, if it is about one of the account's.
  public var habit: Habit.ID?
  /// The kind of activity.
  public var kind: Activity.Kind = .habitCompleted
  /// More data from the client, as the text of a JSON object; empty once the account was erased.
  public var data: String = ""

  public static var recordName: String { "ActivityPosted" }
  var verb: String { "posted" }
  var reasonNotToUndo: String? { "others may have seen the activity" }
  /// The subject of the event.
  package var subject: Subject { .new(.activity, key: key, owner: account) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("account", &account)
    try visitor.visit("hive", &hive)
    try visitor.visit("habit", &habit)
    try visitor.visit("type", &kind)
    try visitor.visit(
      "data", &data,
      [
        .doc("a JSON object without spaces, the members of each object by name"), .personal,
        .neverEmpty,
      ])
  }
}

extension Activity.Kind: AvroEnumeration {
  public static var enumerationName: String { "ActivityType" }
}
