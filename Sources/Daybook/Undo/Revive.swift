/// Brings back something that was deleted, for who makes it again under its former key: a key means one thing for ever, so
/// that its history goes on.
///
/// What a tombstone is left of stays deleted (DM-8): devices that do not know of it yet would bring it back unasked.
package struct Revive: Command {
  /// What was deleted.
  private let thing: Aggregate

  /// Makes the command, for the thing of a number.
  package init(_ kind: EntityKind, _ number: Int32) { thing = Aggregate(kind, number) }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``: it is not the actor's, was not deleted, or what it belongs to is deleted, too.
  package func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Void> {
    let (actor, account) = try state.actor(context)
    switch thing.kind {
    case .task:
      guard let item = state.tasks[TaskItem.ID(unchecked: thing.number)], item.owner == actor,
        item.isPurged, item.parent.map({ state.tasks[$0]?.isDeleted == false }) ?? true
      else { throw .taskNotFound }
      return Decision([.taskRestored(TaskRestored(task: .init(unchecked: thing.number)))], ())
    case .label:
      guard let label = state.labels[TaskLabel.ID(unchecked: thing.number)], label.owner == actor,
        label.isPurged
      else { throw .labelNotFound }
      return Decision([.labelRestored(LabelRestored(label: .init(unchecked: thing.number)))], ())
    default:
      var revert = Revert(
        position: state.position, past: CommandPast(entries: [], histories: [:]), state: state,
        context: context, actor: actor, account: account)
      return Decision(try revert.reviving(thing), ())
    }
  }
}
