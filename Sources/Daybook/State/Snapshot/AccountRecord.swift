import Values
import Calendar
public import Streaks
public import Avro

extension Account: AvroRecord {
  public static var recordName: String { "Account" }
  public static var placeholder: Account {
    Account(
      key: Key(high: 0, low: 0), displayName: "", avatarURL: nil,
      dayClock: DayClock(timeZone: "", dayStartHour: 0), theme: .honey, created: .placeholder,
      updated: .placeholder)
  }

  /// The fields of the account.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
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
    try visitor.visit("birthday", &birthday)
    try visitor.visit("notifications_on", &notifications.isOn)
    try visitor.visit("notification_times", &notifications.times)
    try visitor.visit("onboarded", &onboarded)
    try visitor.visit("identities", &identities)
    try visitor.visit("devices", &devices)
    try visitor.visit("contacts", &contacts, [.doc("ascending by hash")])
    try visitor.visit("upgrade_interest", &upgradeInterest)
    try visitor.visit("habit_order", &habitOrder)
    try visitor.visit("past_clocks", &pastClocks, [.doc("oldest first")])
    try visitor.visit("row_names", &rowNames, [.doc("ascending by table and row")])
    dayClock.dayStartHour = Int(dayStartHour)
  }
}

extension Account.PastClock: AvroRecord {
  public static var recordName: String { "PastClock" }
  public static var placeholder: Account.PastClock {
    .init(clock: DayClock(timeZone: "", dayStartHour: 0), until: .placeholder)
  }

  /// The clock, and when it was changed.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    var dayStartHour = Int32(clamping: clock.dayStartHour)
    try visitor.visit("time_zone", &clock.timeZone)
    try visitor.visit("day_start_hour", &dayStartHour)
    try visitor.visit("until", &until)
    clock.dayStartHour = Int(dayStartHour)
  }
}

extension Account.Pause: AvroRecord {
  public static var recordName: String { "Pause" }
  public static var placeholder: Account.Pause {
    Account.Pause(days: .placeholder, created: .placeholder)
  }

  /// The days, and when the pause was made.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("days", &days)
    try visitor.visit("created", &created)
  }
}

extension Account.FocusSpan: AvroRecord {
  public static var recordName: String { "FocusSpan" }
  public static var placeholder: Account.FocusSpan {
    .init(habit: .placeholder, since: .placeholder, until: nil)
  }

  /// The habit, and the span in which it had the focus.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("since", &since)
    try visitor.visit("until", &until)
  }
}

extension Account.Link: AvroRecord {
  public static var recordName: String { "Link" }
  public static var placeholder: Account.Link {
    Account.Link(
      identity: Identity(.phone, .placeholder), isVerified: false, created: .placeholder,
      updated: .placeholder)
  }

  /// The identity, whether it is verified, and its times.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("kind", &identity.kind)
    try visitor.visit("hash", &identity.hash)
    try visitor.visit("verified", &isVerified)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
  }
}

extension Account.Device: AvroRecord {
  public static var recordName: String { "Device" }
  public static var placeholder: Account.Device {
    Account.Device(token: "", environment: .prod, created: .placeholder, updated: .placeholder)
  }

  /// The token, its environment, and its times.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("token", &token)
    try visitor.visit("environment", &environment)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
  }
}

extension Account.Contact: AvroRecord {
  public static var recordName: String { "Contact" }
  public static var placeholder: Account.Contact {
    Account.Contact(hash: .placeholder, created: .placeholder)
  }

  /// The hash of the number, the contact's name, and when it was uploaded.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("hash", &hash)
    try visitor.visit("text", &text)
    try visitor.visit("name", &name)
    try visitor.visit("created", &created)
  }
}

extension Account.UpgradeInterest: AvroRecord {
  public static var recordName: String { "UpgradeInterest" }
  public static var placeholder: Account.UpgradeInterest {
    .init(count: 0, price: "", last: .placeholder)
  }

  /// The count, the last price, and when it was.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("count", &count)
    try visitor.visit("price", &price)
    try visitor.visit("last", &last)
  }
}

extension DaySpan: AvroRecord {
  public static var recordName: String { "DaySpan" }
  public static var placeholder: DaySpan { DaySpan(first: .placeholder, last: nil) }

  /// The first and the last day.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("first", &first)
    try visitor.visit("last", &last)
  }
}
