import Avro
import Calendar
import Daybook
import DaybookStore
import DaybookTables

/// What an entry did to a row, as one person sees it.
struct RowChange: Sendable {
  /// Whose row it is.
  let table: DaybookTables.Table
  /// What became of it.
  let kind: ChangeKind
  /// The row: as it is now, or as it was when it is gone.
  let row: Row
  /// By which values it was told apart before, where it was there.
  private let formerKey: [Value]
  /// When that was recorded.
  let at: Instant

  /// Looks at a row before and after an entry; nothing when the person sees no change.
  ///
  /// - Throws: What kept a row from being read: it is not known then what became of it.
  init?(
    _ touched: TouchedRow, of table: DaybookTables.Table, by entry: Entry, _ before: BookState,
    _ after: BookState, for viewer: Account.ID, _ reader: BookReader,
    _ directory: any PeopleDirectory
  ) throws {
    let narrowing = touched.narrowing
    let places = touched.key.compactMap { name, value in
      table.place(of: name).map { (place: $0, value: value) }
    }
    func row(in state: BookState) throws -> Row? {
      guard state.accounts[viewer].map({ !$0.isErased }) ?? false else { return nil }
      let sight = Sight(state, viewer, at: entry.head.at, reader, directory)
      var found: Row?
      try table.scan(sight, narrowing) { row in
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

  private init(_ kind: ChangeKind, _ change: RowChange, formerKey: [Value]) {
    (table, self.kind, row, at) = (change.table, kind, change.row, change.at)
    self.formerKey = formerKey
  }

  /// The change that both are of one row: one that is gone from one place and is at another was moved there.
  func joined(with other: RowChange) -> RowChange {
    switch (kind, other.kind) {
    case (.delete, .insert): RowChange(.update, other, formerKey: formerKey)
    case (.insert, .delete): RowChange(.update, self, formerKey: other.formerKey)
    default: self
    }
  }

  /// By which values the row is named.
  var primaryKey: [Value] { table.values(of: row, in: table.primaryKey) }

  /// Whether another change says the same.
  func says(_ other: RowChange) -> Bool {
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
      Value.timestamp(at).write(to: &writer)
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

  private func write(_ names: [String], _ values: [Value], to writer: inout JSONWriter) {
    writer.object { writer in
      for (name, value) in zip(names, values) {
        writer.name(name)
        value.write(to: &writer)
      }
    }
  }
}

extension DaybookTables.Table {
  /// The columns by which what is gone is told apart: the primary key, and several that do it together, by which alone an
  /// app may know its rows, as it knows memberships by who is in which hive. A code or a token that does it by itself opens
  /// something, and is not told again.
  fileprivate var keyColumns: [String] {
    var columns = primaryKey
    for key in uniqueKeys where key.count > 1 {
      columns += key.filter { !columns.contains($0) }
    }
    return columns
  }

  /// A row's values of columns.
  fileprivate func values(of row: Row, in columns: [String]) -> [Value] {
    columns.compactMap { place(of: $0) }.map { row.values[$0] }
  }
}
