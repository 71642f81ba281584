public import Calendar
public import Avro

/// A hive as one of its members sees it on a day (HH-23).
public struct HiveCard: Sendable {
  /// The hive.
  public let hive: Hive
  /// Who looks.
  public let viewer: Account.ID
  /// The day that is asked about: the viewer's today, unless the query names another.
  public let day: HiveDay
  /// The first day that is not closed.
  public let firstOpen: Day
  /// The shared streak.
  public let streak: Int
  /// The members, the owner first, then by when they joined.
  public let members: [HiveMemberCard]

  /// Whether the streak is lost unless somebody still does something today: it is due, shared, and open.
  public var isAtRisk: Bool {
    streak > 0 && day.verdict == .open && day.requiredCount >= 2
  }

  /// The hive's days up to the one that is asked about, oldest first: as many as asked for, none before its
  /// creation.
  public func comb(last count: Int) -> [HiveDay] {
    let first = max(hive.createdOn, day.day.advanced(by: 1 - max(count, 1)))
    guard first <= day.day, count > 0 else { return [] }
    return hive.days(first...day.day, firstOpen: firstOpen)
  }

  /// The card as JSON.
  public var json: JSON {
    [
      "hive": .key(hive.key), "name": .string(hive.description.name),
      "emoji": .string(hive.description.emoji), "color_hex": .string(hive.description.color),
      "member_count": .number(members.count), "streak": .number(streak), "day": .day(day.day),
      "verdict": .string(day.verdict.rawValue), "complete_count": .number(day.completeCount),
      "required_count": .number(day.requiredCount), "needed_count": .number(day.neededCount),
      "at_risk": .bool(isAtRisk),
    ]
  }
}

/// A member of a hive as fellow members see them: name, picture and the day's check, nothing else (HH-16).
public struct HiveMemberCard: Sendable {
  /// Who.
  public let account: Account.ID
  /// What others call them.
  public let name: String
  /// Where the picture is.
  public let avatarURL: String?
  /// Whether they lead the hive.
  public let isOwner: Bool
  /// Whether they are required on the day.
  public let isRequired: Bool
  /// What they logged of the day.
  public let value: Amount?
  /// Whether their day is done.
  public let isDone: Bool
  /// Whether what is shown was logged after the day was closed.
  public let isLate: Bool

  /// The member as JSON.
  public func json(in state: BookState) -> JSON {
    [
      "user_id": .key(state.accounts[account]?.key), "display_name": .string(name),
      "avatar_url": .text(avatarURL), "role": .string(isOwner ? "owner" : "member"),
      "required": .bool(isRequired), "value": value.map { .number($0) } ?? .null,
      "done": .bool(isDone), "late": .bool(isLate),
    ]
  }
}

extension BookState {
  /// The hives of an account, as it sees them.
  ///
  /// - Throws: ``Rejection`` when the account or its zone is not known.
  public func hiveCards(
    of viewer: Account.ID, _ query: Query
  ) throws(Rejection) -> [HiveCard] {
    var cards: [HiveCard] = []
    for hive in hives(of: viewer) { cards.append(try hiveCard(hive, for: viewer, query)) }
    return cards
  }

  /// A hive as one of its members sees it.
  ///
  /// - Throws: ``Rejection``; strangers see nothing (HH-16).
  public func hiveCard(
    _ number: Hive.ID, for viewer: Account.ID, _ query: Query
  ) throws(Rejection) -> HiveCard {
    guard let hive = hives[number], !hive.isDeleted else { throw .hiveNotFound }
    guard let account = accounts[viewer], hive.member(viewer) != nil else { throw .notMember }
    let today = try query.today(of: account)
    let day = query.on ?? today
    guard day <= max(today, account.closedBefore) else { throw .futureDay(day: day, today: today) }
    let open = firstOpenDay(of: hive, at: query.asOf, in: query.zones)
    return HiveCard(
      hive: hive, viewer: viewer, day: hive.day(day, firstOpen: open), firstOpen: open,
      streak: hive.streak(on: query.on, firstOpen: open), members: memberCards(of: hive, on: day))
  }

  private func memberCards(of hive: Hive, on day: Day) -> [HiveMemberCard] {
    let members = hive.activeMembers.sorted { one, other in
      if (one.account == hive.owner) != (other.account == hive.owner) {
        return one.account == hive.owner
      }
      return (one.stays.last?.joined ?? .first, one.account)
        < (other.stays.last?.joined ?? .first, other.account)
    }
    return members.map { member in
      let late = member.lateDays[day]
      return HiveMemberCard(
        account: member.account, name: accounts[member.account]?.displayName ?? "",
        avatarURL: accounts[member.account]?.avatarURL, isOwner: member.account == hive.owner,
        isRequired: member.isRequired(on: day), value: (late ?? member.days[day])?.value,
        isDone: hive.isDone(member, on: day), isLate: late != nil)
    }
  }
}

extension Hive {
  /// The shared streak as of a day, later days left out; as of now without one.
  func streak(on day: Day?, firstOpen open: Day) -> Int {
    guard let day else { return streak(firstOpen: open) }
    return streaks(on: day, firstOpen: open).current
  }

  /// The shared streak as of a day, and the longest there was until then; later days left out.
  package func streaks(on day: Day, firstOpen open: Day) -> (current: Int, longest: Int) {
    var hive = self
    hive.advanced.removeAll { $0 > day }
    if let last = recordedBreak, last > day { hive.recordedBreak = nil }
    let open = min(open, day.advanced(by: 1))
    return (hive.streak(firstOpen: open), hive.longestStreak(firstOpen: open))
  }

  /// The longest shared streak there was. O(days).
  public func longestStreak(firstOpen open: Day) -> Int {
    guard var day = advanced.first else { return 0 }
    var (streak, longest, next) = (0, 0, 0)
    while next < advanced.count {
      if advanced[next] == day {
        streak += 1
        next += 1
        longest = max(longest, streak)
      } else if verdict(on: day, firstOpen: open) == .broken {
        streak = 0
        // What lies between here and the next day that advanced changes nothing.
        day = advanced[next]
        continue
      }
      day = day.advanced(by: 1)
    }
    return longest
  }
}

extension HiveDay {
  /// The day as JSON.
  public var json: JSON {
    [
      "day": .day(day), "verdict": .string(verdict.rawValue),
      "complete_count": .number(completeCount), "required_count": .number(requiredCount),
      "needed_count": .number(neededCount),
    ]
  }
}
