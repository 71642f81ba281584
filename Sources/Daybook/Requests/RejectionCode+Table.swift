public import Avro

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
    case .invalidJSON: (.malformed, nil, "The line is no JSON object.")
    case .unknownCommand: (.malformed, "do", "There is no such command.")
    case .unknownQuestion: (.malformed, "ask", "There is no such question.")
    case .unknownField: (.malformed, nil, "The command has no such field.")
    case .missingField: (.malformed, nil, "The command needs the field.")
    case .invalidField:
      (.malformed, nil, "The field's value is not of the kind that the command takes.")
    case .callerActs:
      (.forbidden, nil, "The line of a caller says who acts, or when.")
    case .keyReused:
      (.conflict, "id", "The `id` was given to another command, or by another account, before.")
    case .clockBackwards: (.conflict, "at", "`at` is before the book's last entry.")
    // Shared by several contexts.
    case .keyTaken:
      (.conflict, "key", "The key names another's, something deleted, or of other content.")
    case .notOwner: (.forbidden, nil, "It is another's.")
    case .emptyName: (.invalid, "name", "The name is only space.")
    case .invalidName:
      (.invalid, "name", "The name, or an emoji or unit beside it, holds control characters.")
    case .emptyTitle: (.invalid, "title", "The title is only space.")
    case .invalidTitle: (.invalid, "title", "The title holds control characters.")
    case .invalidColor: (.invalid, "color", "It is no colour such as #FF9F1C.")
    case .futureDay: (.untimely, "day", "The day has not come.")
    case .futureInstant: (.untimely, "p_at", "`p_at` is after the book's clock.")
    // Accounts.
    case .actorMissing: (.unauthenticated, "as", "Nobody was named as the one who acts.")
    case .accountNotFound: (.notFound, "as", "There is no such account, or it was erased.")
    case .unknownTimeZone:
      (.invalid, "timezone", "It is no IANA time zone, or none that this machine knows.")
    case .invalidDayStart:
      (.invalid, "day_start_hour", "The hour is not 0 to 23, or to begin with not 0 to 6.")
    case .invalidPause: (.invalid, "to", "The pause would end before it begins.")
    case .futureBirthday: (.untimely, "birthday", "The birthday has not come.")
    case .invalidIdentity: (.invalid, "value", "It is no phone number, e-mail address or subject.")
    case .identityTaken: (.conflict, "value", "Another account has the identity.")
    case .identityNotFound: (.notFound, "value", "The account does not have the identity.")
    case .invalidToken: (.invalid, "apns_token", "It is no device token.")
    case .invalidContact:
      (.invalid, "contact_hash", "The text for the contact is empty, or holds control characters.")
    case .invalidPrice: (.invalid, "price", "The price is empty, or holds control characters.")
    case .pepperMissing:
      (.invalid, nil, "A plain value came, and no pepper is set to hash it with.")
    case .pepperTooShort: (.invalid, nil, "The pepper is so short that it can be guessed.")
    // Habits and goals.
    case .habitNotFound: (.notFound, "habit", "There is no such habit, or it was deleted.")
    case .goalNotFound: (.notFound, "goal", "There is no such goal, or it was deleted.")
    case .habitArchived:
      (
        .conflict, "habit",
        "An archived habit is not logged, linked to a hive or made one: restore it first."
      )
    case .invalidSchedule:
      (.invalid, "schedule_quota", "The quota cannot be, or a hive would be due by one.")
    case .invalidTarget:
      (.invalid, "target_per_day", "The target cannot be, or not that of a hive.")
    case .dayTooEarly: (.limit, "day", "The day is before those that can be logged.")
    // Hives.
    case .hiveNotFound: (.notFound, "hive", "There is no such hive, or it was deleted.")
    case .notMember: (.forbidden, "hive", "You are not in the hive.")
    case .memberNotFound:
      (.notFound, "member", "The person is not in the hive or household, or is not there at all.")
    case .noContact: (.forbidden, "member", "Only people among your contacts are added.")
    case .ownerMustHandOver: (.conflict, "hive", "A hive's owner stays until another leads it.")
    case .invalidThreshold:
      (.invalid, "threshold", "It is not a number of members that a hive can have.")
    case .invalidBackfill: (.invalid, "p_backfill_days", "A hive does not take over so many days.")
    case .hiveFull: (.limit, "p_code", "The hive has as many members as it may have.")
    case .invalidCode: (.notFound, "p_code", "No invite has the code, or no household shows it.")
    case .inviteExpired:
      (.untimely, "p_code", "The time of the invite, or of the household's code, is over.")
    case .inviteExhausted: (.limit, "p_code", "The invite was used as often as it may be.")
    case .malformedCode: (.invalid, "code", "It is no code of an invite, or of a household.")
    case .codeTaken: (.conflict, "code", "Another invite, or another household, has the code.")
    case .invalidTTL:
      (.invalid, "p_ttl_minutes", "An invite, or a code, does not last so long, or so short.")
    case .invalidMaxUses: (.invalid, "p_max_uses", "An invite is not used so often, or never.")
    case .beforeJoining: (.untimely, "day", "You were not in the hive then.")
    case .dayNotBegun: (.untimely, "p_day", "The hive has not begun the day, or was not there yet.")
    case .systemOnly:
      (.forbidden, "as", "Only the system does it: leave out who acts; a caller may not.")
    // Activities.
    case .activityNotFound:
      (.notFound, "activity", "There is no such activity, or its account was erased.")
    // Tasks.
    case .taskNotFound: (.notFound, "task", "There is no such task, or it was deleted.")
    case .parentNotFound:
      (
        .notFound, "parent_task_id",
        "The parent is not there yet: send it first, then this one again."
      )
    case .labelNotFound: (.notFound, "label", "There is no such label, or it was deleted.")
    case .taskCycle: (.invalid, "parent_task_id", "The task would be a part of itself.")
    case .invalidNeighbour: (.invalid, nil, "The task would be put beside one of another list.")
    case .invalidRecurrence:
      (.invalid, "recurrence_rule", "It is no rule, or one finer than a day.")
    case .invalidRank: (.invalid, "rank", "It is no rank.")
    case .nameTaken: (.conflict, "name", "There is a label of that name.")
    case .entryNotFound: (.notFound, "position", "You have no such entry.")
    case .notUndoable:
      (
        .invalid, "position",
        "Others were touched, what would be named again is gone, or it is of a kind that is not taken back."
      )
    case .changedSince:
      (
        .conflict, "position",
        "A later entry changed it again, or what it is a part of, or a part of it, stands in the way."
      )
    case .nothingToUndo: (.conflict, "position", "It is undone already.")
    // Households.
    case .householdNotFound:
      (.notFound, "household", "There is no such household, or you are not in it.")
    case .householdMissing: (.invalid, "household", "You are in several households: say which.")
    case .householdFull: (.limit, "member", "The household has as many members as it may have.")
    case .householdTaskNotFound:
      (.notFound, "task", "There is no such task in a household of yours.")
    case .recipeNotFound: (.notFound, "recipe", "There is no such recipe in a household of yours.")
    case .recipeInItself: (.invalid, "ingredients", "The recipe would be a part of itself.")
    case .emptyIngredients: (.invalid, "ingredients", "A line of ingredients is only space.")
    case .invalidIngredients:
      (.invalid, "ingredients", "A line of ingredients holds control characters.")
    case .invalidTags: (.invalid, "tags", "A tag holds control characters.")
    case .invalidServings: (.invalid, "servings", "Not above 0 is served.")
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
    case .recipesTooDeep: (.limit, nil, "Recipes use one another more deeply than is followed.")
    case .amountTooLarge: (.limit, nil, "Amounts cannot be added up exactly.")
    case .pantryStapleNotFound:
      (.notFound, "staple", "There is no such staple in a pantry of yours.")
    case .calendarEventNotFound:
      (.notFound, "event", "There is no such event in a calendar of yours.")
    case .endsBeforeStart: (.invalid, "end_time", "The event would be over before it begins.")
    case .invalidEndTime:
      (.invalid, "end_time", "Of start and end one is a day and the other a time.")
    case .invalidCalendar: (.invalid, "ics", "There is no calendar in the text.")
    case .damagedCalendar:
      (
        .invalid, "delete_missing",
        "Not all of the file was understood, so that what is missing from it is not known."
      )
    // Limits.
    case .nameTooLong: (.limit, nil, "A name, unit, emoji or tag is longer than is taken.")
    case .titleTooLong: (.limit, nil, "A title or place is longer than is taken.")
    case .textTooLong:
      (.limit, nil, "A note, description, question or step is longer than is taken.")
    case .lineTooLong: (.limit, nil, "A line of ingredients is longer than is taken.")
    case .addressTooLong: (.limit, nil, "An address is longer than is taken.")
    case .commandTooLong: (.limit, nil, "The line is longer than is taken, and was passed over.")
    case .calendarTooLong: (.limit, "ics", "The file is larger than is taken.")
    case .dataTooLong: (.limit, "data", "The data of an activity is longer than is taken.")
    case .tooManyIngredients: (.limit, "ingredients", "The recipe would have more than are taken.")
    case .tooManySteps: (.limit, "steps", "The recipe would have more than are taken.")
    case .tooManyTags: (.limit, "tags", "The recipe would have more than are taken.")
    case .tooManyCalendarRules:
      (.limit, "recurrence", "The event would have more rules than are taken.")
    case .tooManyReminders: (.limit, "reminders", "The habit would have more than are taken.")
    case .tooManyLabels: (.limit, "labels", "The task would have more than are taken.")
    case .tooManyIdentities: (.limit, "value", "The account would have more than are taken.")
    case .tooManyDevices: (.limit, "apns_token", "The account would have more than are taken.")
    case .tooManyContacts: (.limit, "phones", "The account would have more than are taken.")
    case .tooManyNotificationTimes:
      (.limit, "notification_times", "The account would have more than are taken.")
    case .tooManyHabits: (.limit, "habits", "More habits than are taken to begin with.")
    // Books.
    case .notDamaged: (.conflict, nil, "The book is whole: there is nothing to salvage.")
    }
  }
}
