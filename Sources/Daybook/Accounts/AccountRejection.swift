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
    }
  }

  /// The field that it is about.
  public var field: String? {
    switch self {
    case .actorMissing, .accountNotFound: "as"
    case .keyTaken: "key"
    case .emptyName, .invalidName: "display_name"
    case .unknownTimeZone: "timezone"
    case .invalidDayStart: "day_start_hour"
    case .invalidPause: "to"
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
    }
  }
}
