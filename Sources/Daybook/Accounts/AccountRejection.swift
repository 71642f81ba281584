/// Why a command about an account is refused.
public enum AccountRejection: Rejection, Hashable {
  /// Nobody was named as the one who asks.
  case actorMissing
  /// There is no such account.
  case accountNotFound
  /// Another account has the key.
  case keyTaken(Key)
  /// The name is empty.
  case emptyName
  /// It holds control characters.
  case invalidName
  /// The name is no IANA time zone.
  case unknownTimeZone(String)
  /// The hour is not 0…23.
  case invalidDayStart(Int)
  /// The last day is before the first.
  case invalidPause(first: Day, last: Day)
  /// The onboarding offers the hours 0…6 only.
  case lateDayStart(Int)
  /// The birthday has not come yet.
  case futureBirthday(Day)
  /// The value is no phone number, e-mail address or subject.
  case invalidIdentity(IdentityKind)
  /// Another account has the identity; whose it is is not told.
  case identityTaken
  /// The actor has no such identity.
  case identityNotFound
  /// The text is no device token.
  case invalidToken
  /// More was given than is taken.
  case beyond(LimitRejection)

  /// The stable code.
  public var code: String {
    switch self {
    case .actorMissing: "actor_missing"
    case .accountNotFound: "account_not_found"
    case .keyTaken: "key_taken"
    case .emptyName: "empty_name"
    case .invalidName: "invalid_name"
    case .unknownTimeZone: "unknown_timezone"
    case .invalidDayStart: "invalid_day_start"
    case .invalidPause: "invalid_pause"
    case .lateDayStart: "invalid_day_start"
    case .futureBirthday: "future_birthday"
    case .invalidIdentity: "invalid_identity"
    case .identityTaken: "identity_taken"
    case .identityNotFound: "identity_not_found"
    case .invalidToken: "invalid_token"
    case .beyond(let rejection): rejection.code
    }
  }

  /// The field that it is about.
  public var field: String? {
    switch self {
    case .actorMissing, .accountNotFound: "as"
    case .keyTaken: "key"
    case .emptyName, .invalidName: "display_name"
    case .unknownTimeZone: "timezone"
    case .invalidDayStart, .lateDayStart: "day_start_hour"
    case .invalidPause: "to"
    case .futureBirthday: "birthday"
    case .invalidIdentity, .identityTaken, .identityNotFound: "value"
    case .invalidToken: "apns_token"
    case .beyond(let rejection): rejection.field
    }
  }

  /// One sentence for the person.
  public var description: String {
    switch self {
    case .actorMissing: "Say who acts: no account was named."
    case .accountNotFound: "There is no such account."
    case .keyTaken(let key): "The key \(key) already names something else."
    case .emptyName: "The name is empty; give one."
    case .invalidName: "The name holds control characters; leave them out."
    case .unknownTimeZone(let name):
      "timezone: \"\(name)\" is not an IANA time zone; use a name such as Europe/London."
    case .invalidDayStart(let hour): "day_start_hour: \(hour) is not an hour from 0 to 23."
    case .invalidPause(let first, let last):
      "A pause cannot end (\(last)) before it begins (\(first))."
    case .lateDayStart(let hour):
      "day_start_hour: \(hour) is not an hour from 0 to 6; later ones can be set in the profile."
    case .futureBirthday(let day): "birthday: \(day) has not come yet."
    case .invalidIdentity(let kind): "value: it is not \(kind.words)."
    case .identityTaken: "Another account has it; sign in there, or unlink it there first."
    case .identityNotFound: "The account has no such identity; link it first."
    case .invalidToken: "apns_token: it is not a device token of 1 to 512 visible ASCII characters."
    case .beyond(let rejection): rejection.description
    }
  }
}

extension IdentityKind {
  /// What a value of the kind is, with an example.
  fileprivate var words: String {
    switch self {
    case .phone: "a phone number such as +442079460958: a plus sign and 8 to 15 digits"
    case .email: "an e-mail address such as ada@example.org"
    case .apple, .google: "a subject of 1 to 255 bytes"
    }
  }
}

extension Limit {
  /// Refuses more things than an account has room for.
  func checkAccount(_ count: Int, _ field: String) throws(AccountRejection) {
    do { try check(count, field) } catch { throw .beyond(error) }
  }

  /// Refuses a text that is longer.
  func checkAccount(_ text: String?, _ field: String) throws(AccountRejection) {
    do { try check(text, field) } catch { throw .beyond(error) }
  }
}
