public import Calendar
public import Avro

/// A person joined a hive (HH-17, HH-18).
public struct HiveJoined: EventRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder
  /// The new member.
  public var member: Account.ID = .placeholder
  /// Their user-local day of joining.
  public var day: Day = .placeholder
  /// The first day on which they are required: the day of joining, or later if that was closed (R3).
  public var requiredFrom: Day = .placeholder
  /// The invite that was used: the hive's n-th, from 1. None for the first member, and for members who were added.
  public var invite: Int32?

  public static var recordName: String { "HiveJoined" }
  var rowScope: RowScope { .everything }
  var verb: String { "joined" }
  var reasonNotToUndo: String? { "the members were notified; leave the hive instead" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("hive", &hive)
    try visitor.visit("member", &member)
    try visitor.visit("day", &day)
    try visitor.visit("required_from", &requiredFrom)
    try visitor.visit("invite", &invite, [.doc("the hive's n-th invite, from 1")])
  }
}

/// A member left a hive, or was removed by its owner, who is the actor then (HH-18).
public struct HiveLeft: EventRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder
  /// The former member.
  public var member: Account.ID = .placeholder
  /// The last day that was closed by then: they are not required on later days (R3).
  public var requiredThrough: Day = .placeholder

  public static var recordName: String { "HiveLeft" }
  var rowScope: RowScope { .everything }
  var verb: String { "left" }
  var reasonNotToUndo: String? { "the members were notified; join the hive again" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("hive", &hive)
    try visitor.visit("member", &member)
    try visitor.visit("required_through", &requiredThrough)
  }
}

/// A member linked one of their habits to a hive, so that logging the habit logs the hive's day; or removed the link.
public struct HiveHabitLinked: EventRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder
  /// The member.
  public var member: Account.ID = .placeholder
  /// The linked habit, if there is one.
  public var habit: Habit.ID?

  public static var recordName: String { "HiveHabitLinked" }
  var verb: String { habit == nil ? "unlinked from its habit" : "linked to a habit" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("hive", &hive)
    try visitor.visit("member", &member)
    try visitor.visit("habit", &habit)
  }
}

/// The owner made an invite (HH-17). It is the hive's next one: invites are counted from 1.
public struct HiveInviteCreated: EventRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder
  /// Twelve hexadecimal digits from a secure source.
  public var code: String = ""
  /// The last instant at which it is valid.
  public var expires: Instant = .placeholder
  /// The maximum number of uses.
  public var maximumUseCount: Int32 = 0

  public static var recordName: String { "HiveInviteCreated" }
  var verb: String { "invite created" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("hive", &hive)
    try visitor.visit("code", &code, [.credential])
    try visitor.visit("expires", &expires)
    try visitor.visit("most_uses", &maximumUseCount)
  }
}

/// The owner revoked an invite: nobody can join by it any more.
public struct HiveInviteRevoked: EventRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder
  /// The number of the hive's invite, from 1.
  public var invite: Int32 = 0

  public static var recordName: String { "HiveInviteRevoked" }
  var verb: String { "invite revoked" }
  var reasonNotToUndo: String? { "a revoked code stays revoked; create another invite" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("hive", &hive)
    try visitor.visit("invite", &invite, [.doc("the hive's n-th invite, from 1")])
  }
}
