import Daybook

/// The column that says whose each row is, where an answer tells of several people.
struct Whose {
  /// The column; nothing where all rows are one person's.
  let columns: [Table.Column]
  private let names: [Account.ID: String]

  /// Looks whose the rows are.
  init(_ owners: [Account.ID], _ context: QueryContext) {
    let people = Set(owners)
    columns = people.count > 1 ? [.text("whose", 5)] : []
    names = Dictionary(
      uniqueKeysWithValues: people.map { ($0, context.state.viewer($0)?.displayName ?? "") })
  }

  /// The cell of a row.
  func cells(_ owner: Account.ID) -> [String] { columns.isEmpty ? [] : [names[owner] ?? ""] }
}
