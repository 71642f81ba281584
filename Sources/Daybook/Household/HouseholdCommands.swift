package import Values
public import Avro

/// Creates a household (MC-1); the actor is its first member. Repeated by a member with the same key and name it
/// changes nothing.
public struct CreateHousehold: ColumnCommand {
  /// The client's name for the household; a fresh one unless given.
  package var key: Key?
  package var name: String

  public init(key: Key? = nil, name: String) {
    self.key = key
    self.name = name
  }

  package static let form = CommandForm(
    "create_household", "Creates a household; the actor is its first member.", answer: "household")
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

/// Changes a household's name. Any member may.
public struct RenameHousehold: EntityCommand {
  package var thing: Household.ID
  /// The new name.
  package var name: String

  public init(_ household: Household.ID, name: String) {
    thing = household
    self.name = name
  }

  package static let form = CommandForm(
    "rename_household", "Renames a household.", answer: "household")
  /// The defaults; no household is named yet.
  public static var defaults: RenameHousehold { RenameHousehold(.placeholder, name: "") }

  /// `household`, `name`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Household.visit(&thing, by: &visitor)
    try visitor.column("name", &name, [.needed])
  }

  func events(
    _ found: Household, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    let name = try checkedLine(name, "name")
    return name == found.name
      ? [] : [.householdRenamed(HouseholdRenamed(household: thing, name: name))]
  }
}

/// Adds a member to a household (MC-1). Any member may; for an existing member it changes nothing.
public struct AddHouseholdMember: MemberCommand {
  package var thing: Household.ID
  /// The new member.
  package var member: Account.ID

  public init(_ member: Account.ID, to household: Household.ID) {
    thing = household
    self.member = member
  }

  package static let form = CommandForm(
    "add_household_member", "Adds somebody to a household.", answer: "household")
  /// The defaults; no household is named yet.
  public static var defaults: AddHouseholdMember {
    AddHouseholdMember(.placeholder, to: .placeholder)
  }

  func events(
    _ found: Household, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    guard !found.hasMember(member) else { return [] }
    guard let account = state.accounts[member], !account.isErased else { throw .personNotFound }
    guard found.activeMembers.count < Household.maximumMemberCount else { throw .householdFull }
    return [.householdJoined(HouseholdJoined(household: thing, member: member))]
  }
}

/// Leaves a household. Open tasks of the actor become unassigned; when the last member leaves, the household is
/// deleted.
public struct LeaveHousehold: BareEntityCommand {
  package var thing: Household.ID

  public init(_ household: Household.ID) { thing = household }

  package static let form = CommandForm(
    "leave_household", "Leaves a household; when the last member leaves, it is deleted.",
    answer: "id, left")

  func events(
    _ found: Household, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    state.leaving(thing, found, try state.actor(context).0)
  }

  /// The key of the household; the actor sees nothing more of it.
  package func row(of answer: Household.ID, in state: BookState) -> JSON {
    ["id": answer.json(state), "left": true]
  }
}

/// Removes a member from a household, as if they left. Any member may.
public struct RemoveHouseholdMember: MemberCommand {
  package var thing: Household.ID
  /// The member to remove.
  package var member: Account.ID

  public init(_ member: Account.ID, from household: Household.ID) {
    thing = household
    self.member = member
  }

  package static let form = CommandForm(
    "remove_household_member", "Removes somebody from a household, as if they left.",
    answer: "household")
  /// The defaults; no household is named yet.
  public static var defaults: RemoveHouseholdMember {
    RemoveHouseholdMember(.placeholder, from: .placeholder)
  }

  func events(
    _ found: Household, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    guard found.hasMember(member) else { throw .personNotFound }
    let leaving = state.leaving(thing, found, member)
    // A removed member knows the code, and must not join with it again.
    guard found.code != nil, member != context.actor else { return leaving }
    let changed = HouseholdCodeChanged(household: thing, code: nil, expires: nil)
    return leaving + [.householdCodeChanged(changed)]
  }

  /// The household without its code: removing a member revokes it, and a member who leaves must not see it.
  package func row(of answer: Household.ID, in state: BookState) -> JSON {
    guard var household = state.households[answer], !household.isDeleted else {
      return answer.row(in: state)
    }
    household.code = nil
    return household.row(in: state)
  }
}

/// Deletes a household with everything that belongs to it; as-of queries still find it. Any member may.
public struct DeleteHousehold: BareEntityCommand {
  package var thing: Household.ID

  public init(_ household: Household.ID) { thing = household }

  package static let form = CommandForm(
    "delete_household", "Deletes a household with all that belongs to it.", answer: "id, deleted")

  func events(_ found: Household, _ state: BookState, _ context: Context) -> [Event] {
    [.householdDeleted(HouseholdDeleted(household: thing))]
  }
}

/// A text on one line that names something: trimmed, not empty, without control characters. A title may be longer than
/// a name.
func checkedLine(_ text: String, _ field: String) throws(Rejection) -> String {
  let trimmed = text.asOneLine
  guard !trimmed.isEmpty else { throw .emptyText(field: field) }
  try (field == "title" ? Limit.title : .name).check(trimmed, field)
  guard !trimmed.hasControls else { throw .invalidText(field: field) }
  return trimmed
}
