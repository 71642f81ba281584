/// A screen of the page.
protocol Screen: Sendable {
  /// The content that a person sees, as of the time that the address names.
  ///
  /// - Throws: ``PageRefusal``.
  func content(_ visit: Visit) async throws -> Content
}

/// The screens by their paths.
struct ScreenList: Sendable {
  /// The places in the navigation, each by its first path component. The empty component is the screen Today.
  static let places = [
    "", "habits", "goals", "hives", "tasks", "household", "insights", "feed", "settings",
  ]
  /// The first components of all paths.
  static let names: Set<String> = [
    "habits", "goals", "welcome", "hives", "join", "legal", "tasks", "household", "insights",
    "feed", "settings", "find",
  ]

  /// The first components of the paths that a wall-mounted screen (`?wall=1`) shows.
  static let wall: Set<String> = ["", "household"]

  /// The screen at a path; `nil` if there is none.
  func screen(at path: [String]) -> (any Screen)? {
    switch (path.first, path.count) {
    case (nil, _): TodayScreen()
    case ("habits", 1): HabitsScreen()
    case ("habits", 2) where path[1] == "new": HabitFormScreen()
    case ("habits", 2): HabitScreen(habit: path[1])
    case ("habits", 3) where path[2] == "edit": HabitFormScreen(habit: path[1])
    case ("goals", 1): GoalsScreen()
    case ("goals", 2): GoalScreen(goal: path[1])
    case ("welcome", 1): WelcomeScreen()
    case ("welcome", 2):
      Int(path[1]).flatMap { WelcomeStep(rawValue: $0) }.map { WelcomeStepScreen(step: $0) }
    case ("hives", 1): HivesScreen()
    case ("hives", 2): HiveScreen(hive: path[1])
    case ("join", 1): JoinScreen()
    case ("tasks", 1): TasksScreen()
    case ("tasks", 2) where path[1] == "labels": LabelsScreen()
    case ("tasks", 2): TaskScreen(task: path[1])
    case ("household", _): householdScreen(at: Array(path.dropFirst()))
    case ("insights", 1): InsightsScreen()
    case ("feed", 1): FeedScreen()
    case ("settings", 1): SettingsScreen()
    case ("settings", 2) where path[1] == "erase": EraseScreen()
    case ("legal", _): LegalScreen(at: path)
    case ("find", 1): FindScreen()
    default: nil
    }
  }

  /// The screen of one part of a household (chores, plan, recipes, …); `nil` if there is none.
  private func householdScreen(at path: [String]) -> (any Screen)? {
    switch (path.first, path.count) {
    case (nil, _): HouseholdScreen()
    case ("join", 1): JoinScreen()
    case ("chores", 1): ChoresScreen()
    case ("plan", 1): PlanScreen()
    case ("recipes", 1): RecipesScreen()
    case ("recipes", 2): RecipeScreen(recipe: path[1])
    case ("groceries", 1): GroceriesScreen()
    case ("pantry", 1): PantryScreen()
    case ("calendar", 1): CalendarScreen()
    default: nil
    }
  }
}
