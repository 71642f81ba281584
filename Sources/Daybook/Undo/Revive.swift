/// Brings back something that was deleted, for whoever makes it again under its former key: a key means one thing for ever,
/// so that its history goes on.
///
/// Tasks and labels stay deleted (DM-8): devices that do not know of it yet would bring them back unasked. Who wants one
/// back says so (``RestoreTask``, ``RestoreLabel``).
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
    var revert = Revert(
      position: state.position, past: CommandPast(entries: [], histories: [:]), state: state,
      context: context, actor: actor, account: account)
    return Decision(try revert.reviving(thing), ())
  }
}
