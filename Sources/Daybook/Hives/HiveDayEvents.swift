public import Calendar
public import Avro

/// A member logged a day of a hive; the log replaces their earlier one for the day (HH-19).
public struct HiveDayLogged: EventRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder
  /// The member whose day it is.
  public var member: Account.ID = .placeholder
  /// The member's user-local day.
  public var day: Day = .placeholder
  /// The value, clamped to 1…target (R2).
  public var value: Amount = .zero
  /// The source of the log.
  public var source: LogSource = .manual
  /// Whether the hive's day was closed: then the log is shown, but does not count (R5).
  public var isLate = false
  /// The value that the person entered, when another one counts (HH-8).
  public var entered: Amount?

  public static var recordName: String { "HiveDayLogged" }
  var rowScope: RowScope { .day(day, member: member) }
  var verb: String { "\(entered ?? value)" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("hive", &hive)
    try visitor.visit("member", &member)
    try visitor.visit("day", &day)
    try visitor.visit("value", &value)
    try visitor.visit("source", &source)
    try visitor.visit("late", &isLate, [.doc("the hive's day was closed")])
    try visitor.visit(
      "entered", &entered, [.doc("what the person entered, when it is not the value that counts")])
  }
}

/// A member cleared what they logged for a day of a hive (R2).
public struct HiveDayCleared: EventRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder
  /// The member whose day it is.
  public var member: Account.ID = .placeholder
  /// The member's user-local day.
  public var day: Day = .placeholder
  /// The source of the command.
  public var source: LogSource = .manual
  /// Whether the hive's day was closed: then only the late log is removed.
  public var isLate = false

  public static var recordName: String { "HiveDayCleared" }
  var rowScope: RowScope { .day(day, member: member) }
  var verb: String { "cleared" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("hive", &hive)
    try visitor.visit("member", &member)
    try visitor.visit("day", &day)
    try visitor.visit("source", &source)
    try visitor.visit("late", &isLate, [.doc("the hive's day was closed")])
  }
}

/// A hive's day advanced: enough members were done while it was open (HH-20). There is one event for each such day
/// (R8).
public struct HiveAdvanced: HiveDayEndRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder
  /// The day.
  public var day: Day = .placeholder
  /// The length of the shared streak with the day.
  public var streak: Int32 = 0
  /// The number of required members who were done.
  public var completeCount: Int32 = 0
  /// The number of required members.
  public var requiredCount: Int32 = 0

  public static var recordName: String { "HiveAdvanced" }
  var verb: String { "advanced" }
  var reasonNotToUndo: String? { "all members were notified of the hive's day" }
}

/// A hive's day closed without having advanced, and ended a shared streak (R5). The settling job records this; the
/// answers to queries do not depend on it.
public struct HiveBroken: HiveDayEndRecord {
  /// The hive.
  public var hive: Hive.ID = .placeholder
  /// The day.
  public var day: Day = .placeholder
  /// The length of the streak that it ended: at least 1.
  public var streak: Int32 = 0
  /// The number of required members who were done.
  public var completeCount: Int32 = 0
  /// The number of required members.
  public var requiredCount: Int32 = 0

  public static var recordName: String { "HiveBroken" }
  var verb: String { "broke" }
  var reasonNotToUndo: String? { "all members were notified of the hive's day" }
}

/// The end of a hive's day, with the streak.
protocol HiveDayEndRecord: EventRecord {
  var hive: Hive.ID { get set }
  var day: Day { get set }
  var streak: Int32 { get set }
  var completeCount: Int32 { get set }
  var requiredCount: Int32 { get set }
}

extension HiveDayEndRecord {
  var rowScope: RowScope { .day(day, member: nil) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("hive", &hive)
    try visitor.visit("day", &day)
    try visitor.visit("streak", &streak)
    try visitor.visit("complete_count", &completeCount)
    try visitor.visit("required_count", &requiredCount)
  }
}
