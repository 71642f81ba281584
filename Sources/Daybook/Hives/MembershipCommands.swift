import Calendar
import Values
public import Avro

/// Makes an invite by which people join a hive (HH-17). Its owner may.
public struct CreateHiveInvite: ColumnCommand {
  /// The hive.
  package var hive: Hive.ID
  /// For how many minutes it is good: at least 1.
  package var minutes: Int
  /// How many may use it: at least 1.
  package var maximumUseCount: Int
  /// Twelve hexadecimal digits, for a test; fresh ones from a secure source unless given.
  package var code: String?

  /// Makes the command.
  public init(
    _ hive: Hive.ID, minutes: Int = 10_080, maximumUseCount: Int = 20, code: String? = nil
  ) {
    self.hive = hive
    self.minutes = minutes
    self.maximumUseCount = maximumUseCount
    self.code = code
  }

  /// "create_hive_invite".
  package static var form: CommandForm {
    CommandForm(
      "create_hive_invite", "Makes an invite by which people join a hive.", answer: "invite")
  }
  /// To no hive yet.
  public static var defaults: CreateHiveInvite { CreateHiveInvite(.placeholder) }

  /// `p_hive_id`, `p_ttl_minutes`, `p_max_uses`, `code`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_hive_id", &hive, [.needed])
    try visitor.column(
      "p_ttl_minutes", &minutes,
      [.doc("for how long it is good, minutes"), .bounds(["minimum": 1, "maximum": 5_256_000])])
    try visitor.column(
      "p_max_uses", &maximumUseCount,
      [.doc("how many may join by it"), .bounds(["minimum": 1, "maximum": 1_000_000])])
    try visitor.column(
      "code", &code,
      [.doc("for a test; random unless given"), .bounds(["pattern": "^[0-9a-f]{12}$"])])
  }

  /// Decides the command; the answer is the invite's number in the hive, from 1.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HiveInvite.ID> {
    let found = try state.ledHive(hive, context)
    guard (1...5_256_000).contains(minutes) else { throw .invalidLifetime(minutes) }
    guard (1...1_000_000).contains(maximumUseCount) else { throw .invalidUses(maximumUseCount) }
    let code = code ?? HiveInvite.code(from: context.freshKey)
    guard HiveInvite.isCode(code) else { throw .malformedCode(code) }
    guard state.hiveIndex.invite(of: code) == nil else { throw .codeTaken(code) }
    let expires = context.at.advanced(byMilliseconds: Int64(minutes) * 60_000)
    return Decision(
      [
        .hiveInviteCreated(
          HiveInviteCreated(
            hive: hive, code: code, expires: expires,
            maximumUseCount: Int32(clamping: maximumUseCount)))
      ], HiveInvite.ID(hive: hive, number: found.invites.count + 1))
  }
}

/// Takes an invite back. The hive's owner may. One that was taken back stays so.
public struct RevokeHiveInvite: ColumnCommand {
  /// The code.
  package var code: String

  /// Makes the command.
  public init(_ code: String) { self.code = code }

  /// "revoke_hive_invite".
  package static var form: CommandForm {
    CommandForm("revoke_hive_invite", "Takes an invite back.", answer: "invite")
  }
  /// Of no code yet.
  public static var defaults: RevokeHiveInvite { RevokeHiveInvite("") }

  /// `p_code`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_code", &code, [.needed])
  }

  /// Decides the command; the answer is the invite's number in the hive, from 1.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HiveInvite.ID> {
    let (actor, _) = try state.actor(context)
    // Whoever does not lead the hive is not told whether there is such a code.
    guard let (number, place) = state.hiveIndex.invite(of: HiveInvite.normalised(code)),
      let hive = state.hives[number], !hive.isDeleted, hive.owner == actor
    else { throw .invalidCode }
    let answer = HiveInvite.ID(hive: number, number: place + 1)
    guard !hive.invites[place].isRevoked else { return Decision([], answer) }
    return Decision(
      [
        .hiveInviteRevoked(
          HiveInviteRevoked(hive: number, invite: Int32(clamping: place + 1)))
      ], answer)
  }
}

/// Joins a hive by an invite's code (HH-17). A member changes nothing and uses nothing up.
public struct JoinHive: ColumnCommand {
  /// The code.
  package var code: String

  /// Makes the command.
  public init(_ code: String) { self.code = code }

  /// "join_hive_with_code".
  package static var form: CommandForm {
    CommandForm("join_hive_with_code", "Joins a hive by the code of an invite.", answer: "hive")
  }
  /// By no code yet.
  public static var defaults: JoinHive { JoinHive("") }

  /// `p_code`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_code", &code, [.needed])
  }

  /// Decides the command; the answer is the hive.
  ///
  /// What is checked, in this order: that there is such a code, that the actor is no member yet, that the invite
  /// has not expired and is not used up, that the hive has room.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Hive.ID>
  {
    let (actor, account) = try state.actor(context)
    let code = HiveInvite.normalised(code)
    guard let (number, place) = state.hiveIndex.invite(of: code), let hive = state.hives[number],
      !hive.isDeleted, !hive.invites[place].isRevoked
    else { throw .invalidCode }
    guard hive.member(actor) == nil else { return Decision([], number) }
    guard context.at <= hive.invites[place].expires else { throw .inviteExpired }
    guard hive.invites[place].useCount < hive.invites[place].maximumUseCount else {
      throw .inviteExhausted
    }
    let joined = try state.joining(
      number, hive, actor, account, invite: Int32(clamping: place + 1), context)
    return Decision(joined, number)
  }
}

/// Adds somebody whom the owner knows to a hive (HH-18): their contacts match. The owner may; a member changes
/// nothing.
public struct AddHiveMember: ColumnCommand {
  /// The hive.
  package var hive: Hive.ID
  /// Whom.
  package var member: Account.ID

  /// Makes the command.
  public init(_ member: Account.ID, to hive: Hive.ID) {
    self.hive = hive
    self.member = member
  }

  /// "add_hive_member".
  package static var form: CommandForm {
    CommandForm("add_hive_member", "Adds one of your contacts to a hive.", answer: "hive")
  }
  /// Nobody yet.
  public static var defaults: AddHiveMember { AddHiveMember(.placeholder, to: .placeholder) }

  /// `p_hive_id`, `member`: an account.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_hive_id", &hive, [.needed])
    // Whether somebody whom the owner does not know is there is not told.
    try visitor.columns(EntityCodec("member", orElse: Rejection.noContact), &member)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Hive.ID>
  {
    let found = try state.ledHive(hive, context)
    guard found.member(member) == nil else { return Decision([], hive) }
    // Of those whom the owner does not know, it is not even told that they are there.
    guard state.contactMatches(of: found.owner).contains(member),
      let account = state.accounts[member], !account.isErased
    else { throw .noContact }
    return Decision(
      try state.joining(hive, found, member, account, invite: nil, context), hive)
  }
}

/// Leaves a hive (HH-18). Its owner hands it over before.
public struct LeaveHive: ColumnCommand {
  /// The hive.
  package var hive: Hive.ID

  /// Makes the command.
  public init(_ hive: Hive.ID) { self.hive = hive }

  /// "leave_hive".
  package static var form: CommandForm {
    CommandForm("leave_hive", "Leaves a hive.", answer: "id, left")
  }
  /// No hive yet.
  public static var defaults: LeaveHive { LeaveHive(.placeholder) }

  /// `p_hive_id`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_hive_id", &hive, [.needed])
  }

  /// The key of the hive that is left; nothing more of it is shown.
  package func row(of answer: Hive.ID, in state: BookState) -> JSON {
    ["id": .key(state.hives[answer]?.key), "left": true]
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Hive.ID>
  {
    let (found, actor, _) = try state.sharedHive(hive, context)
    guard found.owner != actor else { throw .ownerMustHandOver }
    return Decision(state.leaving(hive, found, actor, context), hive)
  }
}

/// Removes a member from a hive (HH-18). Its owner may.
public struct RemoveHiveMember: ColumnCommand {
  /// The hive.
  package var hive: Hive.ID
  /// The member.
  package var member: Account.ID

  /// Makes the command.
  public init(_ member: Account.ID, from hive: Hive.ID) {
    self.hive = hive
    self.member = member
  }

  /// "remove_hive_member".
  package static var form: CommandForm {
    CommandForm("remove_hive_member", "Removes a member from a hive.", answer: "hive")
  }
  /// Nobody yet.
  public static var defaults: RemoveHiveMember {
    RemoveHiveMember(.placeholder, from: .placeholder)
  }

  /// `p_hive_id`, `member`: an account.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_hive_id", &hive, [.needed])
    try visitor.columns(EntityCodec("member", orElse: Rejection.hiveMemberNotFound), &member)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Hive.ID>
  {
    let found = try state.ledHive(hive, context)
    guard found.member(member) != nil else { throw .hiveMemberNotFound }
    guard found.owner != member else { throw .ownerMustHandOver }
    return Decision(state.leaving(hive, found, member, context), hive)
  }
}

/// Links a habit of the actor's to a hive, so that logging the habit logs the hive's day in the same commit; or
/// takes the link away. It is never made by itself.
public struct LinkHabit: ColumnCommand {
  /// The hive.
  package var hive: Hive.ID
  /// The habit; none to take the link away.
  package var habit: Habit.ID?

  /// Makes the command.
  public init(_ habit: Habit.ID?, to hive: Hive.ID) {
    self.hive = hive
    self.habit = habit
  }

  /// "link_habit".
  package static var form: CommandForm {
    CommandForm(
      "link_habit",
      "Links a habit to a hive, so that logging it logs the hive's day; or takes the link away.",
      answer: "hive_id, habit_id")
  }
  /// No habit, and no hive yet.
  public static var defaults: LinkHabit { LinkHabit(nil, to: .placeholder) }

  /// `p_hive_id`, `habit`: null takes the link away.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_hive_id", &hive, [.needed])
    try visitor.columns(
      OptionalEntityCodec(
        "habit", orElse: Rejection.habitNotFound, isNeeded: true, "null takes the link away"),
      &habit)
  }

  /// What is linked now.
  package func row(of answer: Hive.ID, in state: BookState) -> JSON {
    [
      "hive_id": .key(state.hives[answer]?.key),
      "habit_id": .key(habit.flatMap { state.habits[$0]?.key }),
    ]
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Hive.ID>
  {
    let (found, actor, _) = try state.sharedHive(hive, context)
    // A link that is there already stays, though the habit was archived since.
    guard found.member(actor)?.habit != habit else { return Decision([], hive) }
    if let habit { _ = try state.sharedHabit(habit, context) }
    return Decision(
      [.hiveHabitLinked(HiveHabitLinked(hive: hive, member: actor, habit: habit))], hive)
  }
}

extension HiveInvite {
  /// Which invite: the n-th of a hive.
  public struct ID: Hashable, Sendable {
    /// The hive.
    package var hive: Hive.ID
    /// From 1.
    package var number: Int
  }

  /// The code as it is kept: people type capitals and space.
  static func normalised(_ code: String) -> String { code.trimmingSpace.lowercased() }

  /// Whether it is a code: twelve hexadecimal digits in lower case.
  package static func isCode(_ code: String) -> Bool {
    code.utf8.count == 12
      && code.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// A code from a fresh key, whose last six bytes are as random as a UUID's are (RFC 9562, version 4).
  static func code(from key: Key) -> String {
    let digits = String(key.low & 0xFFFF_FFFF_FFFF, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }
}

extension BookState {
  /// The events by which somebody joins a hive that has room. Open days that are shared now, and on which enough
  /// are done already, then advance (R5).
  func joining(
    _ number: Hive.ID, _ hive: Hive, _ member: Account.ID, _ account: Account, invite: Int32?,
    _ context: Context
  ) throws(Rejection) -> [Event] {
    guard hive.activeMembers.count < Hive.maximumMemberCount else { throw .hiveFull }
    let day = try account.today(context)
    let joined = HiveJoined(
      hive: number, member: member, day: day,
      requiredFrom: max(day, firstOpenDay(of: hive, context)), invite: invite)
    var after = hive
    after.apply(joined, at: context.at)
    return [.hiveJoined(joined)] + advancing(number, from: hive, to: after, context)
  }

  /// The events by which somebody leaves a hive. Open days on which the others are all done then advance (R5).
  func leaving(
    _ number: Hive.ID, _ hive: Hive, _ member: Account.ID, _ context: Context
  ) -> [Event] {
    let open = firstOpenDay(of: hive, context)
    let left = HiveLeft(hive: number, member: member, requiredThrough: open.advanced(by: -1))
    var after = hive
    after.apply(left, at: context.at)
    return [.hiveLeft(left)] + advancing(number, from: hive, to: after, context)
  }

  /// The days that were open and advance because the hive's members are others now.
  private func advancing(
    _ number: Hive.ID, from before: Hive, to after: Hive, _ context: Context
  ) -> [Event] {
    let open = firstOpenDay(of: before, context)
    let openAfter = firstOpenDay(of: after, context)
    var after = after
    var events: [Event] = []
    var latest = open
    for member in after.members where member.isActive {
      guard let account = accounts[member.account] else { continue }
      latest = max(latest, account.openDay(at: context.at, in: context.zones))
    }
    var day = open
    while day <= latest {
      if var advanced = after.advancing(day, number, firstOpen: open) {
        after.advance(day)
        // Days before it may have closed, too, and ended the streak that there was.
        let told = min(openAfter, day.advanced(by: 1))
        advanced.streak = Int32(clamping: after.streak(firstOpen: told))
        events.append(.hiveAdvanced(advanced))
      }
      day = day.advanced(by: 1)
    }
    return events
  }
}
