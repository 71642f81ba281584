public import Calendar
public import Avro

/// A hive as one of its members sees it on a day (HH-23).
public struct HiveCard: Sendable {
  /// The hive.
  public let hive: Hive
  /// The member who views it.
  public let viewer: Account.ID
  /// The requested day: the viewer's today, unless the query names another.
  public let day: HiveDay
  /// The first day that is not closed.
  public let firstOpen: Day
  /// The shared streak.
  public let streak: Int
  /// The members, the owner first, then in the order of joining.
  public let members: [HiveMemberCard]

  /// Whether the streak is lost unless more members are done today: the hive is due, shared, and open.
  public var isAtRisk: Bool {
    streak > 0 && day.verdict == .open && day.requiredCount >= 2
  }

  /// The hive's days up to the requested one, oldest first: at most `count`, and none before its creation.
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
  /// The member.
  public let account: Account.ID
  /// The name that others see.
  public let name: String
  /// The address of the picture.
  public let avatarURL: String?
  /// Whether they lead the hive.
  public let isOwner: Bool
  /// Whether they are required on the day.
  public let isRequired: Bool
  /// Whether the day never existed for them, because the calendar of their time zone omitted it.
  public let isLeftOut: Bool
  /// The value that they logged for the day, as it counts.
  public let value: Amount?
  /// The value that they entered, when another one counts.
  public let entered: Amount?
  /// Whether their day is done.
  public let isDone: Bool
  /// Whether the shown value was logged after the day had closed.
  public let isLate: Bool

  /// The member as JSON.
  public func json(in state: BookState) -> JSON {
    var members: [JSON.Member] = [
      .init("user_id", .key(state.accounts[account]?.key)),
      .init("display_name", .string(name)), .init("avatar_url", .text(avatarURL)),
      .init("role", .string(isOwner ? "owner" : "member")), .init("required", .bool(isRequired)),
    ]
    members += JSON.leftOut(isLeftOut)
    members.append(.init("value", value.map { .number($0) } ?? .null))
    if let entered { members.append(.init("entered_value", .number(entered))) }
    members += [.init("done", .bool(isDone)), .init("late", .bool(isLate))]
    return .object(members)
  }
}

extension BookState {
  /// The hives of an account, as it sees them.
  ///
  /// - Throws: ``Rejection`` when the account or its time zone is unknown.
  public func hiveCards(
    of viewer: Account.ID, _ query: Query
  ) throws(Rejection) -> [HiveCard] {
    var cards: [HiveCard] = []
    for hive in hives(of: viewer) { cards.append(try hiveCard(hive, for: viewer, query)) }
    return cards
  }

  /// A hive as one of its members sees it.
  ///
  /// - Throws: ``Rejection``; people who are not members see nothing (HH-16).
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
        isRequired: member.isRequired(on: day), isLeftOut: member.isLeftOut(on: day),
        value: (late ?? member.days[day])?.value,
        entered: member.entered(on: day), isDone: hive.isDone(member, on: day), isLate: late != nil)
    }
  }
}

extension Hive {
  /// The shared streak as of a day, ignoring later days; as of now if no day is given.
  func streak(on day: Day?, firstOpen open: Day) -> Int {
    guard let day else { return streak(firstOpen: open) }
    return streaks(on: day, firstOpen: open).current
  }

  /// The shared streak as of a day, and the longest one until then, ignoring later days.
  package func streaks(on day: Day, firstOpen open: Day) -> (current: Int, longest: Int) {
    var hive = self
    hive.advanced.removeAll { $0 > day }
    if let last = recordedBreak, last > day { hive.recordedBreak = nil }
    let open = min(open, day.advanced(by: 1))
    return (hive.streak(firstOpen: open), hive.longestStreak(firstOpen: open))
  }

  /// The longest shared streak of the hive. O(days).
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
        // The days up to the next one that advanced change nothing.
        day = advanced[next]
        continue
      }
      day = day.advanced(by: 1)
    }
    return longest
  }
}

extension JSON {
  /// The member that says that a day never existed for a person; none on any other day.
  static func leftOut(_ isLeftOut: Bool) -> [JSON.Member] {
    isLeftOut ? [.init("left_out", true)] : []
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
