import Calendar
import Values
public import Avro

/// Joins a hive by an invite's code (HH-17). For a member it changes nothing, and uses up nothing.
public struct JoinHive: ColumnCommand {
  package var code: String

  public init(_ code: String) { self.code = code }

  package static let form = CommandForm(
    "join_hive_with_code", "Joins a hive by the code of an invite.", answer: "hive")
  /// The defaults; no code is named yet.
  public static var defaults: JoinHive { JoinHive("") }

  /// `p_code`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_code", &code, [.needed])
  }

  /// Decides the command; the answer is the hive.
  ///
  /// The checks, in this order: the code exists, the actor is not a member yet, the invite has not expired and is not
  /// used up, the hive has room.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Hive.ID>
  {
    let (actor, account) = try state.actor(context)
    let code = JoinCode.normalised(code)
    guard let (number, place) = state.indexes.hives.invite(of: code),
      let hive = state.hives[number],
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

/// Adds a person whom the owner knows, by their matching contacts, to a hive (HH-18). Only the owner may; for a member
/// it changes nothing.
public struct AddHiveMember: MemberCommand {
  package var thing: Hive.ID
  /// The new member.
  package var member: Account.ID

  public init(_ member: Account.ID, to hive: Hive.ID) {
    thing = hive
    self.member = member
  }

  package static let form = CommandForm(
    "add_hive_member", "Adds one of your contacts to a hive.", answer: "hive")
  /// The defaults; no member is named yet.
  public static var defaults: AddHiveMember { AddHiveMember(.placeholder, to: .placeholder) }

  /// The owner must not learn whether the account of a person exists whom they do not know.
  static var memberColumn: EntityCodec<Account> { EntityCodec("member", orElse: .noContact) }

  func events(_ found: Hive, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    guard found.member(member) == nil else { return [] }
    // The owner must not even learn that the accounts of people exist whom they do not know.
    guard state.contactMatches(of: found.owner).contains(member),
      let account = state.accounts[member], !account.isErased
    else { throw .noContact }
    return try state.joining(thing, found, member, account, invite: nil, context)
  }
}

/// Leaves a hive (HH-18). Its owner must hand it over first.
public struct LeaveHive: ColumnCommand {
  package var hive: Hive.ID

  public init(_ hive: Hive.ID) { self.hive = hive }

  package static let form = CommandForm("leave_hive", "Leaves a hive.", answer: "id, left")
  /// The defaults; no hive is named yet.
  public static var defaults: LeaveHive { LeaveHive(.placeholder) }

  /// `p_hive_id`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Hive.visit(&hive, by: &visitor)
  }

  /// The key of the hive; the actor sees nothing more of it.
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

/// Removes a member from a hive (HH-18). Only its owner may.
public struct RemoveHiveMember: MemberCommand {
  package var thing: Hive.ID
  package var member: Account.ID

  public init(_ member: Account.ID, from hive: Hive.ID) {
    thing = hive
    self.member = member
  }

  package static let form = CommandForm(
    "remove_hive_member", "Removes a member from a hive.", answer: "hive")
  /// The defaults; no member is named yet.
  public static var defaults: RemoveHiveMember {
    RemoveHiveMember(.placeholder, from: .placeholder)
  }

  func events(_ found: Hive, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    guard found.member(member) != nil else { throw .hiveMemberNotFound }
    guard found.owner != member else { throw .ownerMustHandOver }
    return state.leaving(thing, found, member, context)
  }
}

/// Links a habit of the actor's to a hive, so that logging the habit logs the hive's day in the same commit; or removes
/// the link. Links are never made automatically.
public struct LinkHabit: ColumnCommand {
  package var hive: Hive.ID
  /// The habit; none to remove the link.
  package var habit: Habit.ID?

  public init(_ habit: Habit.ID?, to hive: Hive.ID) {
    self.hive = hive
    self.habit = habit
  }

  package static let form = CommandForm(
    "link_habit",
    "Links a habit to a hive, so that logging the habit logs the hive's day; or removes the link.",
    answer: "hive_id, habit_id")
  /// The defaults; no habit or hive is named yet.
  public static var defaults: LinkHabit { LinkHabit(nil, to: .placeholder) }

  /// `p_hive_id`, `habit`: null removes the link.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Hive.visit(&hive, by: &visitor)
    try visitor.columns(
      OptionalEntityCodec(
        "habit", orElse: Rejection.habitNotFound, isNeeded: true, "null removes the link"),
      &habit)
  }

  /// The hive and the habit that is linked now.
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
    // An existing link stays, even if the habit was archived since.
    guard found.member(actor)?.habit != habit else { return Decision([], hive) }
    if let habit { _ = try state.sharedHabit(habit, context) }
    return Decision(
      [.hiveHabitLinked(HiveHabitLinked(hive: hive, member: actor, habit: habit))], hive)
  }
}
