/// Restores a deleted entity when it is created again under its former key: a key means one entity for ever, so that
/// its history continues.
///
/// Tasks and labels stay deleted (DM-8): devices that do not know of the deletion would restore them unintentionally.
/// They are restored explicitly (``RestoreTask``, ``RestoreLabel``).
package struct RestoreEntity: Command {
  /// The deleted entity.
  private let thing: Aggregate

  package init(_ kind: EntityKind, _ number: Int32) { thing = Aggregate(kind, number) }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``: it is not the actor's, was not deleted, or belongs to something that is deleted, too.
  package func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Void> {
    let (actor, account) = try state.actor(context)
    var reversal = CommandReversal(
      state.position, CommandHistory(entries: [], histories: [:]), state, context, actor, account)
    return Decision(try reversal.restoring(thing), ())
  }
}
