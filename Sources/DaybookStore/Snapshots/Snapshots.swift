import Avro
import Daybook
package import Journal

/// The snapshots of a book: its state at some positions, so that a replay need not start at the
/// first entry.
///
///     DIRECTORY/snapshots/00000000000008000000.avro    the state as of entry 8 000 000
///
/// All of them can be deleted at any time. A snapshot that is damaged, or of another Daybook or
/// another history, is ignored: the journal holds everything that a snapshot says.
package struct Snapshots: Sendable {
  let journal: Journal

  /// Opens nothing: names the snapshots of a journal's book.
  package init(journal: Journal) { self.journal = journal }

  var directory: String { journal.directory + "/snapshots" }

  /// The path of the snapshot at a position. It is named as segments are.
  package func path(of position: Position) -> String {
    "\(directory)/\(SegmentName(first: position).fileName)"
  }

  /// The positions that have a file, ascending.
  package var positions: [Position] {
    let names = (try? journal.storage.names(in: directory)) ?? []
    return names.compactMap { SegmentName(fileName: $0)?.first }.sorted()
  }

  /// Removes all snapshots; once it returns, not even a loss of power brings them back.
  ///
  /// - Throws: ``StorageError``.
  package func removeAll() throws(StorageError) {
    guard let names = try journal.storage.names(in: directory) else { return }
    for name in names { try journal.storage.remove("\(directory)/\(name)") }
    try journal.storage.synchronizeDirectory(directory)
  }

  /// Removes files that a crash left half-written.
  func removeUnfinished() {
    let names = (try? journal.storage.names(in: directory)) ?? []
    for name in names where name.isUnfinished {
      try? journal.storage.remove("\(directory)/\(name)")
    }
  }

  /// Opens the snapshot at a position; nil when it does not belong to this book's history.
  func open(_ position: Position) -> SnapshotReader? {
    guard let reader = try? SnapshotReader(path(of: position), journal.storage),
      reader.header.position == position, let segment = segment(endingAt: position),
      reader.header.isBound(to: segment)
    else { return nil }
    return reader
  }

  /// The header of the sealed segment that ends at a position.
  func segment(endingAt position: Position) -> SegmentHeader? {
    guard let names = try? journal.segments(),
      let name = names.last(where: { $0.first <= position }),
      let header = try? journal.header(of: name), header.seal?.last == position
    else { return nil }
    return header
  }

  /// The newest snapshot recorded until an instant and before a position; the empty state when
  /// there is none.
  func opening(until last: Instant = .last, before limit: Int64 = .max) -> OpeningReplay {
    for position in positions.reversed() where position.number < limit {
      guard let reader = open(position), reader.header.at <= last,
        let (state, filter) = try? reader.read()
      else { continue }
      return OpeningReplay(from: state, filter)
    }
    return OpeningReplay()
  }
}
