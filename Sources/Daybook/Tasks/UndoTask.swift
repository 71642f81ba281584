package import Avro

/// Undoes a command about tasks or labels by doing the opposite: history stays. An undo can be undone.
package struct UndoTask: UndoingCommand {
  /// The position of one of the command's entries.
  package var position: Int64
  /// The command; nothing when there is none at the position.
  package var past: CommandHistory?

  package init(_ position: Int64, _ past: CommandHistory?) {
    self.position = position
    self.past = past
  }

  package static let form = CommandForm(
    "undo_task", "Undoes a command about tasks or labels.", answer: "undone, did")

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``: also when a later entry changed what would be restored.
  package func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<UndoResult> {
    let reversal = try reversal(state, context)
    guard reversal.isOfTasks else {
      // The actor must not learn the kind of other people's entries.
      throw reversal.isOwn ? .notUndoable(position) : .entryNotFound(position)
    }
    return try TaskUndo.decision(reversal)
  }
}

extension UndoTask {
  /// A summary of an event: what happened, and to which entity.
  package static func summary(of event: Event, in state: BookState) -> JSON {
    guard let entity = event.subject.aggregate.flatMap({ state.entity($0) }) else { return .null }
    let column = entity is TaskItem ? "task_id" : "label_id"
    return .object([
      .init("event", .string(event.name)), .init(column, .key(entity.key)),
      .init("name", .string(entity.displayName)),
    ])
  }
}
