public import Avro

extension Request {
  /// The commands about households and what belongs to them, by name.
  static let householdTypes: [String: any RequestBody.Type] = [
    "create_household": CreateHousehold.self, "rename_household": RenameHousehold.self,
    "add_household_member": AddHouseholdMember.self, "leave_household": LeaveHousehold.self,
    "remove_household_member": RemoveHouseholdMember.self,
    "delete_household": DeleteHousehold.self,
    "create_household_task": CreateChore.self, "update_household_task": UpdateChore.self,
    "assign_household_task": AssignChore.self, "complete_household_task": CompleteChore.self,
    "reopen_household_task": ReopenChore.self, "delete_household_task": DeleteChore.self,
    "create_recipe": CreateRecipe.self, "update_recipe": UpdateRecipe.self,
    "delete_recipe": DeleteRecipe.self, "plan_meal": PlanMeal.self,
    "update_meal": UpdateMeal.self, "remove_meal": RemoveMeal.self,
  ]
}

extension CreateHousehold: RequestBody {
  /// `key`, `name`.
  public init(_ reader: inout RequestReader) throws {
    self.init(key: try reader.optionalKey("key"), name: try reader.text("name"))
  }

  /// The household's row.
  public func row(of answer: Household.ID, in state: State) -> JSON { state.householdRow(answer) }
}

extension RenameHousehold: RequestBody {
  /// `household`, `name`.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.household(), name: try reader.text("name"))
  }

  /// The household's row.
  public func row(of answer: Household.ID, in state: State) -> JSON { state.householdRow(answer) }
}

extension AddHouseholdMember: RequestBody {
  /// `household`, `member`: an account.
  public init(_ reader: inout RequestReader) throws {
    let household = try reader.household()
    self.init(try reader.member(), to: household)
  }

  /// The household's row.
  public func row(of answer: Household.ID, in state: State) -> JSON { state.householdRow(answer) }
}

extension LeaveHousehold: RequestBody {
  /// `household`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.household()) }

  /// The key of what is left; nothing more of it is shown.
  public func row(of answer: Household.ID, in state: State) -> JSON {
    ["id": .key(state.households[answer]?.key), "left": true]
  }
}

extension RemoveHouseholdMember: RequestBody {
  /// `household`, `member`: an account.
  public init(_ reader: inout RequestReader) throws {
    let household = try reader.household()
    self.init(try reader.member(), from: household)
  }

  /// The household's row.
  public func row(of answer: Household.ID, in state: State) -> JSON { state.householdRow(answer) }
}

extension DeleteHousehold: RequestBody {
  /// `household`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.household()) }

  /// The key of what is gone.
  public func row(of answer: Household.ID, in state: State) -> JSON {
    ["id": .key(state.households[answer]?.key), "deleted": true]
  }
}

extension RequestReader {
  /// The household that `household` names by key; without it the only one that the actor is in.
  mutating func household() throws -> Household.ID {
    if let key = try optionalKey("household") {
      guard let number = state.households.number(of: key) else {
        throw Rejection.householdNotFound
      }
      return number
    }
    guard let actor else { throw Rejection.actorMissing }
    guard state.accounts[actor]?.isErased == false else {
      throw Rejection.accountNotFound
    }
    // A second one is one too many, however many more there are.
    let own = state.households(of: actor, most: 2)
    guard let first = own.first else { throw Rejection.noHousehold }
    guard own.count == 1 else { throw Rejection.severalHouseholds }
    return first
  }

  /// The number of the thing of a household that a field names by key. `household` may say whose it is, too.
  ///
  /// - Throws: `missing` when there is none of that key, or not in that household.
  mutating func thing<Thing: Entity>(
    _ name: String, in table: Table<Thing>, missing: Rejection
  ) throws -> EntityNumber<Thing> {
    guard let key = try optionalKey(name) else { throw Rejection.missingField(name) }
    let household = try optionalKey("household")
    guard let number = table.number(of: key), let home = table[number]?.home,
      household == nil || state.households[home]?.key == household
    else { throw missing }
    return number
  }

  /// The account that a field names by key. Whether it is there is told only to those who know its key.
  mutating func member(_ name: String = "member") throws -> Account.ID {
    guard let key = try optionalKey(name) else { throw Rejection.missingField(name) }
    guard let number = state.accounts.number(of: key) else {
      throw Rejection.personNotFound
    }
    return number
  }
}
