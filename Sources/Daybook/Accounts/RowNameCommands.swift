import Values
public import Avro

/// Sets the name that the actor's app uses for a row whose key is derived from its content. A name that another row had
/// moves to this row; the same name again changes nothing.
public struct NameRow: OwnAccountCommand {
  package var table: NamedTable
  /// The row's key, derived from the row's content.
  package var row: Key
  /// The app's name for it.
  package var name: Key

  public init(_ row: Key, of table: NamedTable, name: Key) {
    self.table = table
    self.row = row
    self.name = name
  }

  package static let form = CommandForm(
    "name_row", "Records the name that the account's app gives to a row of its tables.",
    answer: "user_id, table, row, name")
  /// No row yet.
  public static var defaults: NameRow {
    NameRow(Key(high: 0, low: 0), of: .habitLogs, name: Key(high: 0, low: 0))
  }

  /// `table`, `row`, `name`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("table", &table, [.needed])
    try visitor.column(
      "row", &row, [.doc("the key that is derived from the row's content"), .needed])
    try visitor.column("name", &name, [.doc("the app's own name for it"), .needed])
  }

  /// The row under its new name.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    [
      "user_id": .key(state.accounts[answer]?.key), "table": .string(table.rawValue),
      "row": .key(row), "name": .key(state.accounts[answer]?.rowNames[table].shown(row)),
    ]
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) -> [Event] {
    var names = account.rowNames
    guard names[table].shown(row) != name else { return [] }
    let former = names[table].row(called: name)
    var events: [Event] = []
    func call(_ row: Key, _ name: Key) {
      names.call(row, name, in: table)
      events.append(
        .rowNamed(RowNamed(account: number, table: table, row: row, name: name)))
    }
    call(row, name)
    // A row whose own key is now another row's name gets a different name, and keeps it whatever happens to that other
    // row.
    for loser in Set([former, name.isDerived ? name : nil].compactMap(\.self)).sorted()
    where loser != row && names[table].name(of: loser) == nil {
      guard names[table].row(called: loser) != nil else { continue }
      var other = Key(derivedFrom: ["row", loser.description, row.description])
      // An app may use any key that it was ever shown as a row's name.
      while names[table].row(called: other) != nil {
        other = Key(derivedFrom: ["row", other.description])
      }
      call(loser, other)
    }
    return events
  }
}
