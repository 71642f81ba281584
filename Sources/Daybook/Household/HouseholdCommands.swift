package import Values
public import Avro

/// Begins a household (MC-1); the actor is its first member. Repeated by a member with the same key and name it
/// changes nothing.
public struct CreateHousehold: ColumnCommand {
  /// The client's name for the household; a fresh one unless given.
  package var key: Key?
  /// What it is called.
  package var name: String

  /// Makes the command.
  public init(key: Key? = nil, name: String) {
    self.key = key
    self.name = name
  }

  /// "create_household".
  package static let form = CommandForm(
    "create_household", "Begins a household; who asks is its first member.", answer: "household")
  /// A household without a name.
  public static var defaults: CreateHousehold { CreateHousehold(name: "") }

  /// `key`, `name`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("key", &key)
    try visitor.column("name", &name, [.needed])
  }

  /// Decides the command; the answer is the household's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Household.ID> {
    let actor = try state.actor(context).0
    let key = key ?? context.freshKey
    let name = try checkedLine(name, "name")
    if let known = state.households.number(of: key) {
      guard state.household(known, for: actor)?.name == name else { throw .keyTaken(key) }
      return Decision([], known)
    }
    return Decision(
      [.householdCreated(HouseholdCreated(key: key, owner: actor, name: name))],
      state.households.nextNumber)
  }
}

/// Changes what a household is called. Any member may.
public struct RenameHousehold: ColumnCommand {
  /// The household.
  package var household: Household.ID
  /// What it is called from now on.
  package var name: String

  /// Makes the command.
  public init(_ household: Household.ID, name: String) {
    self.household = household
    self.name = name
  }

  /// "rename_household".
  package static let form = CommandForm(
    "rename_household", "Changes what a household is called.", answer: "household")
  /// Of no household yet.
  public static var defaults: RenameHousehold { RenameHousehold(.placeholder, name: "") }

  /// `household`, `name`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column("name", &name, [.needed])
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Household.ID> {
    let (found, _) = try state.ownHousehold(household, context)
    let name = try checkedLine(name, "name")
    guard name != found.name else { return Decision([], household) }
    return Decision(
      [.householdRenamed(HouseholdRenamed(household: household, name: name))], household)
  }
}

/// Brings somebody into a household (MC-1). Any member may; for one who is a member it changes nothing.
public struct AddHouseholdMember: ColumnCommand {
  /// The household.
  package var household: Household.ID
  /// Whom.
  package var member: Account.ID

  /// Makes the command.
  public init(_ member: Account.ID, to household: Household.ID) {
    self.household = household
    self.member = member
  }

  /// "add_household_member".
  package static let form = CommandForm(
    "add_household_member", "Brings somebody into a household.", answer: "household")
  /// Of no household yet.
  public static var defaults: AddHouseholdMember {
    AddHouseholdMember(.placeholder, to: .placeholder)
  }

  /// `household`, `member`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.columns(
      EntityCodec("member", orElse: Rejection.personNotFound, "an account"), &member)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Household.ID> {
    let (found, _) = try state.ownHousehold(household, context)
    guard !found.hasMember(member) else { return Decision([], household) }
    guard let account = state.accounts[member], !account.isErased else { throw .personNotFound }
    guard found.activeMembers.count < Household.maximumMemberCount else { throw .householdFull }
    return Decision(
      [.householdJoined(HouseholdJoined(household: household, member: member))], household)
  }
}

/// Leaves a household. What was assigned to the actor and is open is nobody's then; when the last member leaves,
/// the household is deleted.
public struct LeaveHousehold: ColumnCommand {
  /// The household.
  package var household: Household.ID

  /// Makes the command.
  public init(_ household: Household.ID) { self.household = household }

  /// "leave_household".
  package static let form = CommandForm(
    "leave_household", "Leaves a household; when the last member leaves, it is deleted.",
    answer: "id, left")
  /// Of no household yet.
  public static var defaults: LeaveHousehold { LeaveHousehold(.placeholder) }

  /// `household`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Household.ID> {
    let (found, actor) = try state.ownHousehold(household, context)
    return Decision(state.leaving(household, found, actor), household)
  }

  /// The key of what is left; nothing more of it is shown.
  package func row(of answer: Household.ID, in state: BookState) -> JSON {
    ["id": answer.json(state), "left": true]
  }
}

/// Removes somebody from a household, as if they left. Any member may.
public struct RemoveHouseholdMember: ColumnCommand {
  /// The household.
  package var household: Household.ID
  /// Whom.
  package var member: Account.ID

  /// Makes the command.
  public init(_ member: Account.ID, from household: Household.ID) {
    self.household = household
    self.member = member
  }

  /// "remove_household_member".
  package static let form = CommandForm(
    "remove_household_member", "Removes somebody from a household, as if they left.",
    answer: "household")
  /// Of no household yet.
  public static var defaults: RemoveHouseholdMember {
    RemoveHouseholdMember(.placeholder, from: .placeholder)
  }

  /// `household`, `member`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.columns(
      EntityCodec("member", orElse: Rejection.personNotFound, "an account"), &member)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Household.ID> {
    let (found, _) = try state.ownHousehold(household, context)
    guard found.hasMember(member) else { throw .personNotFound }
    return Decision(state.leaving(household, found, member), household)
  }
}

/// Deletes a household with all that belongs to it; time travel finds it. Any member may.
public struct DeleteHousehold: ColumnCommand {
  /// The household.
  package var household: Household.ID

  /// Makes the command.
  public init(_ household: Household.ID) { self.household = household }

  /// "delete_household".
  package static let form = CommandForm(
    "delete_household", "Deletes a household with all that belongs to it.", answer: "id, deleted")
  /// Of no household yet.
  public static var defaults: DeleteHousehold { DeleteHousehold(.placeholder) }

  /// `household`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Household.ID> {
    _ = try state.ownHousehold(household, context)
    return Decision([.householdDeleted(HouseholdDeleted(household: household))], household)
  }
}

/// A text of one line that names something: without space around it, not empty, without control characters. A title
/// may be longer than a name.
func checkedLine(_ text: String, _ field: String) throws(Rejection) -> String {
  let trimmed = text.trimmingSpace
  guard !trimmed.isEmpty else { throw .emptyText(field: field) }
  try (field == "title" ? Limit.title : .name).check(trimmed, field)
  guard !trimmed.hasControls else { throw .invalidText(field: field) }
  return trimmed
}
