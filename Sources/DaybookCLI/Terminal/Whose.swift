import Daybook

/// The column that says whose each row is, where an answer tells of several people.
struct Whose {
  /// The head of the column; nothing where all rows are one person's.
  let header: [String]
  private let names: [Account.ID: String]

  /// Looks whose the rows are.
  init(_ owners: [Account.ID], _ context: QueryContext) {
    let people = Set(owners)
    header = people.count > 1 ? ["whose"] : []
    names = Dictionary(
      uniqueKeysWithValues: people.map { ($0, context.state.viewer($0)?.displayName ?? "") })
  }

  /// The cell of a row.
  func cells(_ owner: Account.ID) -> [String] { header.isEmpty ? [] : [names[owner] ?? ""] }
}
