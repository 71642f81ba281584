public import Values
public import Calendar
public import Avro

/// A person created a household, and is its first member (MC-1).
public struct HouseholdCreated: EventRecord {
  /// The client's name for the household.
  public var key: Key = Key(high: 0, low: 0)
  /// The account that created it.
  public var owner: Account.ID = .placeholder
  /// The name; never empty.
  public var name: String = ""

  public static var recordName: String { "HouseholdCreated" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner, [.doc("who began it, and is its first member")])
    try visitor.visit("name", &name, [.personal])
  }
}

/// A household got another name.
public struct HouseholdRenamed: EventRecord {
  /// The household.
  public var household: Household.ID = .placeholder
  /// The name; never empty.
  public var name: String = ""

  public static var recordName: String { "HouseholdRenamed" }
  var verb: String { "renamed" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("household", &household)
    try visitor.visit("name", &name, [.personal])
  }
}

/// A person joined a household (MC-1); the actor is the member who added them.
public struct HouseholdJoined: EventRecord {
  /// The household.
  public var household: Household.ID = .placeholder
  /// The new member.
  public var member: Account.ID = .placeholder
  /// Whether the member joined by the household's code, rather than being added by another.
  public var byCode = false

  public static var recordName: String { "HouseholdJoined" }
  var verb: String { "a member joined" }
  var reasonNotToUndo: String? {
    "the members were notified; leave the household, or remove the new member"
  }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("household", &household)
    try visitor.visit("member", &member)
    try visitor.visit(
      "by_code", &byCode,
      [.doc("who joined came by the code, by themselves"), .ifAbsent(false)])
  }
}

/// A person left a household, or was removed by another member, who is the actor then. Their open tasks became
/// unassigned in the same commit.
public struct HouseholdLeft: EventRecord {
  /// The household.
  public var household: Household.ID = .placeholder
  /// The former member.
  public var member: Account.ID = .placeholder

  public static var recordName: String { "HouseholdLeft" }
  var verb: String { "a member left" }
  var reasonNotToUndo: String? { "the members were notified; ask them to add you again" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("household", &household)
    try visitor.visit("member", &member)
  }
}

/// A household was deleted with everything that belongs to it, or its last member left.
public struct HouseholdDeleted: EventRecord {
  /// The household.
  public var household: Household.ID = .placeholder

  public static var recordName: String { "HouseholdDeleted" }
}

/// A deleted household was restored with everything that belongs to it.
public struct HouseholdRestored: EventRecord {
  /// The household.
  public var household: Household.ID = .placeholder

  public static var recordName: String { "HouseholdRestored" }
}

/// A household got another join code, or has none any more.
public struct HouseholdCodeChanged: EventRecord {
  /// The household.
  public var household: Household.ID = .placeholder
  /// The code: twelve hexadecimal digits in lower case; nothing when there is none.
  public var code: String?
  /// When it expires.
  public var expires: Instant?

  public static var recordName: String { "HouseholdCodeChanged" }
  var verb: String { code == nil ? "code revoked" : "code created" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("household", &household)
    try visitor.visit("code", &code, [.credential])
    try visitor.visit("expires", &expires)
  }
}
