public import Values
public import Calendar
public import Avro
import Streaks

/// A person created an account (HH-1).
public struct AccountCreated: EventRecord {
  /// The client's name for the account.
  public var key: Key = Key(high: 0, low: 0)
  /// The name that others see.
  package var displayName: String = ""
  /// The address of the picture.
  public var avatarURL: String?
  /// An IANA time zone.
  public var timeZone: String = ""
  /// The hour at which the person's day begins, 0…23 (HH-3).
  public var dayStartHour: Int32 = 0
  /// The theme of the app.
  public var theme: Theme = .honey

  public static var recordName: String { "AccountCreated" }
  var rowScope: RowScope { .everything }
  var verb: String { "created the account" }
  var reasonNotToUndo: String? { "an account can only be erased: `daybook erase-account`" }
  /// The subject of the event.
  package var subject: Subject { .new(.account, key: key, owner: nil) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("display_name", &displayName, [.personal])
    try visitor.visit("avatar_url", &avatarURL, [.personal])
    try visitor.visit("time_zone", &timeZone)
    try visitor.visit("day_start_hour", &dayStartHour)
    try visitor.visit("theme", &theme)
  }
}

/// The name, picture or theme of an account changed; the event holds all three as they are now.
public struct ProfileChanged: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The name that others see.
  package var displayName: String = ""
  /// The address of the picture.
  public var avatarURL: String?
  /// The theme of the app.
  public var theme: Theme = .honey

  public static var recordName: String { "ProfileChanged" }
  var rowScope: RowScope { .profile }
  var verb: String { "changed the profile" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("display_name", &displayName, [.personal])
    try visitor.visit("avatar_url", &avatarURL, [.personal])
    try visitor.visit("theme", &theme)
  }
}

/// The time zone or day start of an account changed; the event holds both as they are now (HH-3).
public struct DayClockChanged: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// An IANA time zone.
  public var timeZone: String = ""
  /// The hour at which the person's day begins, 0…23.
  public var dayStartHour: Int32 = 0
  /// The user-local day just before the change: days before it stay closed (law 5).
  public var closedBefore: Day = .placeholder

  public static var recordName: String { "DayClockChanged" }
  var rowScope: RowScope { .profile }
  var dayEffect: DayEffect { .clock }
  var verb: String { "changed the time zone or the day start" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("time_zone", &timeZone)
    try visitor.visit("day_start_hour", &dayStartHour)
    try visitor.visit(
      "closed_before", &closedBefore,
      [.doc("days before this one were closed by the old day clock, and stay so")])
  }
}

/// The account pauses on some days: they neither extend nor break its streaks.
public struct AccountPaused: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The first day of the pause.
  public var first: Day = .placeholder
  /// Its last day; none while it has no end.
  public var last: Day?

  public static var recordName: String { "AccountPaused" }
  var rowScope: RowScope { .tables(["pauses"]) }
  var dayEffect: DayEffect { .pause(.account, DaySpan(first: first, last: last)) }
  var verb: String { "paused" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("first", &first)
    try visitor.visit("last", &last)
  }
}

/// A day and those after it count again, in every pause that includes the day.
public struct AccountResumed: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The first day that counts again.
  public var day: Day = .placeholder

  public static var recordName: String { "AccountResumed" }
  var rowScope: RowScope { .tables(["pauses"]) }
  var dayEffect: DayEffect { .end(.account, on: day) }
  var verb: String { "resumed" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("day", &day)
  }
}

/// A theme of the app (HH-1).
public enum Theme: String, AvroEnumeration {
  /// Honey yellow.
  case honey
  /// Mint green.
  case mint
  /// Dark.
  case night

  public static var enumerationName: String { "Theme" }
  /// An unknown theme of a newer Daybook is read as honey: a theme is only a look, and the book stays readable.
  public static var defaultSymbol: Theme? { .honey }
}
