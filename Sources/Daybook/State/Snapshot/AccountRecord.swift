public import Avro

extension Account: AvroRecord {
  /// "Account".
  public static var recordName: String { "Account" }
  /// About to be read.
  public static var blank: Account {
    Account(
      key: Key(high: 0, low: 0), displayName: "", avatarURL: nil,
      dayClock: DayClock(timeZone: "", dayStartHour: 0), theme: .honey, created: .blank,
      updated: .blank)
  }

  /// All that is known of the account.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    var dayStartHour = Int32(clamping: dayClock.dayStartHour)
    try visitor.visit("key", &key)
    try visitor.visit("display_name", &displayName)
    try visitor.visit("avatar_url", &avatarURL)
    try visitor.visit("time_zone", &dayClock.timeZone)
    try visitor.visit("day_start_hour", &dayStartHour)
    try visitor.visit("closed_before", &closedBefore, [.doc("days before it stay closed")])
    try visitor.visit("theme", &theme)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
    try visitor.visit("pauses", &pauses)
    try visitor.visit("erased", &isErased)
    try visitor.visit("focus", &focus)
    dayClock.dayStartHour = Int(dayStartHour)
  }
}

extension Account.Pause: AvroRecord {
  /// "Pause".
  public static var recordName: String { "Pause" }
  /// About to be read.
  public static var blank: Account.Pause { Account.Pause(days: .blank, created: .blank) }

  /// The days, and when the pause was made.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("days", &days)
    try visitor.visit("created", &created)
  }
}

extension Account.FocusSpan: AvroRecord {
  /// "FocusSpan".
  public static var recordName: String { "FocusSpan" }
  /// About to be read.
  public static var blank: Account.FocusSpan { .init(habit: .blank, since: .blank, until: nil) }

  /// The habit, and from when until when it had the focus.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("since", &since)
    try visitor.visit("until", &until)
  }
}

extension DaySpan: AvroRecord {
  /// "DaySpan".
  public static var recordName: String { "DaySpan" }
  /// About to be read.
  public static var blank: DaySpan { DaySpan(first: .blank, last: nil) }

  /// The first and the last day.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("first", &first)
    try visitor.visit("last", &last)
  }
}
