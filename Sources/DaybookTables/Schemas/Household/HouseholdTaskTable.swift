import Avro
import Calendar
import Daybook
import Values

extension Table {
  /// What is to be done in households (MC-3).
  /// Apps have their own names for the table.
  static func householdTasks(_ name: String) -> Table {
    let fields: [Field<Numbered<HouseholdTask>>] = [
      Field("id", .freshKey, of: \.key), .household(\.household),
      Field("title", of: \.content.title), Field("description", of: \.content.description),
      Field("due_date", of: \.content.dueDate), Field("due_time", of: \.content.dueTime),
      Field(
        "priority", .value(.text(HouseholdTaskPriority.medium.rawValue)), of: \.content.priority),
      .account("assigned_to", isNullable: true, of: \.assignee),
      .account("created_by", .null, .server, of: \.creator),
      Field("is_complete", .value(.bool(false)), of: \.isComplete),
      Field("completed_at", of: \.completed),
      .account("completed_by", .null, .server, isNullable: true, of: \.completer),
      Field("created_at", .null, .server, of: \.created),
      Field("updated_at", .null, .server, of: \.updated),
    ]
    return .household(
      name, fields, of: .householdTask, in: \.householdTasks,
      foreignKeys: [ForeignKey("assigned_to", of: name, to: "users")],
      writer: HouseholdThingWriter(
        name, "task", CreateHouseholdTask.self, UpdateHouseholdTask.self, DeleteHouseholdTask.self,
        in: \.householdTasks, fields: taskFields, more: complete))
  }

  private static func taskFields(_ columns: RowColumns) -> [JSON.Member] {
    var columns = columns
    // PostgreSQL says the seconds of a time, too.
    if let time = columns.text("due_time") {
      columns["due_time"] = .text(String(time.prefix(5)))
    }
    return columns.fields([
      "title", "description", "due_date", "due_time", "priority", "assigned_to",
    ])
  }

  /// Completes or reopens it. When it was done is the book's to say.
  private static func complete(
    _ columns: RowColumns, _ task: HouseholdTask.ID, _ write: inout TableWrite
  ) throws {
    let isDone = columns.flag("is_complete") ?? columns["completed_at"].map { $0 != .null }
    switch isDone {
    case true: try write.record(CompleteHouseholdTask(task))
    case false: try write.record(ReopenHouseholdTask(task))
    case nil: break
    }
  }
}

extension Field {
  /// The column that says whose a thing of a household is. Who lives in one household only need not say it.
  static func household(_ value: @escaping @Sendable (Thing) -> Household.ID) -> Field {
    Field(
      "household_id",
      seen: { thing, sight in sight.state.people.households[value(thing)]?.key })
  }
}
