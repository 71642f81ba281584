import Daybook
import DaybookStore
import Values

extension Table {
  /// Goals (MO-2, MO-9).
  static var goals: Table {
    let fields: [Field<Numbered<Goal>>] = [
      Field("id", .freshKey) { $0.key }, .account("user_id", .caller) { $0.owner },
      Field("title") { $0.title }, Field("description") { $0.description },
      Field("created_at", .null, .once) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
    return .owned(
      "goals", fields, of: .goal, in: \.goals, numbers: { $0.allGoals(of: $1) },
      isShown: { !$0.isDeleted },
      foreignKeys: [ForeignKey("user_id", of: "goals", to: "profiles")], writer: GoalWriter())
  }
}

/// Carries out an account's writes to its goals. Deleting a goal also deletes its habits and their
/// logs.
struct GoalWriter: TableWriter {
  func insert(
    _ row: RowColumns, said: Set<String>, _ write: inout TableWrite
  ) throws -> [Value] {
    var command = CreateGoal(
      key: row.key("id"), title: row.text("title") ?? "", description: row.text("description"))
    command.begun = row.instant("created_at")
    let goal = try write.record(command)
    return [write.batch.state.goals[goal]?.key.columnValue ?? .null]
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    try write.record(
      UpdateGoal(try goal(row, write)) { content in
        if let title = changes.text("title") { content.title = title }
        if changes.says("description") { content.description = changes.text("description") }
      })
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    try write.record(DeleteGoal(try goal(row, write)))
  }

  private func goal(_ row: RowColumns, _ write: TableWrite) throws(Rejection) -> Goal.ID {
    guard let goal = row.key("id").flatMap({ write.batch.state.goals.number(of: $0) }) else {
      throw .goalNotFound
    }
    return goal
  }
}
