/// A screen of the page.
protocol Screen: Sendable {
  /// What it shows to a person at the moment of the address.
  ///
  /// - Throws: ``PageRefusal``.
  func content(_ visit: Visit) async throws -> Content
}

/// The screens by their paths.
struct ScreenList: Sendable {
  /// The places of the navigation, by their first path component; the empty one is today's.
  static let places = ["", "habits", "goals", "hives", "tasks", "insights", "feed", "settings"]
  /// The first components of all paths.
  static let names: Set<String> = [
    "habits", "goals", "welcome", "hives", "tasks", "insights", "feed", "settings",
  ]

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
    case ("tasks", 1): TasksScreen()
    case ("insights", 1): InsightsScreen()
    case ("feed", 1): FeedScreen()
    case ("settings", 1): SettingsScreen()
    default: nil
    }
  }
}
