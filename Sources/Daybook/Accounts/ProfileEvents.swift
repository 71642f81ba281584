public import Calendar
public import Avro

/// The birthday of an account's person changed, or was removed (DG-1).
public struct BirthdayChanged: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The day of birth.
  public var birthday: Day?

  public static var recordName: String { "BirthdayChanged" }
  var rowScope: RowScope { .profile }
  var verb: String { "changed the birthday" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("birthday", &birthday, [.personal])
  }
}

/// An account's notifications changed; the event holds both fields as they are now (HH-25, MC-1).
public struct NotificationsChanged: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// Whether notifications are sent.
  public var isOn = false
  /// The local times, ascending; empty once the account was erased.
  public var times: [LocalTime] = []

  public static var recordName: String { "NotificationsChanged" }
  var rowScope: RowScope { .profile }
  var verb: String { "changed notifications" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("on", &isOn)
    try visitor.visit("times", &times, [.personal])
  }
}

/// An account's person completed the onboarding (HH-5); the events before it hold the choices.
public struct AccountOnboarded: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder

  public static var recordName: String { "AccountOnboarded" }
  var rowScope: RowScope { .profile }
  var verb: String { "completed the onboarding" }
  var reasonNotToUndo: String? { "that tour can be taken only once" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
  }
}
