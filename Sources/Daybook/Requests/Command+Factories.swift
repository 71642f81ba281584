// Made by Tests/Generated/generate_factories.py from the commands' inits. Change those and run it; change nothing here.

public import Avro
public import Calendar
public import Kitchen
public import Streaks
public import Values

extension Command where Self == AddGroceryItem {
  /// ``AddGroceryItem``: Adds a line to a grocery list.
  public static func addGroceryItem(
    in household: Household.ID, week: Day? = nil, list: GroceryList.ID? = nil, key: Key? = nil,
    _ content: GroceryItemContent
  ) -> AddGroceryItem { AddGroceryItem(in: household, week: week, list: list, key: key, content) }
}

extension Command where Self == AddHiveMember {
  /// ``AddHiveMember``: Adds one of your contacts to a hive.
  public static func addHiveMember(_ member: Account.ID, to hive: Hive.ID) -> AddHiveMember {
    AddHiveMember(member, to: hive)
  }
}

extension Command where Self == AddHouseholdMember {
  /// ``AddHouseholdMember``: Adds somebody to a household.
  public static func addHouseholdMember(_ member: Account.ID, to household: Household.ID)
    -> AddHouseholdMember
  { AddHouseholdMember(member, to: household) }
}

extension Command where Self == AddPantryStaple {
  /// ``AddPantryStaple``: Adds a staple to the pantry.
  public static func addPantryStaple(
    in household: Household.ID, key: Key? = nil, _ content: PantryStapleContent
  ) -> AddPantryStaple { AddPantryStaple(in: household, key: key, content) }
}

extension Command where Self == AdvanceHiveDay {
  /// ``AdvanceHiveDay``: Checks again whether a hive's day advances.
  public static func advanceHiveDay(_ hive: Hive.ID, day: Day) -> AdvanceHiveDay {
    AdvanceHiveDay(hive, day: day)
  }
}

extension Command where Self == ArchiveHabit {
  /// ``ArchiveHabit``: Archives a habit from today on.
  public static func archiveHabit(_ habit: Habit.ID) -> ArchiveHabit { ArchiveHabit(habit) }
}

extension Command where Self == AssignHouseholdTask {
  /// ``AssignHouseholdTask``: Assigns a household task to a member, or to nobody in particular.
  public static func assignHouseholdTask(
    _ householdTask: HouseholdTask.ID, to assignee: Account.ID?
  ) -> AssignHouseholdTask { AssignHouseholdTask(householdTask, to: assignee) }
}

extension Command where Self == AttachHabit {
  /// ``AttachHabit``: Attaches a habit to a goal.
  public static func attachHabit(_ habit: Habit.ID, to goal: Goal.ID) -> AttachHabit {
    AttachHabit(habit, to: goal)
  }
}

extension Command where Self == CheckGroceryItem {
  /// ``CheckGroceryItem``: Checks a line of a grocery list off.
  public static func checkGroceryItem(_ item: GroceryItemID) -> CheckGroceryItem {
    CheckGroceryItem(item)
  }
}

extension Command where Self == ChooseFocus {
  /// ``ChooseFocus``: Puts the focus on one habit; null removes the focus.
  public static func chooseFocus(_ habit: Habit.ID?) -> ChooseFocus { ChooseFocus(habit) }
}

extension Command where Self == ChooseGroceryList {
  /// ``ChooseGroceryList``: Chooses the grocery list that a household shops by, or sets a list aside.
  public static func chooseGroceryList(_ list: GroceryList.ID, isCurrent: Bool = true)
    -> ChooseGroceryList
  { ChooseGroceryList(list, isCurrent: isCurrent) }
}

extension Command where Self == ClearHiveLog {
  /// ``ClearHiveLog``: Clears a day in a hive.
  public static func clearHiveLog(
    _ hive: Hive.ID, day: DayChoice = .today, source: Source = .manual
  ) -> ClearHiveLog { ClearHiveLog(hive, day: day, source: source) }
}

extension Command where Self == ClearLog {
  /// ``ClearLog``: Clears a day of a habit.
  public static func clearLog(_ habit: Habit.ID, day: DayChoice = .today, source: Source = .manual)
    -> ClearLog
  { ClearLog(habit, day: day, source: source) }
}

extension Command where Self == CompleteHouseholdTask {
  /// ``CompleteHouseholdTask``: Marks a household task as done.
  public static func completeHouseholdTask(
    _ householdTask: HouseholdTask.ID, at completed: Instant? = nil
  ) -> CompleteHouseholdTask { CompleteHouseholdTask(householdTask, at: completed) }
}

extension Command where Self == CompleteOnboarding {
  /// ``CompleteOnboarding``: Ends the onboarding and records every choice made in it.
  public static func completeOnboarding(
    habits: [CompleteOnboarding.Starter] = [], _ set: (inout Account.Profile) -> Void = { _ in }
  ) -> CompleteOnboarding { CompleteOnboarding(habits: habits, set) }
}

extension Command where Self == CompleteTask {
  /// ``CompleteTask``: Marks a task as done; a repeating task opens again, with its next due time.
  public static func completeTask(
    _ task: TaskItem.ID, slot: Instant? = nil, at completed: Instant? = nil
  ) -> CompleteTask { CompleteTask(task, slot: slot, at: completed) }
}

extension Command where Self == CreateAccount {
  /// ``CreateAccount``: Creates an account; it needs no actor.
  public static func createAccount(
    key: Key? = nil, name: String = "New Bee", avatarURL: String? = nil,
    timeZone: String = "America/New_York", dayStartHour: Int = 4, theme: Theme = .honey
  ) -> CreateAccount {
    CreateAccount(
      key: key, name: name, avatarURL: avatarURL, timeZone: timeZone, dayStartHour: dayStartHour,
      theme: theme)
  }
}

extension Command where Self == CreateCalendarEvent {
  /// ``CreateCalendarEvent``: Adds an event to a household's calendar.
  public static func createCalendarEvent(
    in household: Household.ID, key: Key? = nil, title: String, start: CalendarMoment,
    end: CalendarMoment? = nil
  ) -> CreateCalendarEvent {
    CreateCalendarEvent(in: household, key: key, title: title, start: start, end: end)
  }
}

extension Command where Self == CreateGoal {
  /// ``CreateGoal``: Sets a goal.
  public static func createGoal(key: Key? = nil, title: String, description: String? = nil)
    -> CreateGoal
  { CreateGoal(key: key, title: title, description: description) }
}

extension Command where Self == CreateHabit {
  /// ``CreateHabit``: Creates a habit.
  public static func createHabit(
    key: Key? = nil, name: String, emoji: String = "", color: String = HabitDescription.usualColor,
    question: String = "", unit: String = "", type: HabitType? = nil, target: Target = Target(.one),
    schedule: Schedule = .daily, reminders: [LocalTime] = [], goal: Key? = nil
  ) -> CreateHabit {
    CreateHabit(
      key: key, name: name, emoji: emoji, color: color, question: question, unit: unit, type: type,
      target: target, schedule: schedule, reminders: reminders, goal: goal)
  }
}

extension Command where Self == CreateHive {
  /// ``CreateHive``: Creates a hive; the actor leads it.
  public static func createHive(
    key: Key? = nil, name: String, emoji: String = "", color: String = HabitDescription.usualColor,
    type: HabitType = .checkbox, target: Amount = .one, schedule: WeekdayMask = .everyDay,
    threshold: Int? = nil
  ) -> CreateHive {
    CreateHive(
      key: key, name: name, emoji: emoji, color: color, type: type, target: target,
      schedule: schedule, threshold: threshold)
  }
}

extension Command where Self == CreateHiveFromHabit {
  /// ``CreateHiveFromHabit``: Creates a hive from a habit, with its look, target, schedule and last days.
  public static func createHiveFromHabit(
    _ habit: Habit.ID, key: Key? = nil, name: String? = nil, backfillDays: Int = 30,
    threshold: Int? = nil
  ) -> CreateHiveFromHabit {
    CreateHiveFromHabit(
      habit, key: key, name: name, backfillDays: backfillDays, threshold: threshold)
  }
}

extension Command where Self == CreateHiveInvite {
  /// ``CreateHiveInvite``: Creates an invite to a hive.
  public static func createHiveInvite(
    _ hive: Hive.ID, minutes: Int = 10_080, maximumUseCount: Int = 20, code: String? = nil
  ) -> CreateHiveInvite {
    CreateHiveInvite(hive, minutes: minutes, maximumUseCount: maximumUseCount, code: code)
  }
}

extension Command where Self == CreateHousehold {
  /// ``CreateHousehold``: Creates a household; the actor is its first member.
  public static func createHousehold(key: Key? = nil, name: String) -> CreateHousehold {
    CreateHousehold(key: key, name: name)
  }
}

extension Command where Self == CreateHouseholdCode {
  /// ``CreateHouseholdCode``: Creates a code by which people join a household.
  public static func createHouseholdCode(
    _ household: Household.ID, minutes: Int = 10_080, code: String? = nil, isNew: Bool = false
  ) -> CreateHouseholdCode {
    CreateHouseholdCode(household, minutes: minutes, code: code, isNew: isNew)
  }
}

extension Command where Self == CreateHouseholdTask {
  /// ``CreateHouseholdTask``: Adds a task to a household.
  public static func createHouseholdTask(
    in household: Household.ID, key: Key? = nil, _ content: HouseholdTaskContent,
    assignee: Account.ID? = nil
  ) -> CreateHouseholdTask {
    CreateHouseholdTask(in: household, key: key, content, assignee: assignee)
  }
}

extension Command where Self == CreateLabel {
  /// ``CreateLabel``: Makes a label for tasks.
  public static func createLabel(
    key: Key? = nil, name: String, color: String = CreateLabel.usualColor
  ) -> CreateLabel { CreateLabel(key: key, name: name, color: color) }
}

extension Command where Self == CreateRecipe {
  /// ``CreateRecipe``: Adds a recipe to a household.
  public static func createRecipe(
    in household: Household.ID, key: Key? = nil, _ content: RecipeContent
  ) -> CreateRecipe { CreateRecipe(in: household, key: key, content) }
}

extension Command where Self == CreateTask {
  /// ``CreateTask``: Creates a task.
  public static func createTask(
    key: Key? = nil, title: String, description: String? = nil, bucket: TaskBucket? = nil,
    parent: TaskItem.ID? = nil, due: Instant? = nil, recurrence: String? = nil,
    from origin: TaskRepetition.Origin? = nil, place: ListPlace<TaskItem> = .last,
    labels: [TaskLabel.ID] = []
  ) -> CreateTask {
    CreateTask(
      key: key, title: title, description: description, bucket: bucket, parent: parent, due: due,
      recurrence: recurrence, from: origin, place: place, labels: labels)
  }
}

extension Command where Self == DeleteCalendarEvent {
  /// ``DeleteCalendarEvent``: Deletes an event from a household's calendar, with all its occurrences.
  public static func deleteCalendarEvent(_ event: CalendarEvent.ID) -> DeleteCalendarEvent {
    DeleteCalendarEvent(event)
  }
}

extension Command where Self == DeleteGoal {
  /// ``DeleteGoal``: Deletes a goal, and with it its habits and their logs.
  public static func deleteGoal(_ goal: Goal.ID) -> DeleteGoal { DeleteGoal(goal) }
}

extension Command where Self == DeleteGroceryList {
  /// ``DeleteGroceryList``: Deletes a grocery list with all its lines.
  public static func deleteGroceryList(_ list: GroceryList.ID) -> DeleteGroceryList {
    DeleteGroceryList(list)
  }
}

extension Command where Self == DeleteHabit {
  /// ``DeleteHabit``: Deletes a habit with its logs.
  public static func deleteHabit(_ habit: Habit.ID) -> DeleteHabit { DeleteHabit(habit) }
}

extension Command where Self == DeleteHive {
  /// ``DeleteHive``: Deletes a hive.
  public static func deleteHive(_ hive: Hive.ID) -> DeleteHive { DeleteHive(hive) }
}

extension Command where Self == DeleteHousehold {
  /// ``DeleteHousehold``: Deletes a household with all that belongs to it.
  public static func deleteHousehold(_ household: Household.ID) -> DeleteHousehold {
    DeleteHousehold(household)
  }
}

extension Command where Self == DeleteHouseholdTask {
  /// ``DeleteHouseholdTask``: Deletes a household task.
  public static func deleteHouseholdTask(_ householdTask: HouseholdTask.ID) -> DeleteHouseholdTask {
    DeleteHouseholdTask(householdTask)
  }
}

extension Command where Self == DeleteLabel {
  /// ``DeleteLabel``: Deletes a label; the tasks that have it lose it.
  public static func deleteLabel(_ label: TaskLabel.ID, purge: Bool = false) -> DeleteLabel {
    DeleteLabel(label, purge: purge)
  }
}

extension Command where Self == DeleteRecipe {
  /// ``DeleteRecipe``: Deletes a recipe; meals that are planned with it keep its title.
  public static func deleteRecipe(_ recipe: Recipe.ID) -> DeleteRecipe { DeleteRecipe(recipe) }
}

extension Command where Self == DeleteTask {
  /// ``DeleteTask``: Deletes a task with all its subtasks.
  public static func deleteTask(_ task: TaskItem.ID, purge: Bool = false) -> DeleteTask {
    DeleteTask(task, purge: purge)
  }
}

extension Command where Self == DetachHabit {
  /// ``DetachHabit``: Detaches a habit from its goal.
  public static func detachHabit(_ habit: Habit.ID) -> DetachHabit { DetachHabit(habit) }
}

extension Command where Self == GenerateGroceryList {
  /// ``GenerateGroceryList``: Makes a household's grocery list for a week from the planned meals.
  public static func generateGroceryList(of household: Household.ID, week: Day? = nil)
    -> GenerateGroceryList
  { GenerateGroceryList(of: household, week: week) }
}

extension Command where Self == HandOverHive {
  /// ``HandOverHive``: Hands the hive over to another member.
  public static func handOverHive(_ hive: Hive.ID, to member: Account.ID) -> HandOverHive {
    HandOverHive(hive, to: member)
  }
}

extension Command where Self == ImportCalendar {
  /// ``ImportCalendar``: Updates a household's calendar from an iCalendar file.
  public static func importCalendar(
    _ bytes: [UInt8], into household: Household.ID, deletingMissing: Bool = false, key: Key? = nil
  ) -> ImportCalendar {
    ImportCalendar(bytes, into: household, deletingMissing: deletingMissing, key: key)
  }
}

extension Command where Self == JoinHive {
  /// ``JoinHive``: Joins a hive by the code of an invite.
  public static func joinHive(_ code: String) -> JoinHive { JoinHive(code) }
}

extension Command where Self == JoinHousehold {
  /// ``JoinHousehold``: Joins a household by its code.
  public static func joinHousehold(_ code: String) -> JoinHousehold { JoinHousehold(code) }
}

extension Command where Self == LeaveHive {
  /// ``LeaveHive``: Leaves a hive.
  public static func leaveHive(_ hive: Hive.ID) -> LeaveHive { LeaveHive(hive) }
}

extension Command where Self == LeaveHousehold {
  /// ``LeaveHousehold``: Leaves a household; when the last member leaves, it is deleted.
  public static func leaveHousehold(_ household: Household.ID) -> LeaveHousehold {
    LeaveHousehold(household)
  }
}

extension Command where Self == LinkHabit {
  /// ``LinkHabit``: Links a habit to a hive, so that logging the habit logs the hive's day; or removes the link.
  public static func linkHabit(_ habit: Habit.ID?, to hive: Hive.ID) -> LinkHabit {
    LinkHabit(habit, to: hive)
  }
}

extension Command where Self == LinkIdentity {
  /// ``LinkIdentity``: Links an identity that recognises the account's person.
  public static func linkIdentity(_ identity: Identity, isVerified: Bool = false) -> LinkIdentity {
    LinkIdentity(identity, isVerified: isVerified)
  }
}

extension Command where Self == LogHabit {
  /// ``LogHabit``: Logs a day of a habit; logging the day again replaces the value.
  public static func logHabit(
    _ habit: Habit.ID, value: Amount = .one, day: DayChoice = .today, source: Source = .manual,
    note: String? = nil
  ) -> LogHabit { LogHabit(habit, value: value, day: day, source: source, note: note) }
}

extension Command where Self == LogHiveDay {
  /// ``LogHiveDay``: Logs a day in a hive.
  public static func logHiveDay(
    _ hive: Hive.ID, value: Amount = .one, day: DayChoice = .today, source: Source = .manual
  ) -> LogHiveDay { LogHiveDay(hive, value: value, day: day, source: source) }
}

extension Command where Self == MoveHabit {
  /// ``MoveHabit``: Moves a habit to another place in your list.
  public static func moveHabit(_ habit: Habit.ID, to place: ListPlace<Habit> = .last) -> MoveHabit {
    MoveHabit(habit, to: place)
  }
}

extension Command where Self == MoveTask {
  /// ``MoveTask``: Moves a task to a bucket, under another task, or before or after one.
  public static func moveTask(
    _ task: TaskItem.ID, to bucket: TaskBucket? = nil, place: ListPlace<TaskItem> = .last,
    under set: (inout MoveTask.TaskParent) -> Void = { _ in }
  ) -> MoveTask { MoveTask(task, to: bucket, place: place, under: set) }
}

extension Command where Self == NameRow {
  /// ``NameRow``: Records the name that the account's app gives to a row of its tables.
  public static func nameRow(_ row: Key, of table: NamedTable, name: Key) -> NameRow {
    NameRow(row, of: table, name: name)
  }
}

extension Command where Self == Pause {
  /// ``Pause``: Pauses the account on some days, past or future.
  public static func pause(first: Day, last: Day?) -> Pause { Pause(first: first, last: last) }
}

extension Command where Self == PlanMeal {
  /// ``PlanMeal``: Plans a meal for a day: a recipe, or a title without a recipe.
  public static func planMeal(in household: Household.ID, key: Key? = nil, _ content: MealContent)
    -> PlanMeal
  { PlanMeal(in: household, key: key, content) }
}

extension Command where Self == PostActivity {
  /// ``PostActivity``: Posts an activity in the actor's name.
  public static func postActivity(
    key: Key? = nil, _ kind: Activity.Kind, in hive: Hive.ID? = nil, about habit: Habit.ID? = nil,
    data: JSON = [:]
  ) -> PostActivity { PostActivity(key: key, kind, in: hive, about: habit, data: data) }
}

extension Command where Self == RegisterDevice {
  /// ``RegisterDevice``: Registers a device for the account's push notifications.
  public static func registerDevice(token: String, environment: PushEnvironment = .prod)
    -> RegisterDevice
  { RegisterDevice(token: token, environment: environment) }
}

extension Command where Self == RemoveContacts {
  /// ``RemoveContacts``: Removes some of the account's contacts, or all of them.
  public static func removeContacts(_ hashes: [IdentityHash]?) -> RemoveContacts {
    RemoveContacts(hashes)
  }
}

extension Command where Self == RemoveGroceryItem {
  /// ``RemoveGroceryItem``: Removes a line from a grocery list.
  public static func removeGroceryItem(_ item: GroceryItemID) -> RemoveGroceryItem {
    RemoveGroceryItem(item)
  }
}

extension Command where Self == RemoveHiveMember {
  /// ``RemoveHiveMember``: Removes a member from a hive.
  public static func removeHiveMember(_ member: Account.ID, from hive: Hive.ID) -> RemoveHiveMember
  { RemoveHiveMember(member, from: hive) }
}

extension Command where Self == RemoveHouseholdMember {
  /// ``RemoveHouseholdMember``: Removes somebody from a household, as if they left.
  public static func removeHouseholdMember(_ member: Account.ID, from household: Household.ID)
    -> RemoveHouseholdMember
  { RemoveHouseholdMember(member, from: household) }
}

extension Command where Self == RemoveMeal {
  /// ``RemoveMeal``: Removes a meal from the plan.
  public static func removeMeal(_ meal: Meal.ID) -> RemoveMeal { RemoveMeal(meal) }
}

extension Command where Self == RemovePantryStaple {
  /// ``RemovePantryStaple``: Removes a staple from the pantry.
  public static func removePantryStaple(_ pantryStaple: PantryStaple.ID) -> RemovePantryStaple {
    RemovePantryStaple(pantryStaple)
  }
}

extension Command where Self == RenameHousehold {
  /// ``RenameHousehold``: Renames a household.
  public static func renameHousehold(_ household: Household.ID, name: String) -> RenameHousehold {
    RenameHousehold(household, name: name)
  }
}

extension Command where Self == ReopenHouseholdTask {
  /// ``ReopenHouseholdTask``: Reopens a household task.
  public static func reopenHouseholdTask(_ householdTask: HouseholdTask.ID) -> ReopenHouseholdTask {
    ReopenHouseholdTask(householdTask)
  }
}

extension Command where Self == ReopenTask {
  /// ``ReopenTask``: Reopens a done task.
  public static func reopenTask(_ task: TaskItem.ID) -> ReopenTask { ReopenTask(task) }
}

extension Command where Self == RequestUpgrade {
  /// ``RequestUpgrade``: Records that the account wants the paid version; unlocks nothing.
  public static func requestUpgrade(price: String) -> RequestUpgrade {
    RequestUpgrade(price: price)
  }
}

extension Command where Self == RestoreHabit {
  /// ``RestoreHabit``: Restores an archived habit.
  public static func restoreHabit(_ habit: Habit.ID) -> RestoreHabit { RestoreHabit(habit) }
}

extension Command where Self == Resume {
  /// ``Resume``: Ends the account's pauses today.
  public static func resume() -> Resume { Resume() }
}

extension Command where Self == RevokeHiveInvite {
  /// ``RevokeHiveInvite``: Revokes an invite.
  public static func revokeHiveInvite(_ code: String) -> RevokeHiveInvite { RevokeHiveInvite(code) }
}

extension Command where Self == RevokeHouseholdCode {
  /// ``RevokeHouseholdCode``: Revokes a household's code.
  public static func revokeHouseholdCode(_ household: Household.ID) -> RevokeHouseholdCode {
    RevokeHouseholdCode(household)
  }
}

extension Command where Self == SaveContact {
  /// ``SaveContact``: Sets the account's name for a contact.
  public static func saveContact(_ contact: String, name: String? = nil) -> SaveContact {
    SaveContact(contact, name: name)
  }
}

extension Command where Self == Settle {
  /// ``Settle``: Records the breaks of shared streaks that are due; it needs no actor.
  public static func settle() -> Settle { Settle() }
}

extension Command where Self == SkipDay {
  /// ``SkipDay``: Skips a day of a habit, so that it neither extends nor breaks a streak.
  public static func skipDay(
    _ habit: Habit.ID, day: DayChoice = .today, source: Source = .manual, note: String? = nil
  ) -> SkipDay { SkipDay(habit, day: day, source: source, note: note) }
}

extension Command where Self == UncheckGroceryItem {
  /// ``UncheckGroceryItem``: Unchecks a line of a grocery list.
  public static func uncheckGroceryItem(_ item: GroceryItemID) -> UncheckGroceryItem {
    UncheckGroceryItem(item)
  }
}

extension Command where Self == UnlinkIdentity {
  /// ``UnlinkIdentity``: Unlinks an identity from the account.
  public static func unlinkIdentity(_ identity: Identity) -> UnlinkIdentity {
    UnlinkIdentity(identity)
  }
}

extension Command where Self == UnregisterDevice {
  /// ``UnregisterDevice``: Unregisters a device from the account's push notifications.
  public static func unregisterDevice(token: String) -> UnregisterDevice {
    UnregisterDevice(token: token)
  }
}

extension Command where Self == UpdateCalendarEvent {
  /// ``UpdateCalendarEvent``: Changes a calendar event: what it is, when it is, or how it repeats.
  public static func updateCalendarEvent(
    _ event: CalendarEvent.ID, _ set: (inout CalendarDraft) -> Void = { _ in }
  ) -> UpdateCalendarEvent { UpdateCalendarEvent(event, set) }
}

extension Command where Self == UpdateGoal {
  /// ``UpdateGoal``: Changes a goal's title or description.
  public static func updateGoal(_ goal: Goal.ID, _ set: (inout GoalContent) -> Void = { _ in })
    -> UpdateGoal
  { UpdateGoal(goal, set) }
}

extension Command where Self == UpdateGroceryItem {
  /// ``UpdateGroceryItem``: Changes a line of a grocery list.
  public static func updateGroceryItem(
    _ item: GroceryItemID, _ set: (inout GroceryItemContent) -> Void = { _ in }
  ) -> UpdateGroceryItem { UpdateGroceryItem(item, set) }
}

extension Command where Self == UpdateHabit {
  /// ``UpdateHabit``: Changes a habit; its schedule and target from today on.
  public static func updateHabit(_ habit: Habit.ID) -> UpdateHabit { UpdateHabit(habit) }

  /// ``UpdateHabit``: Changes a habit; its schedule and target from today on.
  ///
  /// - Throws: what the closure throws.
  public static func updateHabit(_ habit: Habit.ID, _ set: (inout HabitContent) throws -> Void)
    rethrows -> UpdateHabit
  { try UpdateHabit(habit, set) }
}

extension Command where Self == UpdateHive {
  /// ``UpdateHive``: Changes a hive's name or look.
  public static func updateHive(_ hive: Hive.ID, _ set: (inout HiveDescription) -> Void = { _ in })
    -> UpdateHive
  { UpdateHive(hive, set) }
}

extension Command where Self == UpdateHouseholdTask {
  /// ``UpdateHouseholdTask``: Changes a household task: its text, its due date, or who does it.
  public static func updateHouseholdTask(
    _ householdTask: HouseholdTask.ID, _ set: (inout HouseholdTaskDraft) -> Void = { _ in }
  ) -> UpdateHouseholdTask { UpdateHouseholdTask(householdTask, set) }
}

extension Command where Self == UpdateLabel {
  /// ``UpdateLabel``: Changes a label's name or colour.
  public static func updateLabel(
    _ label: TaskLabel.ID, _ set: (inout LabelContent) -> Void = { _ in }
  ) -> UpdateLabel { UpdateLabel(label, set) }
}

extension Command where Self == UpdateMeal {
  /// ``UpdateMeal``: Changes a planned meal: moves it, or replaces it.
  public static func updateMeal(_ meal: Meal.ID, _ set: (inout MealContent) -> Void = { _ in })
    -> UpdateMeal
  { UpdateMeal(meal, set) }
}

extension Command where Self == UpdatePantryStaple {
  /// ``UpdatePantryStaple``: Changes a staple of the pantry.
  public static func updatePantryStaple(_ pantryStaple: PantryStaple.ID) -> UpdatePantryStaple {
    UpdatePantryStaple(pantryStaple)
  }

  /// ``UpdatePantryStaple``: Changes a staple of the pantry.
  ///
  /// - Throws: what the closure throws.
  public static func updatePantryStaple(
    _ pantryStaple: PantryStaple.ID, _ set: (inout PantryStapleContent) throws -> Void
  ) rethrows -> UpdatePantryStaple { try UpdatePantryStaple(pantryStaple, set) }
}

extension Command where Self == UpdateProfile {
  /// ``UpdateProfile``: Changes your own profile.
  public static func updateProfile(_ set: (inout Account.Profile) -> Void = { _ in })
    -> UpdateProfile
  { UpdateProfile(set) }
}

extension Command where Self == UpdateRecipe {
  /// ``UpdateRecipe``: Changes a recipe.
  public static func updateRecipe(
    _ recipe: Recipe.ID, _ set: (inout RecipeContent) -> Void = { _ in }
  ) -> UpdateRecipe { UpdateRecipe(recipe, set) }
}

extension Command where Self == UpdateTask {
  /// ``UpdateTask``: Changes a task's text, due time, repetition or labels.
  public static func updateTask(_ task: TaskItem.ID, _ set: (inout TaskContent) -> Void = { _ in })
    -> UpdateTask
  { UpdateTask(task, set) }
}

extension Command where Self == UploadContacts {
  /// ``UploadContacts``: Uploads the phone numbers of the account's contacts.
  public static func uploadContacts(_ hashes: [IdentityHash]) -> UploadContacts {
    UploadContacts(hashes)
  }
}

extension Command where Self == UpsertLabel {
  /// ``UpsertLabel``: Creates or changes a label from a row of `labels`.
  public static func upsertLabel(_ key: Key, _ set: (inout UpsertLabel.LabelRow) -> Void = { _ in })
    -> UpsertLabel
  { UpsertLabel(key, set) }
}

extension Command where Self == UpsertTask {
  /// ``UpsertTask``: Creates or changes a task from a row of `tasks`.
  public static func upsertTask(_ key: Key, _ set: (inout UpsertTask.TaskRow) -> Void = { _ in })
    -> UpsertTask
  { UpsertTask(key, set) }
}

extension Command where Self == UserLocalDate {
  /// ``UserLocalDate``: Returns the day of an instant for the account.
  public static func userLocalDate(at: Instant? = nil) -> UserLocalDate { UserLocalDate(at: at) }
}

extension Command where Self == VerifyIdentity {
  /// ``VerifyIdentity``: Marks an identity as verified.
  public static func verifyIdentity(_ identity: Identity) -> VerifyIdentity {
    VerifyIdentity(identity)
  }
}
