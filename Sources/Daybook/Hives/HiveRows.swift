import Values
import Calendar
public import Avro

extension BookState {
  /// The hive's row of `hives`.
  package func hiveRow(_ hive: Hive) -> JSON { .object(hive.members(in: self)) }

  /// A stay's row of `hive_members`.
  func stayRow(_ hive: Hive, _ member: HiveMember, _ stay: HiveStay) -> JSON {
    [
      "hive_id": .key(hive.key), "user_id": .key(accounts[member.account]?.key),
      "role": .string(hive.owner == member.account ? "owner" : "member"),
      "joined_on": .day(stay.joinedOn), "required_from": .day(stay.requiredFrom),
      "required_through": .day(stay.requiredThrough),
      "habit_id": .key(stay.left == nil ? member.habit.flatMap { habits[$0]?.key } : nil),
      "joined_at": .instant(stay.joined), "left_at": .instant(stay.left),
    ]
  }

  /// A member's day, as `hive_member_days` has it: a late log is what is shown, and counts for nothing.
  func memberDayRow(_ hive: Hive, _ member: HiveMember, _ day: Day) -> JSON {
    let (onTime, late) = (member.days[day], member.lateDays[day])
    let shown = late ?? onTime
    var row: [JSON.Member] = [
      .init("hive_id", .key(hive.key)),
      .init("user_id", .key(accounts[member.account]?.key)), .init("log_date", .day(day)),
      .init("value", shown.map { .number($0.value) } ?? .null),
    ]
    if let entered = member.entered(on: day) {
      row.append(.init("entered_value", .number(entered)))
    }
    row += [
      .init("done", .bool(onTime.map { hive.isDone($0.value) } ?? false)),
      .init("late", .bool(late != nil)), .init("source", .text(shown?.source.rawValue)),
      .init("created_at", .instant(onTime?.created ?? late?.created)),
      .init("updated_at", .instant(shown?.updated)),
    ]
    return .object(row)
  }

  /// An invite's row of `hive_invites`.
  package func inviteRow(_ hive: Hive, _ invite: HiveInvite) -> JSON {
    [
      "hive_id": .key(hive.key), "code": .string(invite.code),
      "created_by": .key(invite.creator.flatMap { accounts[$0]?.key }),
      "expires_at": .instant(invite.expires), "max_uses": .number(invite.maximumUseCount),
      "use_count": .number(invite.useCount), "revoked": .bool(invite.isRevoked),
      "created_at": .instant(invite.created),
    ]
  }

  var hiveRows: [JSON] { hivesByKey.map { hiveRow($0) } }

  /// The rows of the hives, with the streak that each has at an instant, and the last day that advanced it.
  func hiveRows(seenAt instant: Instant, in zones: any TimeZones) -> [JSON] {
    hivesByKey.map { hive in
      let streak = hive.streak(firstOpen: firstOpenDay(of: hive, at: instant, in: zones))
      return .object(
        hive.members(in: self) + [
          .init("streak", .number(streak)), .init("last_advanced_on", .day(hive.advanced.last)),
        ])
    }
  }

  var hiveMemberRows: [JSON] {
    hivesByKey.flatMap { hive in
      byKey(hive.members).flatMap { member in member.stays.map { stayRow(hive, member, $0) } }
    }
  }

  var hiveInviteRows: [JSON] {
    hivesByKey.flatMap { hive in hive.invites.map { inviteRow(hive, $0) } }
  }

  fileprivate var hivesByKey: [Hive] {
    hives.elements.filter { !$0.isDeleted }.sorted { $0.key < $1.key }
  }

  /// Members by their accounts' keys.
  fileprivate func byKey(_ members: [HiveMember]) -> [HiveMember] {
    let zero = Key(high: 0, low: 0)
    return members.sorted {
      (accounts[$0.account]?.key ?? zero) < (accounts[$1.account]?.key ?? zero)
    }
  }
}

/// The rows of all members' days, as `hive_member_days` has them, by the hives' keys.
struct HiveMemberDayList: Listing {
  private let state: BookState
  private let hives: [Hive]

  init(_ state: BookState) {
    self.state = state
    hives = state.hivesByKey
  }

  var stepCount: Int { hives.count }

  func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for hive in hives[steps] {
      for member in state.byKey(hive.members) {
        for day in member.loggedDays { rows.value(state.memberDayRow(hive, member, day)) }
      }
    }
  }
}

/// Every day on which somebody was done or that advanced, as `hive_days` has it, by the hives' keys.
struct HiveDayList: Listing {
  private let hives: [Hive]

  init(_ state: BookState) { hives = state.hivesByKey }

  var stepCount: Int { hives.count }

  func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for hive in hives[steps] {
      let days = Set(hive.advanced + hive.members.flatMap { $0.days.records.map(\.day) }).sorted()
      // One by one: years may lie between them.
      for day in days { write(hive, day, to: &rows) }
    }
  }

  private func write(_ hive: Hive, _ day: Day, to rows: inout JSONWriter) {
    let judged = hive.day(day, firstOpen: .last)
    rows.object { row in
      row.member("hive_id", hive.key)
      row.member("day", day)
      row.member("complete_count", judged.completeCount)
      row.member("required_count", judged.requiredCount)
      row.member("advanced", judged.hasAdvanced)
    }
  }
}

extension BookState {
  func inviteRow(_ id: HiveInvite.ID) -> JSON {
    guard let hive = hives[id.hive], hive.invites.indices.contains(id.number - 1) else {
      return .null
    }
    return inviteRow(hive, hive.invites[id.number - 1])
  }

  func memberDayRow(_ answer: HiveMemberDay) -> JSON {
    guard let hive = hives[answer.hive], let place = hive.place(of: answer.member) else {
      return .null
    }
    return memberDayRow(hive, hive.members[place], answer.day)
  }
}

extension Hive: Columns {
  /// The columns of its row.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    var isDaily = schedule == .everyDay
    var weekmask = Int(schedule.bits)
    var needed = rule == .threshold ? threshold : nil
    try visitor.column("id", &key)
    try visitor.column("owner_id", &owner)
    try description.visitColumns(&visitor)
    try visitor.column("type", &type)
    try visitor.column("target_per_day", &target)
    try visitor.column("schedule_daily", &isDaily)
    try visitor.column("schedule_weekmask", &weekmask)
    try visitor.columns(ThresholdCodec(), &needed)
    try visitor.column("source_habit_id", &source)
    try visitor.column("created_on", &createdOn)
    try visitor.column("created_at", &created)
    try visitor.column("updated_at", &updated)
  }
}

extension ColumnCommand where Answer == Hive.ID {
  /// The hive's row, or that it is gone.
  package func row(of answer: Hive.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.hiveRow($0) }
  }
}

extension ColumnCommand where Answer == HiveInvite.ID {
  /// The invite's row.
  package func row(of answer: HiveInvite.ID, in state: BookState) -> JSON {
    state.inviteRow(answer)
  }
}

extension ColumnCommand where Answer == HiveMemberDay {
  /// The member's day.
  package func row(of answer: HiveMemberDay, in state: BookState) -> JSON {
    state.memberDayRow(answer)
  }
}

extension HiveMember {
  /// What they entered of a day, late or in time, when it is not the value that counts (HH-8).
  package func entered(on day: Day) -> Amount? {
    (lateDays[day] == nil ? days : lateDays).entered(on: day)
  }

  /// The days of which they logged something, in time or late, ascending.
  var loggedDays: [Day] {
    let days = days.records.map(\.day)
    guard lateDays.records.first(where: { _ in true }) != nil else { return days }
    return Set(days + lateDays.records.map(\.day)).sorted()
  }
}
