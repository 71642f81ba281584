package import Daybook

extension BookReader {
  /// The entries of some of a book's things, oldest first, each with what it is about. Sealed segments are looked up in
  /// their indexes: other things' entries are not read.
  ///
  /// - Parameters:
  ///   - aggregates: Whose entries.
  ///   - first: After which position.
  ///   - last: Up to which entry.
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
