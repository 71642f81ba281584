import Avro
package import Daybook
package import DaybookStore

extension BookReader {
  /// Writes a book as statements for SQLite 3.37 or later: every table of ``dump(until:in:_:)``, the days, streaks and
  /// awards of everybody (``JudgedTables``), views that join their names, and when all of this held (`about`).
  ///
  /// - Parameters:
  ///   - instant: The instant of the view: entries that were recorded later are left out. The present unless given.
  ///   - now: The present.
  ///   - emit: Receives piece after piece, each of whole lines; an error from it ends the export.
  /// - Returns: How many rows were written.
  /// - Throws: what `emit` throws, ``JournalError``, or ``Rejection``.
  package func exportSQL(
    asOf instant: Instant? = nil, at now: Instant = BookClock.system.now(),
    _ emit: (String) throws -> Void
  ) throws -> Int {
    let state = try state(asOf: instant ?? .last)
    let view = BookView(
      state, Query(asOf: instant ?? max(now, state.at), zones: zones), self)
    let tables = BookState.tableColumns.map { SQLTable($0.name, $0.columns) }
    // Rows name rows of later tables, so references are not checked while they are written.
    try emit("PRAGMA foreign_keys = OFF;\nBEGIN;\n")
    for table in tables { try emit(table.definition) }
    var count = 0
    var current: SQLTable?
    // What others record meanwhile is left out, so that all tables are of one moment.
    try dump(until: instant ?? state.at, in: .array) { piece in
      switch piece {
      case .table(let name): current = tables.first { $0.name == name }
      case .rows(let bytes):
        guard let current else { return }
        let rows = try JSON(parsing: [UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")]).elements
        count += rows?.count ?? 0
        try emit((rows ?? []).map(current.insertion).joined())
      }
    }
    count += try JudgedTables.write(view, emit)
    try emit(JudgedTables.views + "COMMIT;\n")
    return count
  }
}
