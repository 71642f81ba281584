import Avro
import Calendar
import Daybook
import Values

extension AppTable {
  /// The tasks of households (MC-3). Apps have different names for the table.
  static func householdTasks(_ name: String) -> AppTable {
    let fields: [Field<NumberedEntity<HouseholdTask>>] = [
      Field("id", .freshKey) { $0.key }, .household { $0.household },
      Field("title") { $0.content.title }, Field("description") { $0.content.description },
      Field("due_date") { $0.content.dueDate }, Field("due_time") { $0.content.dueTime },
      Field(
        "priority", .always(.text(HouseholdTaskPriority.medium.rawValue))
      ) { $0.content.priority },
      .account("assigned_to", isNullable: true) { $0.assignee },
      .account("created_by", .caller, .once) { $0.creator },
      Field("is_complete", .always(.bool(false))) { $0.isComplete },
      Field("completed_at") { $0.completed },
      .account("completed_by", .null, .server, isNullable: true) { $0.completer },
      Field("created_at", .null, .once) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
    return .household(
      name, fields, of: .householdTask, in: \.householdTasks,
      foreignKeys: [ForeignKey("assigned_to", of: name, to: "users")],
      writer: EntityWriter(
        name, "task", CreateHouseholdTask.self, UpdateHouseholdTask.self, DeleteHouseholdTask.self,
        in: \.householdTasks, fields: taskFields, further: complete))
  }

  private static func taskFields(_ row: RowWrite) -> [JSON.Member] {
    var columns = row.columns
    // PostgreSQL also writes the seconds of a time.
    if let time = columns.text("due_time") {
      columns["due_time"] = .text(String(time.prefix(5)))
    }
    return columns.fields([
      "title", "description", "due_date", "due_time", "priority", "assigned_to",
    ])
  }

  /// Completes or reopens a task.
  private static func complete(
    _ row: RowWrite, _ task: HouseholdTask.ID, _ write: inout TableWrite
  ) throws {
    let columns = row.columns
    let isDone = columns.flag("is_complete") ?? columns["completed_at"].map { $0 != .null }
    switch isDone {
    case true: try write.record(CompleteHouseholdTask(task, at: columns.instant("completed_at")))
    case false: try write.record(ReopenHouseholdTask(task))
    case nil: break
    }
  }
}

extension Field {
  /// The column of an entity's household. A caller with only one household need not set it.
  static func household(_ value: @escaping @Sendable (Thing) -> Household.ID) -> Field {
    Field(
      "household_id",
      seen: { thing, view in view.state.people.households[value(thing)]?.key })
  }
}
