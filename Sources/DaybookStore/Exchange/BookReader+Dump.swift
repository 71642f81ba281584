import Avro
package import Daybook
import Journal

/// A piece of a dump, in the order in which they are written.
package enum DumpPiece: Sendable {
  /// A table begins.
  case table(String)
  /// Some of the table's rows, in UTF-8.
  case rows([UInt8])
}

extension BookReader {
  /// Writes all tables of a book out, and what happened in it (``ActivityLog``), a page at a time.
  ///
  /// What is held at once is the state, for what happened once more as it goes along, and some pages of rows.
  ///
  /// - Parameters:
  ///   - last: Entries that were recorded later are left out.
  ///   - style: How rows are parted.
  ///   - take: Is given piece after piece; what it throws ends the dump.
  /// - Throws: what `take` throws, or ``JournalError``.
  package func dump(
    until last: Instant = .last, in style: RowStyle, _ take: (DumpPiece) throws -> Void
  ) throws {
    let state = try state(asOf: last)
    // Without a time it is as it was when the last entry was recorded: the same whenever one looks.
    try write(state.tables(seenAt: last == .last ? state.at : last, in: zones), in: style, take)
    try take(.table("activity_events"))
    // While rows are written, the next block is read.
    try workAhead({ try forEachActivities(until: last, $0) }) { (activities: [Activity]) in
      // What is recorded meanwhile is not of the state.
      let known = activities.prefix { $0.position <= state.position }
      try ActivityList(Array(known), in: state).forEachPage(in: style) { try take(.rows($0)) }
    }
  }

  private func write(
    _ tables: [RowTable], in style: RowStyle, _ take: (DumpPiece) throws -> Void
  ) throws {
    journal.meter?.begin("Writing", tables.reduce(0) { $0 + $1.listing.stepCount })
    defer { journal.meter?.end() }
    for table in tables {
      try take(.table(table.name))
      try table.listing.forEachPage(in: style) { try take(.rows($0)) }
      journal.meter?.advance(by: table.listing.stepCount)
    }
  }

  /// Gives what happened until an instant, block after block of the log.
  private func forEachActivities(
    until last: Instant, _ body: ([Activity]) throws -> Void
  ) throws {
    var activities = ActivityLog()
    var bridge = SchemaBridge()
    var failure: (any Error)?
    try log.read(from: .start) { schemaText, block throws(JournalError) in
      let (count, first) = (block.count, block.first.number)
      let goesOn = try bridge.read(block, of: schemaText) { bytes throws(AvroError) in
        try activities.applyEntries(count, in: bytes, from: first, startingAt: 0, until: last)
      }
      do { try body(activities.takeActivities()) } catch { failure = error }
      return goesOn && failure == nil
    }
    if let failure { throw failure }
  }
}
