import Calendar
import Daybook
import DaybookStore
import DaybookTables
import Values

// Two tables over a book, with a column of each sort.

extension AppTable {
  /// The goals of the one who looks. What `mood`, `twice` and `seen_at` hold is made up: they stand for
  /// columns that are
  /// checked, computed and the server's.
  static func goals() -> AppTable {
    AppTable(
      "goals",
      [
        TableColumn("id", .uuid, defaultValue: .freshKey),
        TableColumn("user_id", .uuid, defaultValue: .caller),
        TableColumn("title", .text), TableColumn("description", .text, isNullable: true),
        TableColumn("mood", .text, defaultValue: .value(.text("calm")), allowed: ["calm", "busy"]),
        TableColumn("twice", .text, writing: .computed),
        TableColumn("created_at", .timestamp, writing: .server),
        TableColumn("updated_at", .timestamp, writing: .server),
      ], uniqueKeys: [["user_id", "title"]], writer: GoalWriter()
    ) { view, bounds, take in
      for goal in view.state.goals.elements where goal.owner == view.viewer && !goal.isDeleted {
        if let keys = bounds.keys("id"), !keys.contains(goal.key) { continue }
        let owner = view.state.accounts[goal.owner]?.key ?? goal.key
        try take(
          Row([
            .uuid(goal.key), .uuid(owner), .text(goal.title),
            goal.description.map { .text($0) } ?? .null, .text("calm"),
            .text(goal.title + goal.title), .timestamp(goal.created), .timestamp(goal.updated),
          ]))
      }
    }
  }

  /// The habits of the one who looks; nobody else's can be told apart from none.
  static var habits: AppTable {
    AppTable(
      "habits",
      [
        TableColumn("id", .uuid, defaultValue: .freshKey), TableColumn("name", .text),
        TableColumn("goal_id", .uuid, isNullable: true),
      ], foreignKeys: [ForeignKey("goal_id", of: "habits", to: "goals")], writer: HabitWriter()
    ) { view, _, take in
      for habit in view.state.habits.elements
      where habit.owner == view.viewer && !habit.isDeleted {
        let goal = habit.goal.flatMap { view.state.goals[$0]?.key }
        try take(
          Row([.uuid(habit.key), .text(habit.name), goal.map { .uuid($0) } ?? .null]))
      }
    }
  }
}

extension AppTable {
  /// The tasks of the one who looks, some of them parts of others.
  static var tasks: AppTable {
    AppTable(
      "tasks",
      [
        TableColumn("id", .uuid, defaultValue: .freshKey), TableColumn("title", .text),
        TableColumn("parent_id", .uuid, isNullable: true),
      ], foreignKeys: [ForeignKey("parent_id", of: "tasks", to: "tasks")], writer: TaskWriter()
    ) { view, _, take in
      for task in view.state.tasks.elements where task.owner == view.viewer && !task.isDeleted {
        let parent = task.parent.flatMap { view.state.tasks[$0]?.key }
        try take(
          Row([.uuid(task.key), .text(task.title), parent.map { .uuid($0) } ?? .null]))
      }
    }
  }
}

// In a dictionary `Key` is something else.
private typealias RowKey = Key

extension [String: TableValue] {
  fileprivate func text(_ column: String) -> String? {
    if case .text(let text) = self[column] { text } else { nil }
  }

  fileprivate func key(_ column: String) -> RowKey? {
    if case .uuid(let key) = self[column] { key } else { nil }
  }
}

private struct GoalWriter: TableWriter {
  func insert(
    _ row: [String: TableValue], given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    let goal = try write.record(
      CreateGoal(
        key: row.key("id"), title: row.text("title") ?? "", description: row.text("description")))
    return [write.batch.state.goals[goal].map { .uuid($0.key) } ?? .null]
  }

  func update(
    _ row: [String: TableValue], to changes: [String: TableValue], _ write: inout TableWrite
  ) throws {
    guard let key = row.key("id"), let goal = write.batch.state.goals.number(of: key) else {
      return
    }
    try write.record(
      UpdateGoal(goal) { goal in
        if let title = changes.text("title") { goal.title = title }
        if let description = changes["description"] {
          goal.description = if case .text(let text) = description { text } else { nil }
        }
      })
  }

  func mayChange(_ row: [String: TableValue], _ write: TableWrite) -> Bool {
    row.text("title") != "locked"
  }

  func delete(_ row: [String: TableValue], _ write: inout TableWrite) throws {
    guard let key = row.key("id"), let goal = write.batch.state.goals.number(of: key) else {
      return
    }
    try write.record(DeleteGoal(goal))
  }
}

private struct HabitWriter: TableWriter {
  func insert(
    _ row: [String: TableValue], given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    let habit = try write.record(
      CreateHabit(key: row.key("id"), name: row.text("name") ?? "", goal: row.key("goal_id")))
    return [write.batch.state.habits[habit].map { .uuid($0.key) } ?? .null]
  }

  func update(
    _ row: [String: TableValue], to changes: [String: TableValue], _ write: inout TableWrite
  ) throws {
    throw TableError.rowSecurity("habits")
  }

  func delete(_ row: [String: TableValue], _ write: inout TableWrite) throws {
    guard let key = row.key("id"), let habit = write.batch.state.habits.number(of: key) else {
      return
    }
    try write.record(DeleteHabit(habit))
  }
}

private struct TaskWriter: TableWriter {
  func insert(
    _ row: [String: TableValue], given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    let parent = row.key("parent_id").flatMap { write.batch.state.tasks.number(of: $0) }
    let task = try write.record(
      CreateTask(key: row.key("id"), title: row.text("title") ?? "", parent: parent))
    return [write.batch.state.tasks[task].map { .uuid($0.key) } ?? .null]
  }

  func update(
    _ row: [String: TableValue], to changes: [String: TableValue], _ write: inout TableWrite
  ) throws {
    throw TableError.rowSecurity("tasks")
  }

  func delete(_ row: [String: TableValue], _ write: inout TableWrite) throws {
    guard let key = row.key("id"), let task = write.batch.state.tasks.number(of: key) else {
      return
    }
    try write.record(DeleteTask(task))
  }
}
