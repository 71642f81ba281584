public import Avro

/// All codes of rejections: the one table from which `daybook rejections` and [Rejections](../../../Docs/Rejections.md)
/// are made.
///
/// A code never changes its meaning.
public enum RejectionCode: String, CaseIterable, Hashable, Sendable {
  // Reading a line.
  case invalidJSON = "invalid_json"
  case unknownCommand = "unknown_command"
  case unknownQuestion = "unknown_question"
  case unknownField = "unknown_field"
  case callerActs = "caller_acts"
  case missingField = "missing_field"
  case invalidField = "invalid_field"
  case keyReused = "key_reused"
  case clockBackwards = "clock_backwards"
  // Shared by several contexts.
  case keyTaken = "key_taken"
  case notOwner = "not_owner"
  case emptyName = "empty_name"
  case invalidName = "invalid_name"
  case emptyTitle = "empty_title"
  case invalidTitle = "invalid_title"
  case invalidColor = "invalid_color"
  case futureDay = "future_day"
  case futureInstant = "future_instant"
  // Accounts.
  case actorMissing = "actor_missing"
  case accountNotFound = "account_not_found"
  case unknownTimeZone = "unknown_timezone"
  case invalidDayStart = "invalid_day_start"
  case invalidPause = "invalid_pause"
  case futureBirthday = "future_birthday"
  case invalidIdentity = "invalid_identity"
  case identityTaken = "identity_taken"
  case identityNotFound = "identity_not_found"
  case invalidToken = "invalid_token"
  case invalidContact = "invalid_contact"
  case invalidPrice = "invalid_price"
  case pepperMissing = "pepper_missing"
  case pepperTooShort = "pepper_too_short"
  // Habits and goals.
  case habitNotFound = "habit_not_found"
  case goalNotFound = "goal_not_found"
  case habitArchived = "habit_archived"
  case invalidSchedule = "invalid_schedule"
  case invalidTarget = "invalid_target"
  case dayTooEarly = "day_too_early"
  // Hives.
  case hiveNotFound = "hive_not_found"
  case notMember = "not_member"
  case memberNotFound = "member_not_found"
  case noContact = "no_contact"
  case ownerMustHandOver = "owner_must_hand_over"
  case invalidThreshold = "invalid_threshold"
  case invalidBackfill = "invalid_backfill"
  case hiveFull = "hive_full"
  case invalidCode = "invalid_code"
  case inviteExpired = "invite_expired"
  case inviteExhausted = "invite_exhausted"
  case malformedCode = "malformed_code"
  case codeTaken = "code_taken"
  case invalidTTL = "invalid_ttl"
  case invalidMaxUses = "invalid_max_uses"
  case beforeJoining = "before_joining"
  case dayNotBegun = "day_not_begun"
  case systemOnly = "system_only"
  // Activities.
  case activityNotFound = "activity_not_found"
  // Tasks.
  case taskNotFound = "task_not_found"
  case parentNotFound = "parent_not_found"
  case labelNotFound = "label_not_found"
  case taskCycle = "task_cycle"
  case invalidNeighbour = "invalid_neighbour"
  case invalidRecurrence = "invalid_recurrence"
  case invalidRank = "invalid_rank"
  case nameTaken = "name_taken"
  case entryNotFound = "entry_not_found"
  case notUndoable = "not_undoable"
  case changedSince = "changed_since"
  case nothingToUndo = "nothing_to_undo"
  // Households.
  case householdNotFound = "household_not_found"
  case householdMissing = "household_missing"
  case householdFull = "household_full"
  case householdTaskNotFound = "household_task_not_found"
  case recipeNotFound = "recipe_not_found"
  case recipeInItself = "recipe_in_itself"
  case emptyIngredients = "empty_ingredients"
  case invalidIngredients = "invalid_ingredients"
  case invalidTags = "invalid_tags"
  case invalidServings = "invalid_servings"
  case invalidQuantity = "invalid_quantity"
  case invalidUnit = "invalid_unit"
  case invalidPrepTime = "invalid_prep_time"
  case invalidCookTime = "invalid_cook_time"
  case mealNotFound = "meal_not_found"
  case recipeOrTitle = "recipe_or_title"
  case invalidMealType = "invalid_meal_type"
  case groceryListNotFound = "grocery_list_not_found"
  case groceryItemNotFound = "grocery_item_not_found"
  case recipesTooDeep = "recipes_too_deep"
  case amountTooLarge = "amount_too_large"
  case pantryStapleNotFound = "pantry_staple_not_found"
  case calendarEventNotFound = "calendar_event_not_found"
  case endsBeforeStart = "ends_before_start"
  case invalidEndTime = "invalid_end_time"
  case invalidCalendar = "invalid_calendar"
  case damagedCalendar = "damaged_calendar"
  // Limits.
  case nameTooLong = "name_too_long"
  case titleTooLong = "title_too_long"
  case textTooLong = "text_too_long"
  case lineTooLong = "line_too_long"
  case addressTooLong = "address_too_long"
  case commandTooLong = "command_too_long"
  case calendarTooLong = "calendar_too_long"
  case dataTooLong = "data_too_long"
  case tooManyIngredients = "too_many_ingredients"
  case tooManySteps = "too_many_steps"
  case tooManyTags = "too_many_tags"
  case tooManyCalendarRules = "too_many_calendar_rules"
  case tooManyReminders = "too_many_reminders"
  case tooManyLabels = "too_many_labels"
  case tooManyIdentities = "too_many_identities"
  case tooManyDevices = "too_many_devices"
  case tooManyContacts = "too_many_contacts"
  case tooManyNotificationTimes = "too_many_notification_times"
  case tooManyHabits = "too_many_habits"
  // Books.
  case notDamaged = "not_damaged"
}

extension RejectionCode {
  /// The kind of rejection.
  public var kind: Rejection.Kind { entry.kind }
  /// The field at fault, as JSON names it; nothing when there is none, or when it depends. Some rejections with the
  /// code may name another one.
  public var field: String? { entry.field }
  /// The case in which the code is used, in one sentence.
  public var meaning: String { entry.meaning }

  /// The code as a row: `code`, `kind`, `field`, `meaning`.
  public var row: JSON {
    .object([
      .init("code", .string(rawValue)), .init("kind", .string(kind.rawValue)),
      .init("field", field.map { .string($0) } ?? .null), .init("meaning", .string(meaning)),
    ])
  }

  private var entry: (kind: Rejection.Kind, field: String?, meaning: String) {
    switch self {
    // Reading a line.
    case .invalidJSON: (.malformed, nil, "The line is not a JSON object.")
    case .unknownCommand: (.malformed, "do", "There is no such command.")
    case .unknownQuestion: (.malformed, "ask", "There is no such question.")
    case .unknownField: (.malformed, nil, "The command has no such field.")
    case .missingField: (.malformed, nil, "The command needs the field.")
    case .invalidField:
      (.malformed, nil, "The field's value has the wrong type or form.")
    case .callerActs:
      (.forbidden, nil, "A caller's line names an actor or a time.")
    case .keyReused:
      (.conflict, "id", "The `id` was used before, for another command or by another account.")
    case .clockBackwards: (.conflict, "at", "`at` is before the book's last entry.")
    // Shared by several contexts.
    case .keyTaken:
      (
        .conflict, "key",
        "The key already names something else: another account's, a deleted one, or one of "
          + "other content."
      )
    case .notOwner: (.forbidden, nil, "It belongs to somebody else.")
    case .emptyName: (.invalid, "name", "The name is blank.")
    case .invalidName:
      (.invalid, "name", "The name, or an emoji or unit beside it, holds control characters.")
    case .emptyTitle: (.invalid, "title", "The title is blank.")
    case .invalidTitle: (.invalid, "title", "The title holds control characters.")
    case .invalidColor: (.invalid, "color", "It is not a colour such as #FF9F1C.")
    case .futureDay: (.untimely, "day", "The day is in the future.")
    case .futureInstant: (.untimely, "p_at", "`p_at` is after the book's clock.")
    // Accounts.
    case .actorMissing: (.unauthenticated, "as", "No account was named to act.")
    case .accountNotFound: (.notFound, "as", "There is no such account, or it was erased.")
    case .unknownTimeZone:
      (.invalid, "timezone", "It is not an IANA time zone that this machine knows.")
    case .invalidDayStart:
      (
        .invalid, "day_start_hour",
        "The hour is not from 0 to 23, or in the onboarding not from 0 to 6."
      )
    case .invalidPause: (.invalid, "to", "The pause would end before it begins.")
    case .futureBirthday: (.untimely, "birthday", "The birthday is in the future.")
    case .invalidIdentity:
      (.invalid, "value", "It is not a phone number, e-mail address or subject.")
    case .identityTaken: (.conflict, "value", "Another account has the identity.")
    case .identityNotFound: (.notFound, "value", "The account does not have the identity.")
    case .invalidToken: (.invalid, "apns_token", "It is not a device token.")
    case .invalidContact:
      (.invalid, "contact_hash", "The text for the contact is empty, or holds control characters.")
    case .invalidPrice: (.invalid, "price", "The price is empty, or holds control characters.")
    case .pepperMissing:
      (.invalid, nil, "The value is not hashed, and no pepper is set to hash it with.")
    case .pepperTooShort: (.invalid, nil, "The pepper is so short that it can be guessed.")
    // Habits and goals.
    case .habitNotFound: (.notFound, "habit", "There is no such habit, or it was deleted.")
    case .goalNotFound: (.notFound, "goal", "There is no such goal, or it was deleted.")
    case .habitArchived:
      (
        .conflict, "habit",
        "The habit is archived: restore it before you log it or use it in a hive."
      )
    case .invalidSchedule:
      (.invalid, "schedule_quota", "The quota is not valid, or a hive would have a quota.")
    case .invalidTarget:
      (.invalid, "target_per_day", "The target is not valid, or not valid for a hive.")
    case .dayTooEarly: (.limit, "day", "The day is before the first day that can be logged.")
    // Hives.
    case .hiveNotFound: (.notFound, "hive", "There is no such hive, or it was deleted.")
    case .notMember: (.forbidden, "hive", "You are not in the hive.")
    case .memberNotFound:
      (.notFound, "member", "The person is not in the hive or household, or does not exist.")
    case .noContact: (.forbidden, "member", "Only your contacts can be added.")
    case .ownerMustHandOver:
      (.conflict, "hive", "A hive's owner cannot leave before handing it over.")
    case .invalidThreshold:
      (.invalid, "threshold", "It is not a number of members that a hive can have.")
    case .invalidBackfill: (.invalid, "p_backfill_days", "A hive cannot copy that many days.")
    case .hiveFull: (.limit, "p_code", "The hive is full.")
    case .invalidCode: (.notFound, "p_code", "No invite or household has the code.")
    case .inviteExpired:
      (.untimely, "p_code", "The invite, or the household's code, has expired.")
    case .inviteExhausted: (.limit, "p_code", "The invite has no uses left.")
    case .malformedCode: (.invalid, "code", "It is not the code of an invite or a household.")
    case .codeTaken: (.conflict, "code", "Another invite, or another household, has the code.")
    case .invalidTTL:
      (
        .invalid, "p_ttl_minutes",
        "An invite or a code cannot be valid for that long or that short a time."
      )
    case .invalidMaxUses: (.invalid, "p_max_uses", "The number of uses is 0 or too high.")
    case .beforeJoining: (.untimely, "day", "You were not in the hive then.")
    case .dayNotBegun:
      (.untimely, "p_day", "The day has not begun for the hive, or is before the hive was created.")
    case .systemOnly:
      (.forbidden, "as", "Only the system may do this, without an actor; a caller may not.")
    // Activities.
    case .activityNotFound:
      (.notFound, "activity", "There is no such activity, or its account was erased.")
    // Tasks.
    case .taskNotFound: (.notFound, "task", "There is no such task, or it was deleted.")
    case .parentNotFound:
      (
        .notFound, "parent_task_id",
        "The parent does not exist yet: send it first, then this one again."
      )
    case .labelNotFound: (.notFound, "label", "There is no such label, or it was deleted.")
    case .taskCycle: (.invalid, "parent_task_id", "The task would be a part of itself.")
    case .invalidNeighbour:
      (.invalid, nil, "The task would be placed beside one with another parent or bucket.")
    case .invalidRecurrence:
      (
        .invalid, "recurrence_rule",
        "It is not a recurrence rule, or it repeats more often than once a day."
      )
    case .invalidRank: (.invalid, "rank", "It is not a rank.")
    case .nameTaken: (.conflict, "name", "You already have a label of that name.")
    case .entryNotFound: (.notFound, "position", "You have no such entry.")
    case .notUndoable:
      (
        .invalid, "position",
        "It affected others, something that it needs is gone, or it is of a kind that cannot be "
          + "undone."
      )
    case .changedSince:
      (
        .conflict, "position",
        "A later entry changed the same thing, or its parent or one of its parts prevents the undo."
      )
    case .nothingToUndo: (.conflict, "position", "It is undone already.")
    // Households.
    case .householdNotFound:
      (.notFound, "household", "There is no such household, or you are not in it.")
    case .householdMissing: (.invalid, "household", "You are in several households: name one.")
    case .householdFull: (.limit, "member", "The household is full.")
    case .householdTaskNotFound:
      (.notFound, "task", "There is no such task in a household of yours.")
    case .recipeNotFound: (.notFound, "recipe", "There is no such recipe in a household of yours.")
    case .recipeInItself: (.invalid, "ingredients", "The recipe would be a part of itself.")
    case .emptyIngredients: (.invalid, "ingredients", "A line of ingredients is blank.")
    case .invalidIngredients:
      (.invalid, "ingredients", "A line of ingredients holds control characters.")
    case .invalidTags: (.invalid, "tags", "A tag holds control characters.")
    case .invalidServings: (.invalid, "servings", "Servings must be greater than 0.")
    case .invalidQuantity: (.invalid, "quantity", "A quantity is below 0.")
    case .invalidUnit: (.invalid, "unit", "The unit holds control characters.")
    case .invalidPrepTime: (.invalid, "prep_time", "The time is below 0 minutes.")
    case .invalidCookTime: (.invalid, "cook_time", "The time is below 0 minutes.")
    case .mealNotFound: (.notFound, "meal", "There is no such meal in a plan of yours.")
    case .recipeOrTitle: (.invalid, "title", "A meal is a recipe or a title, not both.")
    case .invalidMealType: (.invalid, "meal_type", "The kind of meal holds control characters.")
    case .groceryListNotFound: (.notFound, "list", "There is no such grocery list of yours.")
    case .groceryItemNotFound:
      (.notFound, "item", "There is no such line on a grocery list of yours.")
    case .recipesTooDeep: (.limit, nil, "The recipes are nested too deeply.")
    case .amountTooLarge: (.limit, nil, "Amounts cannot be added up exactly.")
    case .pantryStapleNotFound:
      (.notFound, "staple", "There is no such staple in a pantry of yours.")
    case .calendarEventNotFound:
      (.notFound, "event", "There is no such event in a calendar of yours.")
    case .endsBeforeStart: (.invalid, "end_time", "The event would end before it begins.")
    case .invalidEndTime:
      (.invalid, "end_time", "The start and the end are not both days or both times.")
    case .invalidCalendar: (.invalid, "ics", "There is no calendar in the text.")
    case .damagedCalendar:
      (
        .invalid, "delete_missing",
        "Parts of the file were not understood, so they may seem missing."
      )
    // Limits.
    case .nameTooLong: (.limit, nil, "A name, unit, emoji or tag is too long.")
    case .titleTooLong: (.limit, nil, "A title or place is too long.")
    case .textTooLong:
      (.limit, nil, "A note, description, question or step is too long.")
    case .lineTooLong: (.limit, nil, "A line of ingredients is too long.")
    case .addressTooLong: (.limit, nil, "An address is too long.")
    case .commandTooLong: (.limit, nil, "The line is too long, so it was ignored.")
    case .calendarTooLong: (.limit, "ics", "The file is too large.")
    case .dataTooLong: (.limit, "data", "The data of an activity is too long.")
    case .tooManyIngredients: (.limit, "ingredients", "The recipe would have too many ingredients.")
    case .tooManySteps: (.limit, "steps", "The recipe would have too many steps.")
    case .tooManyTags: (.limit, "tags", "The recipe would have too many tags.")
    case .tooManyCalendarRules:
      (.limit, "recurrence", "The event would have too many rules.")
    case .tooManyReminders: (.limit, "reminders", "The habit would have too many reminders.")
    case .tooManyLabels: (.limit, "labels", "The task would have too many labels.")
    case .tooManyIdentities: (.limit, "value", "The account would have too many identities.")
    case .tooManyDevices: (.limit, "apns_token", "The account would have too many devices.")
    case .tooManyContacts: (.limit, "phones", "The account would have too many contacts.")
    case .tooManyNotificationTimes:
      (.limit, "notification_times", "The account would have too many notification times.")
    case .tooManyHabits: (.limit, "habits", "The onboarding has too many habits.")
    // Books.
    case .notDamaged: (.conflict, nil, "The book is whole: there is nothing to salvage.")
    }
  }
}
