package import Avro

/// Undoes a command by doing the opposite: history stays, and an undo can be undone.
///
/// Only one's own commands can be undone, only if nobody has changed the same things since, and only if others were not
/// affected: who joined or left, and what others were shown, stays.
package struct Undo: UndoingCommand {
  /// The position of one of the command's entries.
  package var position: Int64
  /// The command; nothing when there is none at the position.
  package var past: CommandPast?

  package init(_ position: Int64, _ past: CommandPast?) {
    self.position = position
    self.past = past
  }

  package static let form = CommandForm(
    "undo", "Undoes one of your commands.", answer: "undone, did")

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``: there is no entry of the actor's at the position, it affected others, it is undone
  ///   already, or a later entry changed what would be restored.
  package func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Undone> {
    let (actor, account) = try state.actor(context)
    guard let past, let first = past.entries.first, first.head.position <= state.position else {
      throw .entryNotFound(position)
    }
    if past.entries.allSatisfy({ $0.event.isOfTasks }) {
      return try UndoTask(position, past).decide(state, context)
    }
    guard past.entries.allSatisfy({ $0.head.actor == actor }) else {
      throw .entryNotFound(position)
    }
    for entry in past.entries {
      if let reason = entry.event.reasonNotToUndo(after: first.event) {
        throw .notUndoable(position, because: reason)
      }
    }
    var revert = Revert(
      position: position, past: past, state: state, context: context, actor: actor,
      account: account)
    let events = try revert.events()
    guard !events.isEmpty else { throw .nothingToUndo(position) }
    let answer = Undone(position: position, events: events)
    guard events.count > 1 else { return Decision(events, answer) }
    let mark = CommandUndone(
      account: actor, position: position, count: Int32(clamping: events.count))
    return Decision([.commandUndone(mark)] + events, answer)
  }

  /// A summary of an undo's event: `event`, `id`, `name`, `day`.
  package static func summary(of event: Event, in state: BookState) -> JSON {
    let entity = state.subject(of: event)
    return [
      "event": .string(event.name), "id": .key(entity?.key),
      "name": .text(entity.map { state.shownName(of: $0) }),
      "day": .day(event.day),
    ]
  }
}
