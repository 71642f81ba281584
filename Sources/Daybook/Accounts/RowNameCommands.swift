import Values
public import Avro

/// Says what the actor's app calls a row of its tables, whose key follows from what it holds. A name that another row had is
/// this row's from now on; said again it changes nothing.
public struct NameRow: OwnAccountCommand {
  /// The row's key, as it follows from what the row holds.
  package var row: Key
  /// What the app calls it.
  package var name: Key

  /// Makes the command.
  public init(_ row: Key, name: Key) {
    self.row = row
    self.name = name
  }

  /// "name_row".
  package static let form = CommandForm(
    "name_row", "Says what the account's app calls a row of its tables.",
    answer: "user_id, row, name")
  /// No row yet.
  public static var defaults: NameRow {
    NameRow(Key(high: 0, low: 0), name: Key(high: 0, low: 0))
  }

  /// `row`, `name`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "row", &row, [.doc("the key that follows from what the row holds"), .needed])
    try visitor.column("name", &name, [.doc("the app's own"), .needed])
  }

  /// What the row is called now.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    [
      "user_id": .key(state.accounts[answer]?.key), "row": .key(row),
      "name": .key(state.accounts[answer]?.rowNames.name(of: row)),
    ]
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) -> [Event] {
    account.rowNames.name(of: row) == name
      ? [] : [.rowNamed(RowNamed(account: number, row: row, name: name))]
  }
}
