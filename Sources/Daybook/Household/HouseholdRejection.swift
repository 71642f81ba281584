import Values

// Rejections of commands about a household, or about what belongs to one.
extension Rejection {
  /// There is no such household, it was deleted, or the actor is not a member; the message does not say which (MC-11).
  package static let householdNotFound = Rejection(
    .householdNotFound, "There is no such household.")

  /// The actor is in no household, and named none.
  package static let noHousehold = Rejection(
    .householdNotFound, "You are in no household yet; create one first.")

  /// The actor is in several households, and named none.
  package static let severalHouseholds = Rejection(
    .householdMissing, "household: you are in several households; give the key of one.")

  /// There is no such account; or no member has that key.
  package static let personNotFound = Rejection(
    .memberNotFound, "There is no such person.")

  /// No household has the code.
  static let invalidHouseholdCode = Rejection(
    .invalidCode, "No household has this code; check its 12 digits.")

  /// The code has expired.
  static let householdCodeExpired = Rejection(
    .inviteExpired, "The household's code has expired; ask one of its members for another.")

  /// The household has the maximum number of members.
  package static let householdFull = Rejection(
    .householdFull, "The household is full: it has \(Household.maximumMemberCount) members.")

  /// A name or title is empty: `empty_name`, `empty_title` and so on.
  package static func emptyText(field: String) -> Rejection {
    Rejection(.text("empty", field), field: field, "\(field): it is empty; give one.")
  }

  /// A text holds control characters: `invalid_name`, `invalid_title` and so on.
  package static func invalidText(field: String) -> Rejection {
    Rejection(
      .text("invalid", field), field: field,
      "\(field): it holds control characters; leave them out.")
  }
}

// Household tasks, recipes and meals.
extension Rejection {
  /// There is no such household task, or it belongs to another household.
  package static let householdTaskNotFound = Rejection(
    .householdTaskNotFound, "There is no such task in the household.")

  /// There is no such recipe, or it belongs to another household.
  package static let recipeNotFound = Rejection(.recipeNotFound, "There is no such recipe.")

  /// A recipe would include itself.
  package static let recipeInItself = Rejection(
    .recipeInItself, "ingredients: a recipe cannot be a part of itself.")

  /// Servings must be greater than 0.
  package static func invalidServings(_ field: String) -> Rejection {
    Rejection(.invalidServings, field: field, "\(field): servings must be greater than 0.")
  }

  /// The amounts for this many servings exceed 64 bits.
  package static let tooManyServings = Rejection(
    .invalidServings, field: "servings",
    "servings: the amounts become too large to count; ask for fewer.")

  /// An ingredient's quantity is below 0.
  package static let invalidQuantity = Rejection(
    .invalidQuantity, field: "ingredients", "ingredients: a quantity cannot be below 0.")

  /// A time is below 0 minutes: `invalid_prep_time`, `invalid_cook_time`.
  package static func invalidMinutes(field: String) -> Rejection {
    Rejection(
      .text("invalid", field), field: field, "\(field): a time cannot be below 0 minutes.")
  }

  /// There is no such planned meal, or it belongs to another household.
  package static let mealNotFound = Rejection(
    .mealNotFound, "There is no such meal in the plan.")

  /// A meal must have either a recipe or a title.
  package static let recipeOrTitle = Rejection(
    .recipeOrTitle, "title: give a meal a recipe or a title, not both.")
}

// Groceries.
extension Rejection {
  /// There is no such grocery list, or it belongs to another household.
  package static let groceryListNotFound = Rejection(
    .groceryListNotFound, "There is no such grocery list.")

  /// There is no such line on a grocery list of the actor's households.
  package static let groceryItemNotFound = Rejection(
    .groceryItemNotFound, "There is no such line on a grocery list.")

  /// An amount must not be negative.
  package static let invalidAmount = Rejection(
    .invalidQuantity, "quantity: it cannot be below 0.")

  /// Recipes are nested more deeply than is supported.
  package static let recipesTooDeep = Rejection(
    .recipesTooDeep,
    "The recipes are nested too deeply to make a list; remove one from the chain.")

  /// The exact amount exceeds 64 bits.
  package static func amountTooLarge(_ name: String) -> Rejection {
    Rejection(
      .amountTooLarge,
      "The amounts of \(name) cannot be added up exactly; make one of them simpler.")
  }
}

// The household's calendar.
extension Rejection {
  /// There is no such calendar event, or it belongs to another household.
  package static let calendarEventNotFound = Rejection(
    .calendarEventNotFound, "There is no such event in the household's calendar.")

  /// An event ends before it begins.
  package static let endsBeforeStart = Rejection(
    .endsBeforeStart, "end_time: the event would end before it begins.")

  /// One of start and end is a day, and the other a time.
  package static let mixedTimes = Rejection(
    .invalidEndTime,
    "end_time: the start and the end must both be days, or both be times.")

  /// The text is not a calendar.
  package static let noCalendar = Rejection(
    .invalidCalendar, "ics: there is no calendar in the text.")

  /// The text of a calendar is too large.
  package static let calendarTooLarge = Rejection(
    .calendarTooLong,
    "ics: a calendar may have at most \(Limit.calendarBytes.maximum) bytes and "
      + "\(Limit.zoneParts.maximum) clock changes; import it in parts."
  )

  /// A part of a calendar was not understood, so events in it may only seem to be missing.
  package static let damagedCalendar = Rejection(
    .damagedCalendar,
    "delete_missing: parts of the file were not understood, so they may seem missing; leave "
      + "delete_missing out."
  )
}

extension RejectionCode {
  /// The code for a fault in a field's text. Tests check that each checked field has one; any other field would get the
  /// general code.
  fileprivate static func text(_ fault: String, _ field: String) -> RejectionCode {
    RejectionCode(rawValue: "\(fault)_\(field)") ?? .invalidField
  }
}
