public import Calendar

/// Compares each day of a hive as it was when it had closed for all members with the day as it is known now, and shows
/// how late each member logged it. A late log is shown, but does not count (HH-20).
public struct HiveThenAndNow: Sendable {
  /// An entry of a member about a day.
  public struct MemberEntry: Sendable {
    /// The member.
    public let member: Account.ID
    /// The entry; its lateness follows the member's own clock.
    public let entry: DatedEntry
  }

  /// A day that has closed for all members.
  public struct ClosedDay: Sendable {
    /// The day.
    public let day: Day
    /// When it closed for the last member.
    public let closed: Instant
    /// The day as it was at its close.
    public let then: HiveDay
    /// The shared streak after it, as computed then.
    public let streakThen: Int
    /// The day as it is now.
    public let now: HiveDay
    /// The shared streak after it, as computed now.
    public let streakNow: Int
    /// The members' logs and clears of the day, oldest first.
    public let logs: [MemberEntry]

    /// Whether the verdict, the counts or the streak have changed since.
    public var isChanged: Bool { then != now || streakThen != streakNow }
    /// Whether a member recorded something about it after their day was over.
    public var isLate: Bool { logs.contains { $0.entry.isLate } }
  }

  /// The audit of the hive as it is now.
  public let audit: HiveAudit
  /// The requested days that have closed, ascending.
  public let days: [ClosedDay]

  /// Compares the days at their close with the present.
  ///
  /// - Parameters:
  ///   - audit: The hive as a member sees it now, with all of its days.
  ///   - number: Its number.
  ///   - entries: The entries of the hive, and of the accounts of all present and former members, oldest first.
  ///   - query: The query for the present view.
  ///   - span: The days to include; all if not given.
  public init(
    _ audit: HiveAudit, _ number: Hive.ID, _ entries: [Entry], _ query: Query,
    days span: ClosedRange<Day>? = nil
  ) {
    self.audit = audit
    var closes = HiveCloses(
      number, audit.hive.members.map(\.account), entries, query.zones)
    var (told, streakThen) = ([ClosedDay](), 0)
    for now in audit.days {
      guard let close = closes.close(of: now.judged.day) else { break }
      guard close.at <= query.asOf else { break }
      switch close.day.verdict {
      case .advanced: streakThen += 1
      case .broken: streakThen = 0
      case .open, .off, .unshared, .before, .leftOut: break
      }
      guard span?.contains(now.judged.day) ?? true else { continue }
      told.append(
        ClosedDay(
          day: now.judged.day, closed: close.at, then: close.day, streakThen: streakThen,
          now: now.judged, streakNow: now.streak, logs: closes.logs(of: now.judged.day)))
    }
    days = told
  }
}

/// Replays a hive and its members' clocks through its days, each up to its close.
private struct HiveCloses {
  private let hive: Hive.ID
  private let entries: [Entry]
  private let zones: any TimeZones
  private var part: BookState
  private var applied = 0
  private var byDay: [Day: [HiveThenAndNow.MemberEntry]] = [:]

  /// When the previous day closed.
  private var lastClose = Instant.first

  init(
    _ hive: Hive.ID, _ members: [Account.ID], _ entries: [Entry], _ zones: any TimeZones
  ) {
    self.hive = hive
    self.entries = entries
    self.zones = zones
    part = BookState(only: [.hive(hive)] + members.map { .account($0) })
    measure()
  }

  func logs(of day: Day) -> [HiveThenAndNow.MemberEntry] { byDay[day] ?? [] }

  /// The state of a day when it closed, and the instant of the close; nothing for a day that never closed. Days must be
  /// requested in order.
  mutating func close(of day: Day) -> (at: Instant, day: HiveDay)? {
    var closed = end(of: day).map { max($0, lastClose) }
    while applied < entries.count {
      let entry = entries[applied]
      if let closed, entry.head.at > closed { break }
      part.apply(entry)
      applied += 1
      // A day that is over according to this entry closes with it.
      closed = end(of: day).map { max($0, lastClose, $0 < entry.head.at ? entry.head.at : $0) }
    }
    guard let closed, let found = part.hives[hive] else { return nil }
    lastClose = closed
    return (closed, found.day(day, firstOpen: day.advanced(by: 1)))
  }

  /// The last moment of a day for the last member who is required on it, as far as is known; nothing before the hive
  /// begins, or when it has no members.
  private func end(of day: Day) -> Instant? {
    guard let found = part.hives[hive] else { return nil }
    let stays = found.members.filter(\.isActive)
    guard !stays.isEmpty else { return nil }
    var last = Instant.first
    for member in stays {
      guard let stay = member.stays.last, stay.requiredFrom <= day,
        let account = part.accounts[member.account], account.closedBefore <= day,
        let end = member.isLeftOut(on: day)
          ? DateLine.lastMoment(beforeEndOf: day) : account.dayClock.close(of: day, in: zones)
      else { continue }
      last = max(last, end)
    }
    return last
  }

  /// Measures the lateness of each log, by the clock that its member had then.
  private mutating func measure() {
    var part = part
    for entry in entries {
      part.apply(entry)
      guard case .day(let day, let member?) = entry.event.rowScope else { continue }
      let end = part.accounts[member]?.dayClock.close(of: day, in: zones) ?? .last
      byDay[day, default: []].append(
        .init(member: member, entry: DatedEntry(AuditTrail.Item(entry), closed: end)))
    }
  }
}
