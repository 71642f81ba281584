import Daybook
package import Journal

/// Writes the snapshots that a book should have, and removes those that it does not need.
///
/// It works in parallel to commits, from sealed segments. When something interrupts it (a full
/// disk, a crash), the next round continues.
package struct SnapshotKeeper: Sendable {
  let reader: BookReader
  let spacing: SnapshotSpacing

  /// Keeps the snapshots of a book; the caller holds the book's lock.
  package init(_ reader: BookReader, _ spacing: SnapshotSpacing = .standard) {
    self.reader = reader
    self.spacing = spacing
  }

  private var snapshots: Snapshots { Snapshots(journal: reader.journal) }

  /// Brings the snapshots up to date.
  ///
  /// - Parameter isThorough: Whether each snapshot is read to its end; otherwise only its header is
  ///   read.
  /// - Returns: The positions for which a snapshot was written.
  /// - Throws: ``JournalError`` when the journal cannot be read or a snapshot cannot be written.
  @discardableResult
  package func update(isThorough: Bool) throws -> [Position] {
    let ends = try sealedEnds()
    let found = snapshots.positions
    let quick = spacing.plan(ends: ends, kept: found)
    if !isThorough, quick.write.isEmpty, quick.remove.isEmpty, found.last.map(isBound) ?? true {
      return []
    }
    let good = found.filter(isThorough ? isWhole : isBound)
    let plan = spacing.plan(ends: ends, kept: good)
    remove(found.filter { !good.contains($0) })
    try write(plan.write)
    remove(plan.remove)
    return plan.write
  }

  private func remove(_ positions: [Position]) {
    for position in positions {
      try? reader.journal.storage.remove(snapshots.path(of: position))
    }
  }

  private func isBound(_ position: Position) -> Bool { snapshots.open(position) != nil }

  private func isWhole(_ position: Position) -> Bool {
    guard let snapshot = snapshots.open(position) else { return false }
    return (try? snapshot.read()) != nil
  }

  /// The last positions of the sealed segments.
  private func sealedEnds() throws(JournalError) -> [Position] {
    let segments = try reader.journal.segmentsBySeal().sealed
    guard let last = segments.last, let seal = try reader.journal.header(of: last).seal else {
      return []
    }
    return segments.dropFirst().map { Position($0.first.number - 1) } + [seal.last]
  }

  /// Replays from the newest snapshot before the first position, and writes a snapshot at each.
  private func write(_ positions: [Position]) throws {
    guard let first = positions.first else { return }
    try reader.journal.storage.createDirectory(snapshots.directory)
    snapshots.removeUnfinished()
    var opening = snapshots.opening(before: first.number)
    for position in positions {
      try reader.replay(
        into: &opening, from: opening.replay.state.position + 1, through: position.number)
      guard let segment = snapshots.segment(endingAt: position),
        let header = SnapshotHeader(of: opening.finish(), at: segment)
      else { return }
      try SnapshotWriter.write(
        opening.replay.state, opening.filter, header, to: snapshots.path(of: position),
        storage: reader.journal.storage)
    }
    try reader.journal.storage.synchronizeDirectory(snapshots.directory)
  }
}
