import Values
public import Avro

extension Household: AvroRecord {
  public static var recordName: String { "Household" }
  public static var placeholder: Household {
    Household(
      key: Key(high: 0, low: 0), creator: .placeholder, name: "", created: .placeholder,
      updated: .placeholder, members: [])
  }

  /// The fields of the household.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("creator", &creator)
    try visitor.visit("name", &name)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
    try visitor.visit("is_deleted", &isDeleted)
    try visitor.visit("members", &members)
    try visitor.visit("code", &code)
  }
}

extension HouseholdCode: AvroRecord {
  public static var recordName: String { "HouseholdCode" }
  public static var placeholder: HouseholdCode { HouseholdCode(text: "", expires: .placeholder) }

  /// The code and its expiry.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("text", &text)
    try visitor.visit("expires", &expires)
  }
}

extension HouseholdMember: AvroRecord {
  public static var recordName: String { "HouseholdMember" }
  public static var placeholder: HouseholdMember {
    HouseholdMember(account: .placeholder, stays: [])
  }

  /// The fields of the member.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("stays", &stays)
  }
}

extension HouseholdMembership: AvroRecord {
  public static var recordName: String { "HouseholdStay" }
  public static var placeholder: HouseholdMembership { HouseholdMembership(joined: .placeholder) }

  /// The span in which a person was a member.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("joined", &joined)
    try visitor.visit("left", &left)
  }
}

extension CalendarEvent: AvroRecord {
  public static var recordName: String { "CalendarEvent" }
  public static var placeholder: CalendarEvent {
    CalendarEvent(
      key: Key(high: 0, low: 0), household: .placeholder, creator: .placeholder,
      content: .placeholder, source: .manual, created: .placeholder, updated: .placeholder)
  }

  /// The fields of the calendar event.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("household", &household)
    try visitor.visit("creator", &creator)
    try visitor.visit("content", &content)
    try visitor.visit("source", &source)
    try visitor.visit("synced", &synced)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
    try visitor.visit("is_deleted", &isDeleted)
  }
}

extension HouseholdTask: AvroRecord {
  public static var recordName: String { "Chore" }
  public static var placeholder: HouseholdTask {
    HouseholdTask(
      key: Key(high: 0, low: 0), household: .placeholder, creator: .placeholder,
      content: .placeholder, created: .placeholder, updated: .placeholder)
  }

  /// The fields of the task.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("household", &household)
    try visitor.visit("creator", &creator)
    try visitor.visit("content", &content)
    try visitor.visit("assignee", &assignee)
    try visitor.visit("completed", &completed)
    try visitor.visit("completer", &completer)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
    try visitor.visit("is_deleted", &isDeleted)
  }
}
