package import Avro

/// Undoes a command by doing the opposite: history stays, and an undo can be undone.
///
/// Only one's own commands can be undone, only if nobody has changed the same things since, and only if others were not
/// affected: who joined or left, and what others were shown, stays.
package struct Undo: UndoingCommand {
  /// The position of one of the command's entries.
  package var position: Int64
  /// The command; nothing when there is none at the position.
  package var past: CommandHistory?
  /// Whether the entity of the entry is put back as it was before the entry, whatever was recorded about it since.
  package var isSince = false

  package init(_ position: Int64, _ past: CommandHistory?) {
    self.position = position
    self.past = past
  }

  /// Compares positions: the entries at a position never change.
  public static func == (left: Undo, right: Undo) -> Bool {
    left.position == right.position && left.isSince == right.isSince
  }

  package static let form = CommandForm(
    "undo", "Undoes one of your commands, or all that was recorded about something since.",
    answer: "undone, did")

  /// `position` and `since`.
  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(UndoPositionCodec<Undo>(), &self)
    try visitor.column(
      "since", &isSince,
      [
        .doc(
          "whether to put back what the entry is about, as it was before, whoever changed it since"
        )
      ])
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``: there is no entry of the actor's at the position, it affected others, it is undone
  ///   already, or a later entry changed what would be restored.
  package func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<UndoResult> {
    var reversal = try reversal(state, context)
    if isSince { reversal = try reversal.since() }
    if reversal.isOfTasks { return try TaskUndo.decision(reversal) }
    // Other people's things are refused later, when they are reverted.
    guard isSince || reversal.isOwn, let first = reversal.past.entries.first else {
      throw .entryNotFound(position)
    }
    for entry in reversal.past.entries {
      if let reason = entry.event.reasonNotToUndo(after: first.event) {
        throw .notUndoable(position, because: reason)
      }
    }
    let events = try reversal.events()
    guard !events.isEmpty else { throw .nothingToUndo(position) }
    let answer = UndoResult(position: position, events: events)
    guard events.count > 1 else { return Decision(events, answer) }
    let mark = CommandUndone(
      account: reversal.actor, position: position, count: Int32(clamping: events.count))
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
