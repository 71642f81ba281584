extension TableSchema {
  /// The apps, each with the tables and functions that it knows.
  public static var all: [TableSchema] { [habitHive, digit, dailyManna, mcCallHome, motiv] }

  /// The tables and functions of all apps under one address. Where two apps use one name differently, `tasks` means
  /// Daily Manna's, and the tasks of households are `household_tasks`.
  public static var together: TableSchema {
    TableSchema(
      "",
      [
        .profiles([
          "id", "display_name", "name", "email", "avatar_url", "timezone", "day_start_hour",
          "theme", "birthday", "email_verified", "notifications_enabled", "notification_times",
          "onboarded_at", "created_at", "updated_at",
        ]),
        .deviceTokens, .contactHashes, .goals,
        .habits(with: ["goal_id", "frequency", "is_focus"]), .habitLogs(["log_date", "date"]),
        .habitProgress, .hives, .hiveMembers, .hiveMemberDays, .hiveDays, .hiveInvites,
        .activityEvents, .tasks, .labels, .taskLabels, .households, .users,
        .householdTasks("household_tasks"), .householdTasks("honeydew_tasks"), .recipes,
        .meals("meal_plans"), .meals("meal_plan"), .meals("meal_plan_entries"), .groceryLists,
        .groceryItems, .pantryStaples,
        .calendarEvents,
      ], functions: RemoteFunction.habitHive + RemoteFunction.household)
  }

  private static var habitHive: TableSchema {
    TableSchema(
      "habithive",
      [
        .profiles([
          "id", "display_name", "avatar_url", "timezone", "day_start_hour", "theme",
          "notifications_enabled", "notification_times", "onboarded_at", "created_at",
          "updated_at",
        ]),
        .deviceTokens, .contactHashes, .habits(), .habitLogs(), .hives, .hiveMembers,
        .hiveMemberDays, .hiveDays, .hiveInvites, .activityEvents,
      ], functions: RemoteFunction.habitHive)
  }

  private static var digit: TableSchema {
    TableSchema(
      "digit",
      [
        .profiles([
          "id", "name", "display_name", "email", "birthday", "email_verified", "avatar_url",
          "timezone", "notifications_enabled", "notification_times", "created_at", "updated_at",
        ]),
        .deviceTokens, .habits(with: ["is_focus"]), .habitProgress,
      ], functions: [.userLocalDate])
  }

  private static var dailyManna: TableSchema {
    TableSchema(
      "manna",
      [
        .profiles([
          "id", "display_name", "name", "email", "avatar_url", "timezone", "created_at",
          "updated_at",
        ]),
        .tasks, .labels, .taskLabels,
      ])
  }

  private static var mcCallHome: TableSchema {
    TableSchema(
      "mccall",
      [
        .households, .users, .householdTasks("tasks"), .householdTasks("honeydew_tasks"),
        .householdTasks("household_tasks"), .recipes, .meals("meal_plans"), .meals("meal_plan"),
        .meals("meal_plan_entries"), .groceryLists, .groceryItems, .pantryStaples, .calendarEvents,
      ], functions: RemoteFunction.household)
  }

  private static var motiv: TableSchema {
    TableSchema(
      "motiv",
      [
        .profiles([
          "id", "name", "display_name", "email", "timezone", "day_start_hour", "created_at",
          "updated_at",
        ]),
        .goals, .habits(with: ["goal_id", "frequency"]), .habitLogs(["date"]),
      ])
  }
}
