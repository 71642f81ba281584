public import Streaks
public import Values
public import Calendar
public import Avro

/// A person created a hive (HH-15); the same commit records that they joined it.
public struct HiveCreated: EventRecord {
  /// The client's name for the hive.
  public var key: Key = Key(high: 0, low: 0)
  /// The owner.
  public var owner: Account.ID = .placeholder
  /// The name and look.
  public var description: HiveDescription = .placeholder
  /// Whether it is checked or counted.
  public var type: HabitType = .checkbox
  /// The value that a member must reach on a day.
  public var target: Amount = .one
  /// The weekdays on which it is due, 1…127.
  public var weekmask: Int32 = 127
  /// The rule by which a day advances.
  public var rule: HiveRule = .allMustComplete
  /// The number of members who must be done under the threshold rule; 0 under the other.
  public var threshold: Int32 = 0
  /// The habit that it was made from.
  public var source: Habit.ID?
  /// The owner's user-local day of creation.
  public var day: Day = .placeholder

  public static var recordName: String { "HiveCreated" }
  var rowScope: RowScope { .everything }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("description", &description)
    try visitor.visit("type", &type)
    try visitor.visit("target", &target)
    try visitor.visit("weekmask", &weekmask, [.doc("bit 0 = Monday … bit 6 = Sunday")])
    try visitor.visit("rule", &rule)
    try visitor.visit("threshold", &threshold, [.doc("members that must be done; 0: all")])
    try visitor.visit("source", &source, [.doc("the habit that it was made from")])
    try visitor.visit("day", &day)
  }
}

/// A hive's name and look; no rule depends on them.
public struct HiveDescription: AvroRecord, Columns, Hashable {
  /// The name; never empty.
  public var name: String = ""
  /// A picture for it, or empty.
  public var emoji: String = ""
  /// Its colour, `#RRGGBB`.
  public var color: String = ""

  public static var recordName: String { "HiveDescription" }
  public static var placeholder: HiveDescription { HiveDescription() }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("name", &name, [.personal, .needed, .bounds(["minLength": 1])])
    try visitor.visit("emoji", &emoji, [.personal, .mayBeEmpty])
    try visitor.visit("color", &color, [.column("color_hex"), .bounds(ColorText.pattern)])
  }
}

/// The rule by which a hive's day advances (HH-21).
public enum HiveRule: String, AvroEnumeration {
  /// Every required member must be done.
  case allMustComplete = "all_must_complete"
  /// A number of them must be done.
  case threshold

  public static var enumerationName: String { "HiveRule" }
}

/// A hive's name or look changed; the event holds all of it as it is now.
public struct HiveDescribed: EventRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder
  /// The name and look as they are now.
  public var description: HiveDescription = .placeholder

  public static var recordName: String { "HiveDescribed" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("hive", &hive)
    try visitor.visit("description", &description)
  }
}

/// A hive was handed over to another member (HH-18).
public struct HiveHandedOver: EventRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder
  /// The new owner.
  public var owner: Account.ID = .placeholder

  public static var recordName: String { "HiveHandedOver" }
  var verb: String { "handed over" }
  var reasonNotToUndo: String? { "another member leads the hive now; ask them to hand it back" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("hive", &hive)
    try visitor.visit("owner", &owner)
  }
}

/// A hive was deleted; as-of queries still find it.
public struct HiveDeleted: EventRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder

  public static var recordName: String { "HiveDeleted" }
  var rowScope: RowScope { .everything }
}

/// A deleted hive was restored.
public struct HiveRestored: EventRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder

  public static var recordName: String { "HiveRestored" }
  var rowScope: RowScope { .everything }
}
