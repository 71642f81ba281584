import Streaks
import Values
import Calendar
public import Avro

extension Hive: AvroRecord {
  public static var recordName: String { "Hive" }
  public static var placeholder: Hive {
    Hive(
      key: Key(high: 0, low: 0), owner: .placeholder, description: .placeholder, type: .checkbox,
      target: .one, schedule: .everyDay, rule: .allMustComplete, threshold: 0, source: nil,
      createdOn: .placeholder, created: .placeholder, updated: .placeholder)
  }

  /// The fields of the hive.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    var weekmask = Int32(schedule.bits)
    var threshold = Int32(clamping: threshold)
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("description", &description)
    try visitor.visit("type", &type)
    try visitor.visit("target", &target)
    try visitor.visit("weekmask", &weekmask)
    try visitor.visit("rule", &rule)
    try visitor.visit("threshold", &threshold)
    try visitor.visit("source", &source)
    try visitor.visit("created_on", &createdOn)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
    try visitor.visit("is_deleted", &isDeleted)
    try visitor.visit("members", &members)
    try visitor.visit("invites", &invites)
    try visitor.visit("advanced", &advanced, [.doc("the days that advanced, ascending")])
    try visitor.visit("recorded_break", &recordedBreak)
    schedule = WeekdayMask(bits: Int(weekmask)) ?? .everyDay
    self.threshold = Int(threshold)
  }
}

extension HiveMember: AvroRecord {
  public static var recordName: String { "HiveMember" }
  public static var placeholder: HiveMember { HiveMember(account: .placeholder, stays: []) }

  /// The fields of the member.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("stays", &stays)
    try visitor.visit("habit", &habit)
    try visitor.visit("days", &days)
    try visitor.visit("late_days", &lateDays)
  }
}

extension HiveMembership: AvroRecord {
  public static var recordName: String { "HiveStay" }
  public static var placeholder: HiveMembership {
    HiveMembership(joinedOn: .placeholder, requiredFrom: .placeholder, joined: .placeholder)
  }

  /// The span in which a person was a member.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("joined_on", &joinedOn)
    try visitor.visit("required_from", &requiredFrom)
    try visitor.visit("required_through", &requiredThrough)
    try visitor.visit("joined", &joined)
    try visitor.visit("left", &left)
  }
}

extension HiveInvite: AvroRecord {
  public static var recordName: String { "HiveInvite" }
  public static var placeholder: HiveInvite {
    HiveInvite(
      code: "", expires: .placeholder, maximumUseCount: 0, creator: nil, created: .placeholder)
  }

  /// The fields of the invite.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    var maximumUseCount = Int32(clamping: maximumUseCount)
    var useCount = Int32(clamping: useCount)
    try visitor.visit("code", &code)
    try visitor.visit("expires", &expires)
    try visitor.visit("most_uses", &maximumUseCount)
    try visitor.visit("use_count", &useCount)
    try visitor.visit("revoked", &isRevoked)
    try visitor.visit("creator", &creator)
    try visitor.visit("created", &created)
    self.maximumUseCount = Int(maximumUseCount)
    self.useCount = Int(useCount)
  }
}
