public import Daybook

/// A book as it is, and as it would be after some commands that nobody carried out.
///
/// ```swift
/// let supposition = try view.supposing { batch in
///   try batch.record(.skipDay(read), by: ada)
/// }
/// try supposition.after.streak(of: read).current
/// ```
public struct Supposition: Sendable {
  /// The book without the commands.
  public let before: BookView
  /// The book with them. What is recorded is not looked at for it again: it answers for streaks, audits, awards and feeds.
  public let after: BookView

  /// What would be recorded, in order.
  public var entries: [Entry] { after.supposed }
}

extension BookView {
  /// Supposes commands: each is decided in the state that the ones before it leave, as it would be if they were recorded,
  /// and nothing is written. The state is shared but for what they change, so that it costs what they change.
  ///
  /// - Parameter body: Records into the batch; without a time at the view's instant, or at that of the last entry.
  /// - Returns: The book before and after, both seen from the view's instant, or from that of the last command if that is
  ///   later.
  /// - Throws: what `body` throws: ``Rejection`` where a command would be refused.
  public func supposing(_ body: (inout Batch) throws -> Void) throws -> Supposition {
    var batch = Batch(supposing: self)
    try body(&batch)
    let instant = max(query.asOf, batch.state.at)
    return Supposition(
      before: with(state, asOf: instant, supposing: []),
      after: with(batch.state, asOf: instant, supposing: batch.entries ?? []))
  }
}
