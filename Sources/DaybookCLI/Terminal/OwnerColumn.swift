import Daybook

/// The column that names the owner of each row, in an answer about several people.
struct OwnerColumn {
  /// The column; empty when all rows belong to one person.
  let columns: [TextTable.Column]
  private let names: [Account.ID: String]

  /// Determines the owners of the rows.
  init(_ owners: [Account.ID], _ context: QueryContext) {
    let people = Set(owners)
    columns = people.count > 1 ? [.text("whose", 5)] : []
    names = Dictionary(
      uniqueKeysWithValues: people.map { ($0, context.state.viewer($0)?.displayName ?? "") })
  }

  /// The cell of a row.
  func cells(_ owner: Account.ID) -> [String] { columns.isEmpty ? [] : [names[owner] ?? ""] }
}
