package import Daybook

extension BookReader {
  /// The entries about some of a book's aggregates, oldest first, each with its aggregate. Sealed
  /// segments are looked up in their indexes, so other aggregates' entries are not read.
  ///
  /// - Parameters:
  ///   - aggregates: The aggregates.
  ///   - first: Only entries after this position.
  ///   - last: Only entries up to this position.
  /// - Returns: The entries.
  /// - Throws: ``JournalError``.
  package func entries(
    of aggregates: Set<Aggregate>, after first: Int64 = 0, through last: Int64
  ) throws -> [(aggregate: Aggregate, entry: Entry)] {
    try AggregateEntries(of: aggregates, after: first, through: last, in: self).lists
      .flatMap { aggregate, entries in entries.map { (aggregate, $0) } }
      .sorted { $0.entry.head.position < $1.entry.head.position }
  }
}
