public import Calendar
public import Avro

/// An explanation of a hive's streak for its members: for each day who was required, who was done and when, what
/// advanced the day or broke the streak, and who would have saved it (ES-3, HH-20).
public struct HiveAudit: Sendable {
  /// The entry that caused something: usually a log.
  public struct EntryReference: Hashable, Sendable {
    /// The entry.
    public var position: Int64
    /// When it was recorded.
    public var at: Instant
  }

  /// A member on a day: one who was required or would have been if the day had existed for them, or who logged it.
  public struct Member: Sendable {
    /// The member.
    public let account: Account.ID
    /// Whether they were required on the day.
    public let isRequired: Bool
    /// Whether the day never existed for them, because the calendar of their time zone omitted it.
    public let isLeftOut: Bool
    /// The value that they logged while the day was open, as it counts.
    public let value: Amount?
    /// The value that they entered then, if a different one counts.
    public let entered: Amount?
    /// The log that made them done, if they are.
    public let done: EntryReference?
    /// The log after the day had closed: it counts for nothing.
    public let late: (value: Amount, entered: Amount?, reference: EntryReference)?

    /// Whether they were required and are not done.
    public var isMissing: Bool { isRequired && done == nil }
  }

  /// One day.
  public struct AuditedDay: Sendable {
    /// The day with its verdict and its counts.
    public let judged: HiveDay
    /// The members who were required or logged the day, or for whom it never existed, in the order of first joining.
    public let members: [Member]
    /// The entry that advanced the day, and the streak that was recorded with it.
    public let advance: (reference: EntryReference, actor: Account.ID?, streak: Int)?
    /// The length of the streak that the day ended, and the entry that recorded it, if there is one.
    public let broken: (lost: Int, recorded: EntryReference?)?
    /// The length of the shared streak after the day.
    public let streak: Int

    /// The number of missing members who would have saved the streak that the day ended; any of them would do.
    public var neededMore: Int { judged.neededCount - judged.completeCount }
  }

  /// The hive.
  public let hive: Hive
  /// The days, ascending.
  public let days: [AuditedDay]
  /// The length of the shared streak now.
  public let current: Int
  /// The length of the longest shared streak.
  public let longest: Int
  private let viewer: Account.ID

  /// Audits a hive.
  ///
  /// - Parameters:
  ///   - number: The hive's number.
  ///   - hive: The hive as its member sees it (``BookState/hive(_:seenBy:)``).
  ///   - viewer: The member for whom it is audited.
  ///   - state: The state as of the query's instant.
  ///   - query: The instant of the view, and the requested day: later days are left out.
  ///   - entries: The hive's entries until then, oldest first.
  ///   - span: The days to include; all if not given.
  public init(
    _ number: Hive.ID, _ hive: Hive, for viewer: Account.ID, in state: BookState, _ query: Query,
    _ entries: [Entry], days span: ClosedRange<Day>? = nil
  ) {
    self.hive = hive
    self.viewer = viewer
    let open = state.firstOpenDay(of: hive, at: query.asOf, in: query.zones)
    let evidence = Evidence(hive, entries)
    var last = open
    for member in hive.activeMembers {
      guard let account = state.accounts[member.account] else { continue }
      last = max(last, account.openDay(at: query.asOf, in: query.zones))
    }
    let logged = hive.members.flatMap(\.loggedDays)
    last = max(last, logged.max() ?? last)
    if let on = query.on { last = min(last, on) }
    let first = min(hive.createdOn, logged.min() ?? hive.createdOn)
    var streak = 0
    var longest = 0
    var days: [AuditedDay] = []
    for judged in first <= last ? hive.days(first...last, firstOpen: open) : [] {
      var broken: (Int, EntryReference?)?
      switch judged.verdict {
      case .advanced: streak += 1
      case .broken:
        if streak > 0 { broken = (streak, evidence.breaks[judged.day]) }
        streak = 0
      case .open, .off, .unshared, .before, .leftOut: break
      }
      longest = max(longest, streak)
      guard span.map({ $0.contains(judged.day) }) ?? true else { continue }
      days.append(
        AuditedDay(
          judged: judged, members: evidence.members(on: judged.day, hive),
          advance: evidence.advances[judged.day], broken: broken, streak: streak))
    }
    self.days = days
    self.longest = longest
    current = streak
  }

  /// A hive's entries, grouped by the days that they affect.
  private struct Evidence {
    private struct MemberDay: Hashable {
      let member: Account.ID
      let day: Day
    }

    var advances: [Day: (reference: EntryReference, actor: Account.ID?, streak: Int)] = [:]
    var breaks: [Day: EntryReference] = [:]
    private var done: [MemberDay: EntryReference] = [:]
    private var late: [MemberDay: EntryReference] = [:]

    init(_ hive: Hive, _ entries: [Entry]) {
      for entry in entries {
        let reference = EntryReference(position: entry.head.position, at: entry.head.at)
        guard case .hives(let event) = entry.event.byContext else { continue }
        switch event {
        case .hiveDayLogged(let event):
          let key = MemberDay(member: event.member, day: event.day)
          if event.isLate {
            late[key] = reference
          } else if hive.isDone(event.value) {
            // A member who is done already and logs again was done by the earlier log.
            done[key] = done[key] ?? reference
          } else {
            done[key] = nil
          }
        case .hiveDayCleared(let event):
          let key = MemberDay(member: event.member, day: event.day)
          if event.isLate { late[key] = nil } else { done[key] = nil }
        case .hiveAdvanced(let event):
          advances[event.day] =
            advances[event.day] ?? (reference, entry.head.actor, Int(event.streak))
        case .hiveBroken(let event): breaks[event.day] = breaks[event.day] ?? reference
        // These events do not concern days.
        case .hiveCreated, .hiveDescribed, .hiveHandedOver, .hiveDeleted, .hiveJoined, .hiveLeft,
          .hiveHabitLinked, .hiveInviteCreated, .hiveInviteRevoked, .hiveRestored:
          break
        }
      }
    }

    func members(on day: Day, _ hive: Hive) -> [Member] {
      hive.members.compactMap { member in
        let isRequired = member.isRequired(on: day)
        let (value, lateValue) = (member.days[day]?.value, member.lateDays[day]?.value)
        let isLeftOut = member.isLeftOut(on: day)
        guard isRequired || isLeftOut || value != nil || lateValue != nil else { return nil }
        let key = MemberDay(member: member.account, day: day)
        return Member(
          account: member.account, isRequired: isRequired, isLeftOut: isLeftOut, value: value,
          entered: member.days.entered(on: day), done: done[key],
          late: lateValue.flatMap { value in
            late[key].map { (value, member.lateDays.entered(on: day), $0) }
          })
      }
    }
  }

  // MARK: JSON

  /// The audit as JSON, in the form of `daybook audit HIVE --json`: members appear by name only.
  public func json(in state: BookState) -> JSON {
    [
      "hive": .key(hive.key), "name": .string(hive.description.name),
      "rule": .string(hive.rule.rawValue),
      "threshold": hive.rule == .threshold ? .number(hive.threshold) : .null,
      "current": .number(current), "longest": .number(longest),
      "days": .array(days.map { json(of: $0, in: state) }),
    ]
  }

  private func json(of day: AuditedDay, in state: BookState) -> JSON {
    let advance: JSON =
      day.advance.map { reference, actor, streak in
        .object(
          reference.members + [
            .init("by", .text(name(actor, in: state))), .init("streak", .number(streak)),
          ])
      } ?? .null
    let broken: JSON =
      day.broken.map { lost, recorded in
        let ways: JSON = [
          "members": .number(day.neededMore),
          "of": .array(
            day.members.filter(\.isMissing).map { .text(name($0.account, in: state)) }),
        ]
        return [
          "lost": .number(lost), "recorded": recorded.map { .object($0.members) } ?? .null,
          "saved_by": ways,
        ]
      } ?? .null
    return [
      "day": .day(day.judged.day), "verdict": .string(day.judged.verdict.rawValue),
      "complete_count": .number(day.judged.completeCount),
      "required_count": .number(day.judged.requiredCount),
      "needed_count": .number(day.judged.neededCount), "streak": .number(day.streak),
      "members": .array(day.members.map { json(of: $0, in: state) }), "advanced": advance,
      "broken": broken,
    ]
  }

  private func json(of member: Member, in state: BookState) -> JSON {
    let late: JSON =
      member.late.map { value, entered, reference in
        .object(
          [.init("value", .number(value))] + Self.entered(entered) + reference.members)
      } ?? .null
    return .object(
      [
        .init("name", .text(name(member.account, in: state))),
        .init("own", .bool(member.account == viewer)), .init("required", .bool(member.isRequired)),
      ] + JSON.leftOut(member.isLeftOut) + [
        .init("value", member.value.map { .number($0) } ?? .null)
      ] + Self.entered(member.entered) + [
        .init("done", member.done.map { .object($0.members) } ?? .null), .init("late", late),
      ])
  }

  /// The entered value, when another value counts.
  private static func entered(_ amount: Amount?) -> [JSON.Member] {
    amount.map { [.init("entered_value", .number($0))] } ?? []
  }

  private func name(_ account: Account.ID?, in state: BookState) -> String? {
    account.flatMap { state.accounts[$0]?.displayName }
  }
}

extension HiveAudit.EntryReference {
  fileprivate var members: [JSON.Member] {
    [.init("position", .number(position)), .init("at", .instant(at))]
  }
}

extension BookState {
  /// A hive as one of its members sees it (HH-16).
  ///
  /// - Throws: ``Rejection/hiveNotFound``, or ``Rejection/notMember`` for anybody else.
  public func hive(_ number: Hive.ID, seenBy viewer: Account.ID) throws(Rejection) -> Hive {
    guard let hive = hives[number], !hive.isDeleted else { throw .hiveNotFound }
    guard hive.member(viewer) != nil else { throw .notMember }
    return hive
  }
}
