import Avro

@testable import Daybook

extension StateRecordTests {
  /// Each stored property, and the fields that it is written as. A new property belongs in `visitFields`, and then here.
  static let written:
    [(value: any Sendable, schema: Schema, fields: KeyValuePairs<String, [String]>)] = [
      (
        StateHead.placeholder, StateHead.schema,
        [
          "position": ["position"], "at": ["at"],
          "counts": [
            "accounts", "habits", "goals", "hives", "households", "chores", "recipes", "meals",
            "tasks", "labels", "lists", "staples", "calendar_events", "activities",
          ],
        ]
      ),
      (
        BookState(), StateHead.schema,
        [
          "position": ["position"], "at": ["at"], "accounts": ["accounts"], "habits": ["habits"],
          "goals": ["goals"],
          "hives": ["hives"],
          "households": ["households"],
          "householdTasks": ["chores"], "recipes": ["recipes"], "meals": ["meals"],
          "tasks": ["tasks"],
          "labels": ["labels"], "lists": ["lists"], "pantryStaples": ["staples"],
          "calendarEvents": ["calendar_events"], "activities": ["activities"],
          // Rebuilt from all of these.
          "sharedIndexes": [],
          // Not part of a book: the viewpoint.
          "present": [],
        ]
      ),
      (
        Account.placeholder, Account.schema,
        [
          "key": ["key"], "displayName": ["display_name"], "avatarURL": ["avatar_url"],
          "dayClock": ["time_zone", "day_start_hour"], "closedBefore": ["closed_before"],
          "theme": ["theme"], "created": ["created"], "updated": ["updated"], "pauses": ["pauses"],
          "isErased": ["erased"], "focus": ["focus"], "birthday": ["birthday"],
          "notifications": ["notifications_on", "notification_times"], "onboarded": ["onboarded"],
          "identities": ["identities"], "devices": ["devices"], "contacts": ["contacts"],
          "upgradeInterest": ["upgrade_interest"], "habitOrder": ["habit_order"],
          "pastClocks": ["past_clocks"], "rowNames": ["row_names"],
        ]
      ),
      (
        Habit.placeholder, Habit.schema,
        [
          "key": ["key"], "owner": ["owner"], "goal": ["goal"], "description": ["description"],
          "type": ["type"], "reminders": ["reminders"], "versions": ["versions"],
          "archived": ["archived"], "isDeleted": ["is_deleted"], "createdOn": ["created_on"],
          "created": ["created"], "updated": ["updated"], "days": ["days"],
        ]
      ),
      (
        DayTable.placeholder, DayTable.schema,
        [
          "days": ["packed", "count", "last_start", "last_day", "last_created"], "notes": ["notes"],
          "entered": ["entered"],
        ]
      ),
      (
        Goal.placeholder, Goal.schema,
        [
          "key": ["key"], "owner": ["owner"], "title": ["title"], "description": ["description"],
          "isDeleted": ["is_deleted"], "created": ["created"], "updated": ["updated"],
        ]
      ),
      (
        Account.Pause.placeholder, Account.Pause.schema, ["days": ["days"], "created": ["created"]]
      ),
      (
        Account.FocusSpan.placeholder, Account.FocusSpan.schema,
        ["habit": ["habit"], "since": ["since"], "until": ["until"]]
      ),
      (
        HabitHistory.Version.placeholder, HabitHistory.Version.schema,
        ["since": ["since"], "schedule": ["schedule"], "target": ["target"]]
      ),
      (
        Account.Link.placeholder, Account.Link.schema,
        [
          "identity": ["kind", "hash"], "isVerified": ["verified"], "created": ["created"],
          "updated": ["updated"],
        ]
      ),
      (
        Account.Device.placeholder, Account.Device.schema,
        [
          "token": ["token"], "environment": ["environment"], "created": ["created"],
          "updated": ["updated"],
        ]
      ),
      (
        Account.Contact.placeholder, Account.Contact.schema,
        ["hash": ["hash"], "text": ["text"], "name": ["name"], "created": ["created"]]
      ),
      (
        Account.UpgradeInterest.placeholder, Account.UpgradeInterest.schema,
        ["count": ["count"], "price": ["price"], "last": ["last"]]
      ),
      (DaySpan.placeholder, DaySpan.schema, ["first": ["first"], "last": ["last"]]),
      (
        Hive.placeholder, Hive.schema,
        [
          "key": ["key"], "owner": ["owner"], "description": ["description"], "type": ["type"],
          "target": ["target"], "schedule": ["weekmask"], "rule": ["rule"],
          "threshold": ["threshold"], "source": ["source"], "createdOn": ["created_on"],
          "created": ["created"], "updated": ["updated"], "isDeleted": ["is_deleted"],
          "members": ["members"], "invites": ["invites"], "advanced": ["advanced"],
          "recordedBreak": ["recorded_break"],
        ]
      ),
      (
        HiveMember.placeholder, HiveMember.schema,
        [
          "account": ["account"], "stays": ["stays"], "habit": ["habit"], "days": ["days"],
          "lateDays": ["late_days"],
          // Set again from the accounts.
          "leftOut": [],
        ]
      ),
      (
        HiveMembership.placeholder, HiveMembership.schema,
        [
          "joinedOn": ["joined_on"], "requiredFrom": ["required_from"],
          "requiredThrough": ["required_through"], "joined": ["joined"], "left": ["left"],
        ]
      ),
      (
        HiveInvite.placeholder, HiveInvite.schema,
        [
          "code": ["code"], "expires": ["expires"], "maximumUseCount": ["most_uses"],
          "useCount": ["use_count"], "isRevoked": ["revoked"], "creator": ["creator"],
          "created": ["created"],
        ]
      ),
      // Rebuilt from the hives.
      (
        HiveIndex(), Hive.schema,
        ["memberships": [], "owners": [], "links": [], "codes": [], "streakDeadlines": []]
      ),
      (
        Household.placeholder, Household.schema,
        [
          "key": ["key"], "creator": ["creator"], "name": ["name"], "created": ["created"],
          "updated": ["updated"], "isDeleted": ["is_deleted"], "members": ["members"],
          "code": ["code"],
        ]
      ),
      (
        HouseholdMember.placeholder, HouseholdMember.schema,
        ["account": ["account"], "stays": ["stays"]]
      ),
      (
        HouseholdMembership.placeholder, HouseholdMembership.schema,
        ["joined": ["joined"], "left": ["left"]]
      ),
      (
        HouseholdTask.placeholder, HouseholdTask.schema,
        [
          "key": ["key"], "household": ["household"], "creator": ["creator"],
          "content": ["content"], "assignee": ["assignee"], "completed": ["completed"],
          "completer": ["completer"], "created": ["created"], "updated": ["updated"],
          "isDeleted": ["is_deleted"],
        ]
      ),
      (
        Recipe.placeholder, Recipe.schema,
        [
          "key": ["key"], "household": ["household"], "creator": ["creator"],
          "content": ["content"], "created": ["created"], "updated": ["updated"],
          "isDeleted": ["is_deleted"],
        ]
      ),
      (
        Meal.placeholder, Meal.schema,
        [
          "key": ["key"], "household": ["household"], "creator": ["creator"],
          "content": ["content"], "created": ["created"], "updated": ["updated"],
          "isDeleted": ["is_deleted"],
        ]
      ),
      (
        GroceryList.placeholder, GroceryList.schema,
        [
          "key": ["key"], "household": ["household"], "creator": ["creator"],
          "weekStart": ["week_start"], "firstDay": ["first_day"],
          "mealPlanHash": ["meal_plan_hash"], "generated": ["generated"],
          "isSetAside": ["is_set_aside"],
          // Both, one after the other.
          "planned": ["items"], "written": [], "created": ["created"], "updated": ["updated"],
          "isDeleted": ["is_deleted"],
        ]
      ),
      (
        GroceryItem.placeholder, GroceryItem.schema,
        [
          "key": ["key"], "content": ["content"], "status": ["status"], "planned": ["planned"],
          "sources": ["sources"], "created": ["created"], "updated": ["updated"],
        ]
      ),
      (
        PantryStaple.placeholder, PantryStaple.schema,
        [
          "key": ["key"], "household": ["household"], "creator": ["creator"],
          "content": ["content"], "created": ["created"], "updated": ["updated"],
          "isDeleted": ["is_deleted"],
        ]
      ),
      (
        CalendarEvent.placeholder, CalendarEvent.schema,
        [
          "key": ["key"], "household": ["household"], "creator": ["creator"],
          "content": ["content"], "source": ["source"], "synced": ["synced"],
          "created": ["created"], "updated": ["updated"], "isDeleted": ["is_deleted"],
        ]
      ),
      // Rebuilt from the households and their entities.
      (
        HouseholdIndex(), Household.schema,
        [
          "memberships": [], "householdEntities": [], "openHouseholdTasks": [], "mealDays": [],
          "mealsOfRecipes": [], "calendarUIDs": [], "codes": [],
          "groceries": [],
        ]
      ),
      (GroceryIndex(), GroceryList.schema, ["made": [], "weeks": [], "lines": [], "shown": []]),
      (AccountIndex(), Account.schema, ["identities": [], "devices": []]),
      (OwnerIndex(), Habit.schema, ["pairs": []]),
      (HabitIndex(), Habit.schema, ["serving": []]),
      (
        TaskItem.placeholder, TaskItem.schema,
        [
          "key": ["key"], "owner": ["owner"], "bucket": ["bucket"], "parent": ["parent"],
          "rank": ["rank"], "title": ["title"], "description": ["description"], "due": ["due"],
          "repetition": ["repetition"], "completed": ["completed"], "saidDone": ["said_done"],
          "wasDoneWithParent": ["with_parent"], "occurrences": ["occurrences"],
          "labels": ["labels"], "created": ["created"], "updated": ["updated"],
          "deleted": ["deleted"], "isPurged": ["purged"], "changed": ["changed"],
        ]
      ),
      (
        TaskOccurrence.placeholder, TaskOccurrence.schema,
        [
          "key": ["key"], "due": ["due"], "day": ["day"], "rule": ["rule"],
          "completed": ["completed"], "removed": ["removed"],
        ]
      ),
      (
        TaskLabelLink.placeholder, TaskLabelLink.schema,
        [
          "label": ["label"], "created": ["created"], "updated": ["updated"],
          "removed": ["removed"], "isPurged": ["purged"],
        ]
      ),
      (
        TaskLabel.placeholder, TaskLabel.schema,
        [
          "key": ["key"], "owner": ["owner"], "name": ["name"], "color": ["color"],
          "created": ["created"], "updated": ["updated"], "deleted": ["deleted"],
          "isPurged": ["purged"], "changed": ["changed"],
        ]
      ),
      // Rebuilt from the tasks and labels.
      (
        TaskIndex(), TaskItem.schema,
        [
          "tombstones": [], "parts": [], "labelled": [], "siblings": [], "names": [],
        ]
      ),
      (
        PostedActivity.placeholder, PostedActivity.schema,
        [
          "key": ["key"], "owner": ["owner"], "hive": ["hive"], "habit": ["habit"],
          "kind": ["type"], "data": ["data"], "created": ["created"], "isDeleted": ["is_deleted"],
        ]
      ),
      // Rebuilt from the activities.
      (ActivityIndex(), PostedActivity.schema, ["told": []]),
      // Written as its account's fields; numbers by key are rebuilt from the entities.
      (
        DayClock(timeZone: "", dayStartHour: 0), Account.schema,
        ["timeZone": [], "dayStartHour": []]
      ),
      (Account.Notifications(), Account.schema, ["isOn": [], "times": []]),
      (Identity(.phone, .placeholder), Account.Link.schema, ["kind": [], "hash": []]),
      (Table<Goal>(), Goal.schema, ["elements": [], "numbers": [], "leftOut": [], "some": []]),
    ]
}
