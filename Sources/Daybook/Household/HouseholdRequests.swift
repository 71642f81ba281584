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

  /// The commands about grocery lists and the pantry, by name.
  static let groceryTypes: [String: any RequestBody.Type] = [
    "generate_grocery_list": GenerateGroceryList.self, "add_grocery_item": AddGroceryItem.self,
    "update_grocery_item": UpdateGroceryItem.self, "check_grocery_item": CheckGroceryItem.self,
    "uncheck_grocery_item": UncheckGroceryItem.self, "remove_grocery_item": RemoveGroceryItem.self,
    "add_pantry_staple": AddStaple.self, "update_pantry_staple": UpdateStaple.self,
    "remove_pantry_staple": RemoveStaple.self,
  ]

  /// The commands about a household's calendar, by name.
  static let calendarTypes: [String: any RequestBody.Type] = [
    "create_calendar_event": CreateCalendarEvent.self,
    "update_calendar_event": UpdateCalendarEvent.self,
    "delete_calendar_event": DeleteCalendarEvent.self, "import_calendar": ImportCalendar.self,
  ]
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

  /// The account that a field names by key. Whether it is there is told only to those who know its key.
  mutating func member(_ name: String = "member") throws -> Account.ID {
    guard let key = try optionalKey(name) else { throw Rejection.missingField(name) }
    guard let number = state.accounts.number(of: key) else {
      throw Rejection.personNotFound
    }
    return number
  }
}
