import Avro
import Daybook
package import Journal

/// The snapshots of a book: its state as of some positions, so that nobody need replay from zero.
///
///     DIRECTORY/snapshots/00000000000008000000.avro    the state as of entry 8 000 000
///
/// All of them can be thrown away at any time. One that is damaged, of another Daybook or of another
/// history is passed over as if it were not there: what a snapshot says is in the journal, too.
package struct Snapshots: Sendable {
  let journal: Journal

  /// Names the snapshots of a journal's book; nothing is touched.
  package init(journal: Journal) { self.journal = journal }

  var directory: String { journal.directory + "/snapshots" }

  /// Where the snapshot of a position is. It is named as segments are.
  package func path(of position: Position) -> String {
    "\(directory)/\(SegmentName(first: position).fileName)"
  }

  /// The positions for which there is a file, ascending.
  package var positions: [Position] {
    let names = (try? journal.storage.names(in: directory)) ?? []
    return names.compactMap { SegmentName(fileName: $0)?.first }.sorted()
  }

  /// Removes all of them; when it returns, no loss of power brings them back.
  ///
  /// - Throws: ``StorageError``.
  package func removeAll() throws(StorageError) {
    guard let names = try journal.storage.names(in: directory) else { return }
    for name in names { try journal.storage.remove("\(directory)/\(name)") }
    try journal.storage.synchronizeDirectory(directory)
  }

  /// Removes what a crash left half-written.
  func removeUnfinished() {
    let names = (try? journal.storage.names(in: directory)) ?? []
    for name in names where name.isUnfinished {
      try? journal.storage.remove("\(directory)/\(name)")
    }
  }

  /// Opens a position's snapshot; nothing when it is not of this book's history.
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

  /// The state as of the newest snapshot that was recorded until an instant and lies before a position; the
  /// empty state when there is none.
  func opening(until last: Instant = .last, before limit: Int64 = .max) -> Opening {
    for position in positions.reversed() where position.number < limit {
      guard let reader = open(position), reader.header.at <= last,
        let (state, filter) = try? reader.read()
      else { continue }
      return Opening(from: state, filter)
    }
    return Opening()
  }
}
