import Values
import Calendar
public import Avro

/// A hive's row of `hives`; where it is shown, with columns that also depend on the time zones.
struct HiveRow: RowForm {
  let members: [JSON.Member]
  let streak: Int
  let lastAdvanced: Day?

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == HiveRow {
    visitor.columns(of: Hive.self) { $0.members }
    visitor.optional("streak", "the shared streak, if the row is shown in a table") {
      $0.streak
    }
    visitor.optional("last_advanced_on", as: Day?.self) { .some($0.lastAdvanced) }
  }
}

/// A stay's row of `hive_members`.
struct HiveMemberRow: RowForm {
  let hive: Key
  let person: Key?
  let isOwner: Bool
  let habit: Key?
  let stay: HiveMembership

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == HiveMemberRow {
    visitor.column("hive_id", as: Hive.ID.self) { $0.hive }
    visitor.column("user_id", as: Account.ID?.self) { $0.person }
    visitor.column("role", schema: ["enum": ["owner", "member"]], "") {
      $0.isOwner ? "owner" : "member"
    }
    visitor.column("joined_on") { $0.stay.joinedOn }
    visitor.column("required_from", "the first day on which the member is required") {
      $0.stay.requiredFrom
    }
    visitor.column(
      "required_through", "the last day on which the member is required; null while they stay"
    ) {
      $0.stay.requiredThrough
    }
    visitor.column("habit_id", as: Habit.ID?.self, "the habit that the member linked") { $0.habit }
    visitor.column("joined_at") { $0.stay.joined }
    visitor.column("left_at") { $0.stay.left }
  }
}

/// A member's day, in the form of `hive_member_days`: a late log is shown, but counts for nothing.
struct MemberDayRow: RowForm {
  let hive: Key
  let person: Key?
  let day: Day
  let onTime: DayTable.Record?
  let late: DayTable.Record?
  let entered: Amount?
  let isDone: Bool

  /// The record that is shown for the day.
  private var shown: DayTable.Record? { late ?? onTime }

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == MemberDayRow {
    visitor.column("hive_id", as: Hive.ID.self) { $0.hive }
    visitor.column("user_id", as: Account.ID?.self) { $0.person }
    visitor.column("log_date") { $0.day }
    visitor.column("value") { $0.shown?.value }
    visitor.optional("entered_value", "the entered value, if a different value counts") {
      $0.entered
    }
    visitor.column("done") { $0.isDone }
    visitor.column("late", "logged after the day was over, so that it does not count") {
      $0.late != nil
    }
    visitor.column("source", as: LogSource?.self) { $0.shown?.source.rawValue }
    visitor.column("created_at") { $0.onTime?.created ?? $0.late?.created }
    visitor.column("updated_at") { $0.shown?.updated }
  }
}

/// A day of a hive, in the form of `hive_days`.
struct HiveDayRow: RowForm {
  let hive: Key
  let day: Day
  let completeCount: Int
  let requiredCount: Int
  let hasAdvanced: Bool

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == HiveDayRow {
    visitor.column("hive_id", as: Hive.ID.self) { $0.hive }
    visitor.column("day") { $0.day }
    visitor.column("complete_count") { $0.completeCount }
    visitor.column("required_count") { $0.requiredCount }
    visitor.column("advanced") { $0.hasAdvanced }
  }
}

/// An invite's row of `hive_invites`.
struct InviteRow: RowForm {
  let hive: Key
  let creator: Key?
  let invite: HiveInvite

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == InviteRow {
    visitor.column("hive_id", as: Hive.ID.self) { $0.hive }
    visitor.column("code") { $0.invite.code }
    visitor.column("created_by", as: Account.ID?.self) { $0.creator }
    visitor.column("expires_at") { $0.invite.expires }
    visitor.column("max_uses") { Int($0.invite.maximumUseCount) }
    visitor.column("use_count") { Int($0.invite.useCount) }
    visitor.column("revoked") { $0.invite.isRevoked }
    visitor.column("created_at") { $0.invite.created }
  }
}

extension BookState {
  /// The hive's row of `hives`.
  package func hiveRow(_ hive: Hive) -> JSON { .object(hive.members(in: self)) }

  private func row(_ hive: Hive, _ member: HiveMember, _ stay: HiveMembership) -> HiveMemberRow {
    HiveMemberRow(
      hive: hive.key, person: accounts[member.account]?.key, isOwner: hive.owner == member.account,
      habit: stay.left == nil ? member.habit.flatMap { habits[$0]?.key } : nil, stay: stay)
  }

  fileprivate func row(_ hive: Hive, _ member: HiveMember, _ day: Day) -> MemberDayRow {
    let onTime = member.days[day]
    return MemberDayRow(
      hive: hive.key, person: accounts[member.account]?.key, day: day, onTime: onTime,
      late: member.lateDays[day], entered: member.entered(on: day),
      isDone: onTime.map { hive.isDone($0.value) } ?? false)
  }

  private func row(_ hive: Hive, _ invite: HiveInvite) -> InviteRow {
    InviteRow(
      hive: hive.key, creator: invite.creator.flatMap { accounts[$0]?.key }, invite: invite)
  }

  /// An invite's row of `hive_invites`.
  package func inviteRow(_ hive: Hive, _ invite: HiveInvite) -> JSON { row(hive, invite).json }

  var hiveRows: [JSON] { hivesByKey.map { hiveRow($0) } }

  /// The rows of the hives, with each one's streak at an instant, and the last day that advanced.
  func hiveRows(seenAt instant: Instant, in zones: any TimeZones) -> [HiveRow] {
    hivesByKey.map { hive in
      let firstOpen = firstOpenDay(of: hive, at: instant, in: zones)
      return HiveRow(
        members: hive.members(in: self), streak: hive.streak(firstOpen: firstOpen),
        lastAdvanced: hive.advanced.last)
    }
  }

  var hiveMemberRows: [HiveMemberRow] {
    hivesByKey.flatMap { hive in
      byKey(hive.members).flatMap { member in member.stays.map { row(hive, member, $0) } }
    }
  }

  var hiveInviteRows: [InviteRow] {
    hivesByKey.flatMap { hive in hive.invites.map { row(hive, $0) } }
  }

  fileprivate var hivesByKey: [Hive] {
    hives.elements.filter { !$0.isDeleted }.sorted { $0.key < $1.key }
  }

  /// Members, sorted by their accounts' keys.
  fileprivate func byKey(_ members: [HiveMember]) -> [HiveMember] {
    let zero = Key(high: 0, low: 0)
    return members.sorted {
      (accounts[$0.account]?.key ?? zero) < (accounts[$1.account]?.key ?? zero)
    }
  }
}

/// The rows of all members' days, in the form of `hive_member_days`, by the hives' keys.
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
        for day in member.loggedDays { state.row(hive, member, day).write(to: &rows) }
      }
    }
  }
}

/// Every day that advanced or on which a member was done, in the form of `hive_days`, by the hives' keys.
struct HiveDayList: Listing {
  private let hives: [Hive]

  init(_ state: BookState) { hives = state.hivesByKey }

  var stepCount: Int { hives.count }

  func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for hive in hives[steps] {
      let days = Set(hive.advanced + hive.members.flatMap { $0.days.records.map(\.day) }).sorted()
      // Each day is judged separately: years may lie between them.
      for day in days { write(hive, day, to: &rows) }
    }
  }

  private func write(_ hive: Hive, _ day: Day, to rows: inout JSONWriter) {
    let judged = hive.day(day, firstOpen: .last)
    HiveDayRow(
      hive: hive.key, day: day, completeCount: Int(judged.completeCount),
      requiredCount: Int(judged.requiredCount), hasAdvanced: judged.hasAdvanced
    ).write(to: &rows)
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
    return row(hive, hive.members[place], answer.day).json
  }
}

extension Hive: Columns {
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

extension Hive: RowEntity {
  package func row(in state: BookState) -> JSON { state.hiveRow(self) }

  static func tables(of state: BookState) -> [RowTable] {
    [
      RowTable("hives", HiveRow.columns) { RowList(all: state.hiveRows) },
      RowTable("hive_members", HiveMemberRow.self, state.hiveMemberRows),
      RowTable("hive_member_days", MemberDayRow.columns) { HiveMemberDayList(state) },
      RowTable("hive_days", HiveDayRow.columns) { HiveDayList(state) },
      RowTable("hive_invites", InviteRow.self, state.hiveInviteRows),
    ]
  }
}

extension HiveInvite.ID: RowAnswer {
  package func row(in state: BookState) -> JSON { state.inviteRow(self) }
}

extension HiveMemberDay: RowAnswer {
  package func row(in state: BookState) -> JSON { state.memberDayRow(self) }
}

extension HiveMember {
  /// The value that they entered for a day, late or in time, when another value counts (HH-8).
  package func entered(on day: Day) -> Amount? {
    (lateDays[day] == nil ? days : lateDays).entered(on: day)
  }

  /// The days that they logged, in time or late, ascending.
  var loggedDays: [Day] {
    let days = days.records.map(\.day)
    guard lateDays.records.first(where: { _ in true }) != nil else { return days }
    return Set(days + lateDays.records.map(\.day)).sorted()
  }
}
