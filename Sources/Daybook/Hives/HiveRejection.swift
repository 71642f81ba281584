/// Why a command about a hive is refused.
public enum HiveRejection: Rejection, Hashable {
  /// The one who asks is not known, or a member's zone is not.
  case account(AccountRejection)
  /// The habit is not known or not the actor's; or what the hive is called is refused as a habit's name is.
  case habit(HabitRejection)
  /// The habit is archived; a hive shares what is done.
  case habitArchived(String)
  /// There is no such hive, or it was deleted.
  case hiveNotFound
  /// The actor is no member of the hive.
  case notMember
  /// The actor does not lead the hive.
  case notOwner
  /// The person is no member of the hive.
  case memberNotFound
  /// The person is not among the owner's contacts.
  case noContact
  /// The owner stays until another leads the hive.
  case ownerMustHandOver
  /// The key names something already.
  case keyTaken(Key)
  /// A hive is due on weekdays, not by a quota.
  case invalidSchedule
  /// A hive's target is an amount above zero to reach.
  case invalidTarget
  /// The threshold is not 1…10.
  case invalidThreshold(Int)
  /// More than 90 days.
  case invalidBackfill(Int)
  /// The hive has as many members as it may have.
  case hiveFull
  /// No invite has the code.
  case invalidCode
  /// The invite's time is over.
  case inviteExpired
  /// The invite was used as often as it may be.
  case inviteExhausted
  /// The code given is not twelve hexadecimal digits.
  case malformedCode(String)
  /// Another invite has the code.
  case codeTaken(String)
  /// The invite's lifetime is not 1 minute to ten years.
  case invalidLifetime(Int)
  /// The invite's uses are not 1…1 000 000.
  case invalidUses(Int)
  /// The day has not come yet.
  case futureDay(day: Day, today: Day)
  /// The client's instant is after the book's clock.
  case futureInstant(Instant)
  /// The actor was not a member on the day.
  case beforeJoining(day: Day, joined: Day)
  /// The hive has not begun the day, or was not there yet.
  case dayNotBegun(Day)
  /// Only the system does it.
  case systemOnly

  /// The stable code.
  public var code: String { text.code }
  /// The field that it is about.
  public var field: String? { text.field }
  /// One sentence for the person.
  public var description: String { text.sentence }

  private var text: (code: String, field: String?, sentence: String) {
    switch self {
    case .account(let rejection): (rejection.code, rejection.field, rejection.description)
    case .habit(let rejection): (rejection.code, rejection.field, rejection.description)
    case .habitArchived(let name):
      (
        "habit_archived", "habit",
        "\"\(name)\" is archived; restore it before a hive shares it."
      )
    case .hiveNotFound: ("hive_not_found", "hive", "There is no such hive.")
    case .notMember: ("not_member", "hive", "Only members see and change a hive.")
    case .notOwner: ("not_owner", "hive", "Only its owner may do that to a hive.")
    case .memberNotFound: ("member_not_found", "member", "There is no such member in the hive.")
    case .noContact:
      (
        "no_contact", "member",
        "Only people among your contacts are added; send others an invite."
      )
    case .ownerMustHandOver:
      (
        "owner_must_hand_over", "hive",
        "A hive's owner stays in it: hand it over to another member first, or delete it."
      )
    case .keyTaken(let key): ("key_taken", "key", "The key \(key) already names something else.")
    case .invalidSchedule:
      (
        "invalid_schedule", "schedule_weekmask",
        "A hive is due on weekdays; a habit with a quota of times cannot become one."
      )
    case .invalidTarget:
      (
        "invalid_target", "target_per_day",
        "A hive's target is an amount above 0 to reach; an upper limit cannot be shared."
      )
    case .invalidThreshold(let count):
      (
        "invalid_threshold", "threshold",
        "threshold: \(count) is not a number of members from 1 to \(Hive.mostMembers)."
      )
    case .invalidBackfill(let days):
      (
        "invalid_backfill", "p_backfill_days",
        "p_backfill_days: \(days) is more than 90 days."
      )
    case .hiveFull:
      ("hive_full", "p_code", "The hive is full: it has \(Hive.mostMembers) members.")
    case .invalidCode: ("invalid_code", "p_code", "No invite has this code; check its 12 digits.")
    case .inviteExpired:
      ("invite_expired", "p_code", "The invite has expired; ask the hive's owner for another.")
    case .inviteExhausted:
      (
        "invite_exhausted", "p_code",
        "The invite was used as often as it may be; ask the hive's owner for another."
      )
    case .malformedCode(let code):
      (
        "malformed_code", "code",
        "code: \"\(code)\" is not twelve hexadecimal digits in lower case."
      )
    case .codeTaken(let code): ("code_taken", "code", "code: another invite has \(code).")
    case .invalidLifetime(let minutes):
      (
        "invalid_ttl", "p_ttl_minutes",
        "p_ttl_minutes: \(minutes) is not from 1 to 5256000 (ten years)."
      )
    case .invalidUses(let count):
      ("invalid_max_uses", "p_max_uses", "p_max_uses: \(count) is not from 1 to 1000000.")
    case .futureDay(let day, let today):
      ("future_day", "day", "\(day) has not come yet (today is \(today)); log it on the day.")
    case .futureInstant(let instant):
      ("future_instant", "p_at", "p_at: \(instant) is after the book's clock.")
    case .beforeJoining(let day, let joined):
      ("before_joining", "day", "\(day) is before you joined the hive (\(joined)).")
    case .dayNotBegun(let day):
      ("day_not_begun", "p_day", "p_day: the hive has not begun \(day), or was not there yet.")
    case .systemOnly:
      ("system_only", "as", "Only the system settles hives: leave out who acts.")
    }
  }
}
