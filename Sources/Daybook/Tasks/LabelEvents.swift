public import Values
public import Avro

/// A person created a label for tasks (DM-4).
public struct LabelCreated: TaskRecord, BackdatableEvent {
  /// The client's name for the label.
  public var key: Key = Key(high: 0, low: 0)
  /// The owner.
  public var owner: Account.ID = .placeholder
  /// The name; never empty.
  public var name: String = ""
  /// Its colour: `#FF9F1C`.
  public var color: String = ""
  /// Whether it belongs to the same command as the entry before.
  package var continues = false
  /// When it began by the clock of its app; nothing when it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "LabelCreated" }
  /// The subject of the event.
  package var subject: Subject { .new(.label, key: key, owner: owner) }
  public var event: Event { .labelCreated(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("name", &name, [.personal])
    try visitor.visit("color", &color)
    try visitor.visit("continues", &continues)
    try visitor.visit("begun", &begun, [.begun])
  }
}

/// A label's name or colour changed; the event holds both as they are now.
public struct LabelDescribed: TaskRecord {
  /// The label.
  public var label: TaskLabel.ID = .placeholder
  /// The name; never empty.
  public var name: String = ""
  /// Its colour: `#FF9F1C`.
  public var color: String = ""
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "LabelDescribed" }
  public var event: Event { .labelDescribed(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("label", &label)
    try visitor.visit("name", &name, [.personal])
    try visitor.visit("color", &color)
    try visitor.visit("continues", &continues)
  }
}

/// A label was deleted; the tasks that had it lost it before. For a label that is deleted already: whether it is purged
/// now.
public struct LabelDeleted: TaskRecord {
  /// The label.
  public var label: TaskLabel.ID = .placeholder
  /// Whether its row is gone for good, rather than only marked as deleted.
  public var purged = false
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "LabelDeleted" }
  static var deletedKind: EntityKind? { .label }
  public var event: Event { .labelDeleted(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("label", &label)
    try visitor.visit("continues", &continues)
    try visitor.visit("purged", &purged, [.ifAbsent(false)])
  }
}

/// A deleted label was restored as it was.
public struct LabelRestored: TaskRecord {
  /// The label.
  public var label: TaskLabel.ID = .placeholder
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "LabelRestored" }
  static var deletedKind: EntityKind? { .label }
  public var event: Event { .labelRestored(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("label", &label)
    try visitor.visit("continues", &continues)
  }
}
