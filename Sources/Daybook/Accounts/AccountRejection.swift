package import Calendar

// Rejections of commands about an account.
extension Rejection {
  /// No actor was named.
  package static let actorMissing = Rejection(
    .actorMissing, "Say who acts: no account was named.")

  /// There is no such account.
  package static let accountNotFound = Rejection(.accountNotFound, "There is no such account.")

  /// The name is empty.
  package static let emptyDisplayName = Rejection(
    .emptyName, field: "display_name", "The name is empty; give one.")

  /// The name holds control characters.
  package static let invalidDisplayName = Rejection(
    .invalidName, field: "display_name", "The name holds control characters; leave them out.")

  /// The name is not an IANA time zone.
  package static func unknownTimeZone(_ name: String) -> Rejection {
    Rejection(
      .unknownTimeZone,
      "timezone: \"\(name)\" is not an IANA time zone; use a name such as Europe/London.")
  }

  /// The hour is not 0…23.
  package static func invalidDayStart(_ hour: Int) -> Rejection {
    Rejection(.invalidDayStart, "day_start_hour: \(hour) is not an hour from 0 to 23.")
  }

  /// The onboarding offers the hours 0…6 only.
  package static func lateDayStart(_ hour: Int) -> Rejection {
    Rejection(
      .invalidDayStart,
      "day_start_hour: \(hour) is not an hour from 0 to 6; set a later hour in the profile.")
  }

  /// The last day is before the first.
  package static func invalidPause(first: Day, last: Day) -> Rejection {
    Rejection(.invalidPause, "A pause cannot end (\(last)) before it begins (\(first)).")
  }

  /// The days of a pause that are over stay what they are.
  package static func resumptionInPast(on day: Day, today: Day) -> Rejection {
    .invalidField("day", "\(day) is over (today is \(today)); give today or a day to come")
  }

  /// The birthday has not come yet.
  package static func futureBirthday(_ day: Day) -> Rejection {
    Rejection(.futureBirthday, "birthday: \(day) has not come yet.")
  }

  /// The value is not a phone number, e-mail address or subject.
  package static func invalidIdentity(_ kind: IdentityKind) -> Rejection {
    Rejection(.invalidIdentity, "value: it is not \(kind.words).")
  }

  /// Another account has the identity; the message does not say which one.
  package static let identityTaken = Rejection(
    .identityTaken, "Another account has this identity; sign in there, or unlink it there first.")

  /// The actor has no such identity.
  package static let identityNotFound = Rejection(
    .identityNotFound, "The account has no such identity; link it first.")

  /// The text for a contact is empty, or holds control characters.
  package static let invalidContact = Rejection(
    .invalidContact, "contact_hash: it is empty, or holds control characters.")

  /// The price is empty, or holds control characters.
  package static let invalidPrice = Rejection(
    .invalidPrice, "price: it is empty, or holds control characters.")

  /// The text is not a device token.
  package static let invalidToken = Rejection(
    .invalidToken,
    "apns_token: it is not a device token of 1 to 512 visible ASCII characters.")
}

extension IdentityKind {
  /// A description of a value of the kind, with an example.
  fileprivate var words: String {
    switch self {
    case .phone: "a phone number such as +442079460958: a plus sign and 8 to 15 digits"
    case .email: "an e-mail address such as ada@example.org"
    case .apple, .google: "a subject of 1 to 255 bytes"
    }
  }
}
