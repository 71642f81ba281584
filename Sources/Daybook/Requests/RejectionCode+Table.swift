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
