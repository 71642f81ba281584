package import Calendar
public import Avro

/// Logs a day in a hive (HH-19). The day advances when enough members are done with it (HH-20).
public struct LogHiveDay: ColumnCommand {
  package var hive: Hive.ID
  /// The value: the part that counts is clamped to 1…target (R2), and the entered value is stored beside it if it
  /// differs (HH-8).
  package var value: Amount
  /// The day to log.
  package var day: DayChoice
  /// The source of the log.
  package var source: LogSource

  public init(
    _ hive: Hive.ID, value: Amount = .one, day: DayChoice = .today, source: LogSource = .manual
  ) {
    self.hive = hive
    self.value = value
    self.day = day
    self.source = source
  }

  package static let form = CommandForm(
    "log_hive_today", "Logs a day in a hive.", answer: "member's day")
  /// The value one, today.
  public static var defaults: LogHiveDay { LogHiveDay(.placeholder) }

  /// `p_hive_id`, `p_value`, `day` or `p_at`, `source`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Hive.visit(&hive, by: &visitor)
    try visitor.columns(LoggedAmountCodec("p_value"), &value)
    try visitor.columns(DayCodec(), &day)
    try visitor.column("source", &source)
  }

  /// Decides the command; the answer is the member's day.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HiveMemberDay> {
    let (found, actor, account) = try state.sharedHive(hive, context)
    let day = try account.hiveDay(day, context)
    guard let member = found.member(actor), member.mayLog(day) else {
      throw .beforeJoining(day: day, joined: found.member(actor)?.stays.last?.joinedOn ?? day)
    }
    return Decision(
      state.logging(hive, found, actor, day, value, source, context),
      HiveMemberDay(hive: hive, member: actor, day: day))
  }
}

/// Clears what the actor logged for a hive's day. A day that advanced stays so; for a closed day only the late log is
/// removed. A day without a record stays as it is.
public struct ClearHiveLog: ColumnCommand {
  package var hive: Hive.ID
  /// The day to clear.
  package var day: DayChoice
  /// The source of the command.
  package var source: LogSource

  public init(_ hive: Hive.ID, day: DayChoice = .today, source: LogSource = .manual) {
    self.hive = hive
    self.day = day
    self.source = source
  }

  package static let form = CommandForm(
    "clear_hive_log", "Clears a day in a hive.", answer: "member's day")
  /// Today.
  public static var defaults: ClearHiveLog { ClearHiveLog(.placeholder) }

  /// `p_hive_id`, `day` or `p_at`, `source`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Hive.visit(&hive, by: &visitor)
    try visitor.columns(DayCodec(), &day)
    try visitor.column("source", &source)
  }

  /// Decides the command; the answer is the member's day.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HiveMemberDay> {
    let (found, actor, account) = try state.sharedHive(hive, context)
    let day = try account.hiveDay(day, context)
    return Decision(
      state.clearing(hive, found, actor, day, source, context),
      HiveMemberDay(hive: hive, member: actor, day: day))
  }
}

/// Checks again whether a hive's day advances (HH-22, R7). A member or the system may; it is safe to repeat.
public struct AdvanceHiveDay: ColumnCommand {
  package var hive: Hive.ID
  package var day: Day

  public init(_ hive: Hive.ID, day: Day) {
    self.hive = hive
    self.day = day
  }

  package static let form = CommandForm(
    "advance_hive_day", "Checks again whether a hive's day advances.",
    answer: "advanced, complete_count, required_count")
  /// No day yet.
  public static var defaults: AdvanceHiveDay { AdvanceHiveDay(.placeholder, day: .placeholder) }

  /// `p_hive_id`, `p_day`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Hive.visit(&hive, by: &visitor)
    try visitor.column("p_day", &day, [.needed])
  }

  /// Whether the day advanced, with the numbers of members who are done and required.
  package func row(of answer: HiveDay, in state: BookState) -> JSON {
    [
      "advanced": .bool(answer.hasAdvanced), "complete_count": .number(answer.completeCount),
      "required_count": .number(answer.requiredCount),
    ]
  }

  /// The hive.
  package func aggregate(of answer: HiveDay) -> Aggregate? { .hive(hive) }

  /// Decides the command; the answer is the day.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<HiveDay>
  {
    let found: Hive
    if context.actor == nil {
      guard let hive = state.hives[hive], !hive.isDeleted else { throw .hiveNotFound }
      found = hive
    } else {
      found = try state.sharedHive(hive, context).0
    }
    var latest = found.createdOn
    for member in found.members where member.isActive {
      guard let account = state.accounts[member.account] else { continue }
      latest = max(latest, account.openDay(at: context.at, in: context.zones))
    }
    guard day >= found.createdOn, day <= latest else { throw .dayNotBegun(day) }
    let open = state.firstOpenDay(of: found, context)
    guard let advanced = found.advancing(day, hive, firstOpen: open) else {
      return Decision([], found.day(day, firstOpen: open))
    }
    var after = found
    after.advance(day)
    return Decision([.hiveAdvanced(advanced)], after.day(day, firstOpen: open))
  }
}

/// A member's day in a hive.
public struct HiveMemberDay: Hashable, Sendable {
  package var hive: Hive.ID
  /// The member whose day it is.
  package var member: Account.ID
  package var day: Day
}
