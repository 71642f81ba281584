public import Daybook

/// A book as it is, and as it would be after some commands that are not carried out.
///
/// ```swift
/// let supposition = try view.supposing { batch in
///   try batch.record(SkipDay(read), by: ada)
/// }
/// try supposition.after.streak(of: read).current
/// ```
public struct Supposition: Sendable {
  /// The book without the commands.
  public let before: BookView
  /// The book with them. It is made without reading recorded entries again, and answers for streaks,
  /// audits, awards and feeds.
  public let after: BookView

  /// What would be recorded, in order.
  public var entries: [Entry] { after.supposed }
}

extension BookView {
  /// Supposes commands. Each is decided in the state that those before it leave, as if they were
  /// recorded, and nothing is written. The states share everything that the commands do not change,
  /// so the cost depends only on the changes.
  ///
  /// - Parameter body: Records into the batch. Commands without a time get the view's instant, or
  ///   the last entry's if that is later.
  /// - Returns: The book before and after, both seen from the view's instant, or from the last
  ///   command's if that is later.
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
