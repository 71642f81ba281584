public import Avro

extension State {
  /// The task's row of `household_tasks`.
  public func choreRow(_ chore: Chore) -> JSON {
    [
      "id": .key(chore.key), "household_id": .key(households[chore.household]?.key),
      "title": .string(chore.content.title), "description": .text(chore.content.description),
      "due_date": .day(chore.content.dueDate),
      "due_time": .text(chore.content.dueTime?.description),
      "priority": .string(chore.content.priority.rawValue),
      "assigned_to": .key(chore.assignee.flatMap { accounts[$0]?.key }),
      "created_by": .key(accounts[chore.creator]?.key), "is_complete": .bool(chore.isComplete),
      "completed_at": .instant(chore.completed),
      "completed_by": .key(chore.completer.flatMap { accounts[$0]?.key }),
      "created_at": .instant(chore.created), "updated_at": .instant(chore.updated),
    ]
  }

  var choreRows: [JSON] { shown(chores).map { choreRow($0) } }

  func choreRow(_ number: Chore.ID) -> JSON { chores[number].map { choreRow($0) } ?? .null }
}
