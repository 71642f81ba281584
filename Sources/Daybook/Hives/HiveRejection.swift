package import Calendar

// Rejections of commands about a hive.
extension Rejection {
  /// There is no such hive, or it was deleted.
  package static let hiveNotFound = Rejection(.hiveNotFound, "There is no such hive.")

  /// The actor is not a member of the hive.
  package static let notMember = Rejection(
    .notMember, field: RejectionCode.notMember.field, revealing: .hive,
    "Only members see and change a hive.")

  /// The person is not a member of the hive.
  package static let hiveMemberNotFound = Rejection(
    .memberNotFound, "There is no such member in the hive.")

  /// The person is not among the owner's contacts.
  package static let noContact = Rejection(
    .noContact, "You can add only your contacts; send an invite to anyone else.")

  /// The owner must hand the hive over before leaving.
  package static let ownerMustHandOver = Rejection(
    .ownerMustHandOver,
    "A hive's owner cannot leave it; hand it over to another member first, or delete it.")

  /// The hive has the maximum number of members.
  package static let hiveFull = Rejection(
    .hiveFull, "The hive is full: it has \(Hive.maximumMemberCount) members.")

  /// Only the system may give the command.
  package static let systemOnly = Rejection(
    .systemOnly, "Only the system settles hives; name no actor.")
}

// Invalid properties of a hive.
extension Rejection {
  /// An archived habit cannot be shared in a hive.
  package static func cannotShareArchived(_ name: String) -> Rejection {
    Rejection(.habitArchived, "\"\(name)\" is archived; restore it before you use it in a hive.")
  }

  /// A hive is due on weekdays, not by a quota.
  package static let cannotShareQuota = Rejection(
    .invalidSchedule, field: "schedule_weekmask",
    "A hive is due on weekdays; a habit with a quota cannot become a hive.")

  /// A hive's target must be an at-least amount above zero.
  package static let cannotShareTarget = Rejection(
    .invalidTarget,
    "A hive's target must be an amount greater than 0 to reach; a hive cannot have an upper limit.")

  /// The threshold is not 1…10.
  package static func invalidThreshold(_ count: Int) -> Rejection {
    Rejection(
      .invalidThreshold,
      "threshold: \(count) is not a number of members from 1 to \(Hive.maximumMemberCount).")
  }

  /// More than 90 days are to be copied.
  package static func invalidBackfill(_ days: Int) -> Rejection {
    Rejection(.invalidBackfill, "p_backfill_days: \(days) is more than 90 days.")
  }
}

// Invites.
extension Rejection {
  /// No invite has the code.
  package static let invalidCode = Rejection(
    .invalidCode, "No invite has this code; check its 12 digits.")

  /// The invite has expired.
  package static let inviteExpired = Rejection(
    .inviteExpired, "The invite has expired; ask the hive's owner for another.")

  /// The invite was used the maximum number of times.
  package static let inviteExhausted = Rejection(
    .inviteExhausted,
    "The invite has no uses left; ask the hive's owner for another.")

  /// The code given is not twelve hexadecimal digits.
  package static func malformedCode(_ code: String) -> Rejection {
    Rejection(.malformedCode, "code: \"\(code)\" is not twelve hexadecimal digits in lower case.")
  }

  /// The code is taken by another invite, or another household.
  package static func codeTaken(_ code: String, _ holder: String) -> Rejection {
    Rejection(.codeTaken, "code: another \(holder) has \(code).")
  }

  /// The lifetime of a code is not between 1 minute and ten years.
  package static func invalidLifetime(_ minutes: Int, _ column: String) -> Rejection {
    let range = "from \(JoinCode.lifetime.lowerBound) to \(JoinCode.lifetime.upperBound)"
    return Rejection(
      .invalidTTL, field: column, "\(column): \(minutes) is not \(range) (ten years).")
  }

  /// The hive has no name.
  package static let emptyHiveName = Rejection(.emptyName, "name: a hive needs a name.")

  /// The invite's expiry is not after now, or not within ten years.
  package static var invalidExpiry: Rejection {
    Rejection(
      .invalidTTL, field: "expires_at", "expires_at: it must be within the next ten years.")
  }

  /// The invite's uses are not 1…1 000 000.
  package static func invalidUses(_ count: Int) -> Rejection {
    Rejection(.invalidMaxUses, "p_max_uses: \(count) is not from 1 to 1000000.")
  }
}

// A hive's days.
extension Rejection {
  /// The actor was not a member on the day.
  package static func beforeJoining(day: Day, joined: Day) -> Rejection {
    Rejection(.beforeJoining, "\(day) is before you joined the hive (\(joined)).")
  }

  /// The day has not begun for the hive, or is before its creation.
  package static func dayNotBegun(_ day: Day) -> Rejection {
    Rejection(
      .dayNotBegun, "p_day: \(day) has not begun for the hive, or is before the hive was created.")
  }
}
