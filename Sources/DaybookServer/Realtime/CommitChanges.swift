import Daybook
import DaybookTables
import Values

/// The rows that the entries of a commit touched, each once, in the order of first touch.
struct CommitChanges {
  private(set) var rows: [(table: AppTable, touched: TouchedRow)] = []
  private var places: [ChangedRowKey: Int] = [:]

  /// Groups entries by commit: those recorded by one write, or by one person in the same instant.
  static func commits(
    among entries: [Entry], after position: Int64
  ) -> [ArraySlice<Entry>] {
    let new = entries[...].drop { $0.head.position <= position }
    var commits: [ArraySlice<Entry>] = []
    var start = new.startIndex
    for place in new.indices.dropFirst()
    where new[place].head.at != new[start].head.at || new[place].head.actor != new[start].head.actor
    {
      commits.append(new[start..<place])
      start = place
    }
    if start < new.endIndex { commits.append(new[start...]) }
    return commits
  }

  /// Adds the rows that an entry touched.
  mutating func note(
    _ entry: Entry, _ before: BookState, _ after: BookState, in schema: TableSchema
  ) {
    for table in schema.tables {
      for touched in table.touched(entry, before, after) {
        let key = ChangedRowKey(table: table.name, key: touched.key, isWritten: touched.isWritten)
        if let place = places[key] {
          rows[place].touched.audience += touched.audience
        } else {
          places[key] = rows.count
          rows.append((table, touched))
        }
      }
    }
  }
}

/// The columns that identify a touched row.
private struct ChangedRowKey: Hashable {
  let table: String
  let key: [String: TableValue]
  let isWritten: Bool
}

/// A row of which an account was notified.
struct NotifiedRow: Hashable {
  let table: String
  let key: [TableValue]
  let person: Account.ID
}
