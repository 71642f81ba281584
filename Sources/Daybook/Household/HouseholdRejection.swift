import Values

// Why a command about a household, or about what belongs to one, is refused.
extension Rejection {
  /// There is no such household, it was deleted, or the actor is no member of it: which, is not told (MC-11).
  package static let householdNotFound = Rejection(
    .householdNotFound, "There is no such household.")

  /// The actor is in no household, and named none.
  package static let noHousehold = Rejection(
    .householdNotFound, "You are in no household yet; create one first.")

  /// The actor is in several households, and named none.
  package static let severalHouseholds = Rejection(
    .householdMissing, "household: you are in several households; say which one by its key.")

  /// There is no such account; or nobody of that key is a member.
  package static let personNotFound = Rejection(
    .memberNotFound, "There is no such person to be found.")

  /// No household shows the code.
  static let invalidHouseholdCode = Rejection(
    .invalidCode, "No household shows this code; check its 12 digits.")

  /// The code's time is over.
  static let householdCodeExpired = Rejection(
    .inviteExpired, "The household's code has expired; ask one of its members for another.")

  /// The household has as many members as it may have.
  package static let householdFull = Rejection(
    .householdFull, "The household is full: it has \(Household.maximumMemberCount) members.")

  /// A name or title is empty: `empty_name`, `empty_title` and so on.
  package static func emptyText(field: String) -> Rejection {
    Rejection(.text("empty", field), field: field, "\(field): it is empty; give one.")
  }

  /// It holds control characters: `invalid_name`, `invalid_title` and so on.
  package static func invalidText(field: String) -> Rejection {
    Rejection(
      .text("invalid", field), field: field,
      "\(field): it holds control characters; leave them out.")
  }
}

// Household tasks, recipes and meals.
extension Rejection {
  /// There is no such household task, or it is another household's.
  package static let householdTaskNotFound = Rejection(
    .householdTaskNotFound, "There is no such task in the household.")

  /// There is no such recipe, or it is another household's.
  package static let recipeNotFound = Rejection(.recipeNotFound, "There is no such recipe.")

  /// A recipe would be a part of itself.
  package static let recipeInItself = Rejection(
    .recipeInItself, "ingredients: a recipe cannot be a part of itself.")

  /// Servings are above 0.
  package static func invalidServings(_ field: String) -> Rejection {
    Rejection(.invalidServings, field: field, "\(field): a number above 0 is served.")
  }

  /// The amounts for so many leave 64 bits.
  package static let tooManyServings = Rejection(
    .invalidServings, field: "servings",
    "servings: no kitchen can count so much; ask for fewer.")

  /// An ingredient's quantity is below 0.
  package static let invalidQuantity = Rejection(
    .invalidQuantity, field: "ingredients", "ingredients: a quantity cannot be below 0.")

  /// A time is below 0 minutes: `invalid_prep_time`, `invalid_cook_time`.
  package static func invalidMinutes(field: String) -> Rejection {
    Rejection(
      .text("invalid", field), field: field, "\(field): a time cannot be below 0 minutes.")
  }

  /// There is no such planned meal, or it is another household's.
  package static let mealNotFound = Rejection(
    .mealNotFound, "There is no such meal in the plan.")

  /// A meal is a recipe or a title.
  package static let recipeOrTitle = Rejection(
    .recipeOrTitle, "title: a meal is a recipe or a title, not both.")
}

// Groceries and the pantry.
extension Rejection {
  /// There is no such grocery list, or it is another household's.
  package static let groceryListNotFound = Rejection(
    .groceryListNotFound, "There is no such grocery list.")

  /// There is no such line on a grocery list of the actor's households.
  package static let groceryItemNotFound = Rejection(
    .groceryItemNotFound, "There is no such line on a grocery list.")

  /// There is no such pantry staple, or it is another household's.
  package static let pantryStapleNotFound = Rejection(
    .pantryStapleNotFound, "There is no such staple in the pantry.")

  /// What is bought or kept is no less than nothing.
  package static let invalidAmount = Rejection(
    .invalidQuantity, "quantity: it cannot be below 0.")

  /// Recipes use one another more deeply than is followed.
  package static let recipesTooDeep = Rejection(
    .recipesTooDeep,
    "Recipes use one another too deeply to make a list; take a step out of the chain.")

  /// The exact amount of this leaves 64 bits.
  package static func amountTooLarge(_ name: String) -> Rejection {
    Rejection(
      .amountTooLarge,
      "The amounts of \(name) cannot be added up exactly; make one of them simpler.")
  }
}

// The household's calendar.
extension Rejection {
  /// There is no such calendar event, or it is another household's.
  package static let calendarEventNotFound = Rejection(
    .calendarEventNotFound, "There is no such event in the household's calendar.")

  /// Something ends before it begins.
  package static let endsBeforeStart = Rejection(
    .endsBeforeStart, "end_time: the event would be over before it begins.")

  /// Of start and end one is a day and the other a time.
  package static let mixedTimes = Rejection(
    .invalidEndTime,
    "end_time: an event that begins on a day ends on a day, and one with a time at a time.")

  /// The text is no calendar.
  package static let noCalendar = Rejection(
    .invalidCalendar, "ics: there is no calendar in the text.")

  /// The text of a calendar is larger than is taken.
  package static let calendarTooLarge = Rejection(
    .calendarTooLong,
    "ics: a calendar has \(Limit.calendarBytes.maximum) bytes at most, and \(Limit.zoneParts.maximum) changes of clocks; import it in parts."
  )

  /// Something of a calendar was not understood, so that nobody knows what is missing from it.
  package static let damagedCalendar = Rejection(
    .damagedCalendar,
    "delete_missing: not all of the file was understood, so what is missing from it is not known; "
      + "leave delete_missing out.")
}

extension RejectionCode {
  /// The code of a text of a field. Tests hold that each field that is checked has one; what has none would be
  /// told as any field that is wrong.
  fileprivate static func text(_ fault: String, _ field: String) -> RejectionCode {
    RejectionCode(rawValue: "\(fault)_\(field)") ?? .invalidField
  }
}
