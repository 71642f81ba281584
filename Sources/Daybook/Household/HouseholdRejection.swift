/// Why a command about a household, or about what belongs to one, is refused.
public enum HouseholdRejection: Rejection, Hashable {
  /// The one who asks is not known.
  case account(AccountRejection)
  /// There is no such household, it was deleted, or the actor is no member of it: which, is not told (MC-11).
  case householdNotFound
  /// The actor is in no household, and named none.
  case noHousehold
  /// The actor is in several households, and named none.
  case severalHouseholds
  /// There is no such account; or nobody of that key is a member.
  case memberNotFound
  /// The household has as many members as it may have.
  case householdFull
  /// The key names something already.
  case keyTaken(Key)
  /// A name or title is empty.
  case emptyText(field: String)
  /// It holds control characters.
  case invalidText(field: String)
  /// More was given than is taken.
  case beyond(LimitRejection)
  /// There is no such household task, or it is another household's.
  case choreNotFound
  /// A time without a date is due on no day.
  case timeWithoutDate
  /// There is no such recipe, or it is another household's.
  case recipeNotFound
  /// A recipe would be a part of itself.
  case recipeInItself
  /// Servings are above 0.
  case invalidServings(String)
  /// An ingredient's quantity is below 0.
  case invalidQuantity
  /// A time is below 0 minutes.
  case invalidMinutes(field: String)
  /// There is no such planned meal, or it is another household's.
  case mealNotFound
  /// There is no such line on a grocery list of the actor's households.
  case groceryItemNotFound
  /// There is no such staple, or it is another household's.
  case stapleNotFound
  /// What is bought or kept is no less than nothing.
  case invalidAmount
  /// A unit measures an amount.
  case unitWithoutAmount
  /// Recipes use one another more deeply than is followed.
  case recipesTooDeep
  /// The exact amount of this leaves 64 bits.
  case amountTooLarge(String)
  /// A meal is a recipe or a title.
  case recipeOrTitle

  /// There is no such calendar event, or it is another household's.
  case calendarEventNotFound
  /// Something ends before it begins.
  case endsBeforeStart
  /// Of start and end one is a day and the other a time.
  case mixedTimes
  /// The text is no calendar.
  case noCalendar
  /// The text of a calendar is larger than is taken.
  case calendarTooLarge
  /// Something of a calendar was not understood, so that nobody knows what is missing from it.
  case damagedCalendar

  /// The stable code.
  public var code: String { text.code }
  /// The field that it is about.
  public var field: String? { text.field }
  /// One sentence for the person.
  public var description: String { text.sentence }

  private var text: (code: String, field: String?, sentence: String) {
    switch self {
    case .account(let rejection): (rejection.code, rejection.field, rejection.description)
    case .householdNotFound: ("household_not_found", "household", "There is no such household.")
    case .noHousehold:
      ("household_not_found", "household", "You are in no household yet; create one first.")
    case .severalHouseholds:
      (
        "household_missing", "household",
        "household: you are in several households; say which one by its key."
      )
    case .memberNotFound: ("member_not_found", "member", "There is no such person to be found.")
    case .householdFull:
      (
        "household_full", "member",
        "The household is full: it has \(Household.mostMembers) members."
      )
    case .keyTaken(let key): ("key_taken", "key", "The key \(key) already names something else.")
    case .emptyText(let field): ("empty_\(field)", field, "\(field): it is empty; give one.")
    case .invalidText(let field):
      ("invalid_\(field)", field, "\(field): it holds control characters; leave them out.")
    case .beyond(let rejection): (rejection.code, rejection.field, rejection.description)
    case .choreNotFound:
      ("household_task_not_found", "task", "There is no such task in the household.")
    case .timeWithoutDate:
      ("time_without_date", "due_time", "due_time: a time needs a day; give due_date, too.")
    case .recipeNotFound: ("recipe_not_found", "recipe", "There is no such recipe.")
    case .recipeInItself:
      ("recipe_in_itself", "ingredients", "ingredients: a recipe cannot be a part of itself.")
    case .invalidServings(let field):
      ("invalid_servings", field, "\(field): a number above 0 is served.")
    case .invalidQuantity:
      ("invalid_quantity", "ingredients", "ingredients: a quantity cannot be below 0.")
    case .invalidMinutes(let field):
      ("invalid_\(field)", field, "\(field): a time cannot be below 0 minutes.")
    case .groceryItemNotFound:
      ("grocery_item_not_found", "item", "There is no such line on a grocery list.")
    case .stapleNotFound:
      ("pantry_staple_not_found", "staple", "There is no such staple in the pantry.")
    case .invalidAmount: ("invalid_quantity", "quantity", "quantity: it cannot be below 0.")
    case .unitWithoutAmount:
      ("unit_without_quantity", "unit", "unit: a unit needs a quantity; give quantity, too.")
    case .recipesTooDeep:
      (
        "recipes_too_deep", nil,
        "Recipes use one another too deeply to make a list; take a step out of the chain."
      )
    case .amountTooLarge(let name):
      (
        "amount_too_large", nil,
        "The amounts of \(name) cannot be added up exactly; make one of them simpler."
      )
    case .mealNotFound: ("meal_not_found", "meal", "There is no such meal in the plan.")
    case .recipeOrTitle:
      ("recipe_or_title", "title", "title: a meal is a recipe or a title, not both.")
    case .calendarEventNotFound:
      ("calendar_event_not_found", "event", "There is no such event in the household's calendar.")
    case .endsBeforeStart:
      ("ends_before_start", "end_time", "end_time: the event would be over before it begins.")
    case .mixedTimes:
      (
        "invalid_end_time", "end_time",
        "end_time: an event that begins on a day ends on a day, and one with a time at a time."
      )
    case .noCalendar: ("invalid_calendar", "ics", "ics: there is no calendar in the text.")
    case .calendarTooLarge:
      (
        "calendar_too_long", "ics",
        "ics: a calendar has \(Limit.calendarBytes.most) bytes at most, and \(Limit.zoneParts.most) changes of clocks; import it in parts."
      )
    case .damagedCalendar:
      (
        "damaged_calendar", "delete_missing",
        "delete_missing: not all of the file was understood, so what is missing from it is not known; "
          + "leave delete_missing out."
      )
    }
  }
}

extension Limit {
  /// Refuses a text that is longer.
  func checkHousehold(_ text: String?, _ field: String) throws(HouseholdRejection) {
    do { try check(text, field) } catch { throw .beyond(error) }
  }

  /// Refuses more things.
  func checkHousehold(_ count: Int, _ field: String) throws(HouseholdRejection) {
    do { try check(count, field) } catch { throw .beyond(error) }
  }
}
