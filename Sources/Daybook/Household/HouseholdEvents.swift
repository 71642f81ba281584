public import Values
public import Calendar
public import Avro

/// Somebody began a household, and is its first member (MC-1).
public struct HouseholdCreated: EventRecord {
  /// The client's name for the household.
  public var key: Key = Key(high: 0, low: 0)
  /// Who began it.
  public var owner: Account.ID = .placeholder
  /// What it is called; never empty.
  public var name: String = ""

  public static var recordName: String { "HouseholdCreated" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner, [.doc("who began it, and is its first member")])
    try visitor.visit("name", &name, [.personal])
  }
}

/// A household is called otherwise from now on.
public struct HouseholdRenamed: EventRecord {
  /// The household.
  public var household: Household.ID = .placeholder
  /// What it is called; never empty.
  public var name: String = ""

  public static var recordName: String { "HouseholdRenamed" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("household", &household)
    try visitor.visit("name", &name, [.personal])
  }
}

/// A member brought somebody into the household (MC-1); the actor says who did.
public struct HouseholdJoined: EventRecord {
  /// The household.
  public var household: Household.ID = .placeholder
  /// Who is a member from now on.
  public var member: Account.ID = .placeholder
  /// Whether the member came by the household's code, and was not brought in by another.
  public var byCode = false

  public static var recordName: String { "HouseholdJoined" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("household", &household)
    try visitor.visit("member", &member)
    try visitor.visit(
      "by_code", &byCode,
      [.doc("who joined came by the code, by themselves"), .ifAbsent(false)])
  }
}

/// Somebody left a household, or was removed by another member, who then is the actor. What was assigned to them
/// and open was taken off them in the same commit.
public struct HouseholdLeft: EventRecord {
  /// The household.
  public var household: Household.ID = .placeholder
  /// Who is a member no more.
  public var member: Account.ID = .placeholder

  public static var recordName: String { "HouseholdLeft" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("household", &household)
    try visitor.visit("member", &member)
  }
}

/// A household was deleted with all that belongs to it, or its last member left it.
public struct HouseholdDeleted: EventRecord {
  /// The household.
  public var household: Household.ID = .placeholder

  public static var recordName: String { "HouseholdDeleted" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("household", &household)
  }
}

/// A deleted household is there again, with all that belongs to it.
public struct HouseholdRestored: EventRecord {
  /// The household.
  public var household: Household.ID = .placeholder

  public static var recordName: String { "HouseholdRestored" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("household", &household)
  }
}

/// A household shows another code by which people join, or none any more.
public struct HouseholdCodeChanged: EventRecord {
  /// The household.
  public var household: Household.ID = .placeholder
  /// The code: twelve hexadecimal digits in lower case; nothing when there is none.
  public var code: String?
  /// Until when it is good.
  public var expires: Instant?

  public static var recordName: String { "HouseholdCodeChanged" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("household", &household)
    try visitor.visit("code", &code, [.credential])
    try visitor.visit("expires", &expires)
  }
}
