import Calendar
import Values
public import Avro

/// Joins a hive by an invite's code (HH-17). A member changes nothing and uses nothing up.
public struct JoinHive: ColumnCommand {
  package var code: String

  public init(_ code: String) { self.code = code }

  package static let form = CommandForm(
    "join_hive_with_code", "Joins a hive by the code of an invite.", answer: "hive")
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

/// Adds somebody whom the owner knows to a hive (HH-18): their contacts match. The owner may; a member changes
/// nothing.
public struct AddHiveMember: MemberCommand {
  /// The hive.
  package var thing: Hive.ID
  /// Whom.
  package var member: Account.ID

  public init(_ member: Account.ID, to hive: Hive.ID) {
    thing = hive
    self.member = member
  }

  package static let form = CommandForm(
    "add_hive_member", "Adds one of your contacts to a hive.", answer: "hive")
  /// Nobody yet.
  public static var defaults: AddHiveMember { AddHiveMember(.placeholder, to: .placeholder) }

  /// Whether somebody whom the owner does not know is there is not told.
  static var memberColumn: EntityCodec<Account> { EntityCodec("member", orElse: .noContact) }

  func events(_ found: Hive, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    guard found.member(member) == nil else { return [] }
    // Of those whom the owner does not know, it is not even told that they are there.
    guard state.contactMatches(of: found.owner).contains(member),
      let account = state.accounts[member], !account.isErased
    else { throw .noContact }
    return try state.joining(thing, found, member, account, invite: nil, context)
  }
}

/// Leaves a hive (HH-18). Its owner hands it over before.
public struct LeaveHive: ColumnCommand {
  package var hive: Hive.ID

  public init(_ hive: Hive.ID) { self.hive = hive }

  package static let form = CommandForm("leave_hive", "Leaves a hive.", answer: "id, left")
  /// No hive yet.
  public static var defaults: LeaveHive { LeaveHive(.placeholder) }

  /// `p_hive_id`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Hive.visit(&hive, by: &visitor)
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
public struct RemoveHiveMember: MemberCommand {
  /// The hive.
  package var thing: Hive.ID
  package var member: Account.ID

  public init(_ member: Account.ID, from hive: Hive.ID) {
    thing = hive
    self.member = member
  }

  package static let form = CommandForm(
    "remove_hive_member", "Removes a member from a hive.", answer: "hive")
  /// Nobody yet.
  public static var defaults: RemoveHiveMember {
    RemoveHiveMember(.placeholder, from: .placeholder)
  }

  func events(_ found: Hive, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    guard found.member(member) != nil else { throw .hiveMemberNotFound }
    guard found.owner != member else { throw .ownerMustHandOver }
    return state.leaving(thing, found, member, context)
  }
}

/// Links a habit of the actor's to a hive, so that logging the habit logs the hive's day in the same commit; or
/// takes the link away. It is never made by itself.
public struct LinkHabit: ColumnCommand {
  package var hive: Hive.ID
  /// The habit; none to take the link away.
  package var habit: Habit.ID?

  public init(_ habit: Habit.ID?, to hive: Hive.ID) {
    self.hive = hive
    self.habit = habit
  }

  package static let form = CommandForm(
    "link_habit",
    "Links a habit to a hive, so that logging it logs the hive's day; or takes the link away.",
    answer: "hive_id, habit_id")
  /// No habit, and no hive yet.
  public static var defaults: LinkHabit { LinkHabit(nil, to: .placeholder) }

  /// `p_hive_id`, `habit`: null takes the link away.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Hive.visit(&hive, by: &visitor)
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
