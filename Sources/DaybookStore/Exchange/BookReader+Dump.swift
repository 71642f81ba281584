import Avro
package import Daybook
import Journal

/// A piece of a dump, in the order of writing.
package enum DumpPiece: Sendable {
  /// The start of a table.
  case table(String)
  /// Some rows of the table, in UTF-8.
  case rows([UInt8])
}

extension BookReader {
  /// Writes all tables of a book and the activities in it (``ActivityLog``), a page at a time.
  ///
  /// It holds the state, a second state that is built up for the activities, and some pages of
  /// rows.
  ///
  /// - Parameters:
  ///   - last: Entries that were recorded later are left out.
  ///   - style: How rows are separated.
  ///   - consume: Receives piece after piece; an error from it ends the dump.
  /// - Throws: what `consume` throws, or ``JournalError``.
  package func dump(
    until last: Instant = .last, in style: RowStyle, _ consume: (DumpPiece) throws -> Void
  ) throws {
    let state = try state(asOf: last)
    // Without a time, the tables are as of the last entry, so that the result does not depend on
    // when it is made.
    try write(state.tables(seenAt: last == .last ? state.at : last, in: zones), in: style, consume)
    try consume(.table("activity_events"))
    // The next block is read while rows are written.
    try prefetch({ try forEachActivities(until: last, $0) }) { (activities: [Activity]) in
      // Entries recorded meanwhile are not in the state.
      let known = activities.prefix { $0.position <= state.position }
      try ActivityList(Array(known), in: state).forEachPage(in: style) { try consume(.rows($0)) }
    }
  }

  private func write(
    _ tables: [RowTable], in style: RowStyle, _ consume: (DumpPiece) throws -> Void
  ) throws {
    journal.meter?.begin("Writing", tables.reduce(0) { $0 + $1.listing.stepCount })
    defer { journal.meter?.end() }
    for table in tables {
      try consume(.table(table.name))
      try table.listing.forEachPage(in: style) { try consume(.rows($0)) }
      journal.meter?.advance(by: table.listing.stepCount)
    }
  }

  /// Calls `body` with the activities until an instant, block after block of the log.
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
