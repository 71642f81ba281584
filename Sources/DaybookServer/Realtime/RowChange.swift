import Avro
import Calendar
import Daybook
import DaybookStore
import DaybookTables

/// A change of a row by an entry, as one viewer sees it.
struct RowChange: Sendable {
  let table: AppTable
  let kind: ChangeKind
  /// The row as it is now, or as it was before it was deleted.
  let row: Row
  /// The key values that identified it before, if it existed.
  private let formerKey: [TableValue]
  /// The instant of the entry.
  let at: Instant

  /// Compares a row before and after an entry; `nil` if the viewer sees no change.
  ///
  /// - Throws: An error in reading the row, whose change is then unknown.
  init?(
    _ touched: TouchedRow, of table: AppTable, by entry: Entry, _ before: BookState,
    _ after: BookState, for viewer: Account.ID, _ reader: BookReader,
    _ directory: any ContactDirectory
  ) throws {
    let bounds = touched.bounds
    let places = touched.key.compactMap { name, value in
      table.place(of: name).map { (place: $0, value: value) }
    }
    func row(in state: BookState) throws -> Row? {
      guard state.accounts[viewer].map({ !$0.isErased }) ?? false else { return nil }
      let view = AccountView(state, viewer, at: entry.head.at, reader, directory)
      var found: Row?
      try table.scan(view, bounds) { row in
        if found == nil, places.allSatisfy({ row.values[$0.place] == $0.value }) { found = row }
      }
      return found
    }
    let (old, new) = (try row(in: before), try row(in: after))
    self.table = table
    at = entry.head.at
    formerKey = (old ?? new).map { table.values(of: $0, in: table.keyColumns) } ?? []
    switch (old, new) {
    case (nil, nil): return nil
    case (nil, let new?): (kind, self.row) = (.insert, new)
    case (let old?, nil): (kind, self.row) = (.delete, old)
    case (let old?, let new?):
      guard old != new else { return nil }
      (kind, self.row) = (.update, new)
    }
  }

  private init(_ kind: ChangeKind, _ change: RowChange, formerKey: [TableValue]) {
    (table, self.kind, row, at) = (change.table, kind, change.row, change.at)
    self.formerKey = formerKey
  }

  /// Combines two changes of one row: a deletion in one place and an insertion in another are a move.
  func joined(with other: RowChange) -> RowChange {
    switch (kind, other.kind) {
    case (.delete, .insert): RowChange(.update, other, formerKey: formerKey)
    case (.insert, .delete): RowChange(.update, self, formerKey: other.formerKey)
    default: self
    }
  }

  /// The primary key of the row.
  var primaryKey: [TableValue] { table.values(of: row, in: table.primaryKey) }

  /// Whether another change has the same content.
  func hasSameContent(as other: RowChange) -> Bool {
    kind == other.kind && table.name == other.table.name && row == other.row
      && formerKey == other.formerKey
  }

  /// The change as the `data` of a message (section 6.2 of the wire contract).
  func encoded() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("schema")
      writer.string("public")
      writer.name("table")
      writer.string(table.name)
      writer.name("type")
      writer.string(kind.rawValue)
      writer.name("commit_timestamp")
      TableValue.timestamp(at).write(to: &writer)
      writer.name("errors")
      writer.null()
      writer.name("columns")
      writer.array { writer in
        for column in table.columns {
          writer.object { writer in
            writer.name("name")
            writer.string(column.name)
            writer.name("type")
            writer.string(column.type.name)
          }
        }
      }
      if kind != .delete {
        writer.name("record")
        write(table.columns.map(\.name), row.values, to: &writer)
      }
      if kind != .insert {
        writer.name("old_record")
        write(table.keyColumns, formerKey, to: &writer)
      }
    }
    return writer.bytes
  }

  private func write(_ names: [String], _ values: [TableValue], to writer: inout JSONWriter) {
    writer.object { writer in
      for (name, value) in zip(names, values) {
        writer.name(name)
        value.write(to: &writer)
      }
    }
  }
}

extension AppTable {
  /// The columns that identify a deleted row: the primary key, and unique keys of several columns, because some
  /// apps identify rows only by those, such as memberships by hive and member. A single unique column is left out:
  /// a code or a token gives access to something, and is not sent again.
  fileprivate var keyColumns: [String] {
    var columns = primaryKey
    for key in uniqueKeys where key.count > 1 {
      columns += key.filter { !columns.contains($0) }
    }
    return columns
  }

  /// The values of a row in some columns.
  fileprivate func values(of row: Row, in columns: [String]) -> [TableValue] {
    columns.compactMap { place(of: $0) }.map { row.values[$0] }
  }
}
