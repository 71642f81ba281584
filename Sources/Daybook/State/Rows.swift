import Values
import Calendar
package import Avro

/// Rows as clients see them: snake_case JSON with keys instead of entity numbers.
///
/// They are the canonical view of a state: two books with the same content have the same rows.
extension BookState {
  /// All tables, their rows sorted by key; deleted entities are left out, with everything that depends on them.
  package var tables: [RowTable] {
    var tables = EntityKind.allCases.map { $0.type.tables(of: self) }
    // Digests depend on the order of the tables: these tables of accounts come after those of goals and of hives.
    tables[EntityKind.goal.index] += [
      RowTable("pauses", PauseRow.self, pauseRows), RowTable("focus", FocusRow.self, focusRows),
    ]
    tables[EntityKind.hive.index] += [
      RowTable("identities", IdentityRow.self, identityRows),
      RowTable("device_tokens", DeviceRow.self, deviceRows),
      RowTable("contact_hashes", ContactRow.self, contactRows),
    ]
    return tables.flatMap(\.self)
  }

  /// The tables as they are shown: with columns that also depend on the time zones, which no digest may depend on.
  ///
  /// The hives gain `streak`, the length of their shared streak in days, and `last_advanced_on`.
  ///
  /// - Parameters:
  ///   - instant: The instant of the view: days that are over by then are closed, whether that was recorded or not.
  ///   - zones: The time zones, which decide when a member's day is over.
  /// - Returns: The tables.
  package func tables(seenAt instant: Instant, in zones: any TimeZones) -> [RowTable] {
    tables.map { table in
      guard table.name == "hives" else { return table }
      return RowTable("hives", HiveRow.self, hiveRows(seenAt: instant, in: zones))
    }
  }

  /// The names of all tables with the columns of their rows; the last table is the activity log (``ActivityLog``).
  package static var tableColumns: [(name: String, columns: [Column])] {
    BookState().tables.map { ($0.name, $0.columns) } + [
      ("activity_events", ActivityEventRow.columns)
    ]
  }

  /// The JSON Schema (draft 2020-12) of all tables: an object of tables, each a list of rows.
  package static var schema: JSON {
    let tables = tableColumns
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Daybook's rows",
      "type": "object",
      "properties": .object(
        tables.map { table in
          let row: JSON = ["$ref": .string("#/$defs/\(table.name)")]
          return .init(table.name, ["type": "array", "items": row])
        }),
      "$defs": .object(tables.map { .init($0.name, .rowSchema($0.columns)) }),
    ]
  }

  /// All tables as one JSON object.
  package var dump: JSON { .object(tables.map { JSON.Member($0.name, .array($0.rows)) }) }
}

/// A table of rows, which are made on demand.
package struct RowTable: Sendable {
  /// The name of the table.
  package let name: String
  private let describe: @Sendable () -> [Column]
  private let list: @Sendable () -> any Listing

  init(
    _ name: String, _ columns: @escaping @autoclosure @Sendable () -> [Column],
    _ list: @escaping @Sendable () -> any Listing
  ) {
    self.name = name
    describe = columns
    self.list = list
  }

  /// The rows of the shown entities of a kind whose row is its columns.
  init<Thing: StoredEntity & RowEntity & Columns>(
    _ name: String, of kind: Thing.Type, in state: BookState
  ) {
    self.init(name, ColumnList.rowColumns(of: Thing.self)) {
      RowList(all: state.shown(state[keyPath: Thing.table]).map { $0.row(in: state) })
    }
  }

  init<Row: RowForm>(
    _ name: String, _ row: Row.Type, _ rows: @escaping @autoclosure @Sendable () -> [Row]
  ) {
    self.init(name, Row.columns) { RowList(all: rows()) }
  }

  /// The columns of its rows.
  package var columns: [Column] { describe() }

  /// The rows, to be written a page at a time.
  package var listing: any Listing { list() }

  /// All rows at once.
  package var rows: [JSON] { listing.rows }
}

extension JSON {
  /// A number as short as possible: whole when whole.
  static func number(_ amount: Amount) -> JSON { .number(amount.description) }
  /// RFC 3339, or null.
  static func instant(_ instant: Instant?) -> JSON {
    instant.map { .string($0.description) } ?? .null
  }
  /// ISO 8601, or null.
  static func day(_ day: Day?) -> JSON { day.map { .string($0.description) } ?? .null }
  /// A key, or null.
  static func key(_ key: Values.Key?) -> JSON { key.map { .string($0.description) } ?? .null }
  /// A text, or null.
  static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
