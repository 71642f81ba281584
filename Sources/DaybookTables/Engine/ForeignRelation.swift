import HTTPTypes

/// How rows of a table belong to rows of another.
struct ForeignRelation: Hashable, Sendable {
  /// A table of pairs between the two: its columns that name a row of the one, and of the other.
  struct Junction: Hashable, Sendable {
    let table: String
    let own: [String]
    let other: [String]
  }

  /// Columns of the table.
  let columns: [String]
  /// The other table.
  let table: String
  /// Columns of the other table with the same values, or with the values that a junction pairs them with.
  let otherColumns: [String]
  /// Whether at most one row belongs to each.
  let isSingle: Bool
  /// The table of pairs, if there is one between.
  var junction: Junction?
  /// What hints may call it.
  let names: Set<String>
  /// Whether another between the same tables is meant where no hint says which.
  var isSecondary = false

  /// All relations of a table to others.
  static func all(of table: Table, in schema: TableSchema) -> [ForeignRelation] {
    var relations: [ForeignRelation] = []
    for key in table.foreignKeys where schema.table(key.table) != nil {
      relations.append(
        ForeignRelation(
          columns: key.columns, table: key.table, otherColumns: key.referenced, isSingle: true,
          names: Set([key.name] + key.columns), isSecondary: key.isSecondary))
    }
    for other in schema.tables {
      for key in other.foreignKeys where key.table == table.name {
        relations.append(
          ForeignRelation(
            columns: key.referenced, table: other.name, otherColumns: key.columns,
            isSingle: other.isUnique(key.columns), names: Set([key.name] + key.columns),
            isSecondary: key.isSecondary))
        relations += junctions(through: other, from: key, in: schema)
      }
    }
    return relations
  }

  /// The relations through a table of pairs, whose key has both what names the one and what names the other.
  private static func junctions(
    through junction: Table, from own: ForeignKey, in schema: TableSchema
  ) -> [ForeignRelation] {
    junction.foreignKeys.compactMap { other in
      guard other.name != own.name, schema.table(other.table) != nil,
        junction.keys.contains(where: { Set($0).isSuperset(of: own.columns + other.columns) })
      else { return nil }
      return ForeignRelation(
        columns: own.referenced, table: other.table, otherColumns: other.referenced,
        isSingle: false,
        junction: Junction(table: junction.name, own: own.columns, other: other.columns),
        names: [junction.name])
    }
  }

  /// The relation that a query means by a name and a hint.
  ///
  /// - Throws: ``TableError``: `PGRST200` when there is none, `PGRST201` when there are several.
  static func find(
    _ item: EmbedItem, from table: Table, in schema: TableSchema
  ) throws(TableError) -> ForeignRelation {
    let all = schema.relations[table.name] ?? all(of: table, in: schema)
    var found = all.filter { relation in
      // A foreign key, or its column, may stand for the table that it names.
      relation.table == item.target
        || (relation.isForeign(of: table) && relation.names.contains(item.target))
    }
    if let hint = item.hint { found = found.filter { $0.names.contains(hint) } }
    if found.contains(where: { !$0.isSecondary }), item.hint == nil {
      found.removeAll(where: \.isSecondary)
    }
    if found.count > 1 {
      let direct = found.filter { $0.junction == nil }
      if !direct.isEmpty { found = direct }
    }
    if found.count == 2, found.allSatisfy({ $0.table == table.name }) {
      // A table that names its own rows: where its column stands for the table, it is the row that is named; where the
      // table itself is said, the rows that name it, whatever the hint.
      found = found.filter { $0.isForeign(of: table) == (item.target != table.name) }
    }
    guard let relation = found.first else {
      let hint = item.hint.map { " using the hint '\($0)'" } ?? ""
      throw TableError(
        .badRequest, "PGRST200",
        "Could not find a relationship between '\(table.name)' and '\(item.target)' in the schema cache",
        details:
          "Searched for a foreign key relationship between '\(table.name)' and '\(item.target)'"
          + "\(hint) in the schema 'public', but no matches were found.")
    }
    guard found.count == 1 else {
      throw TableError(
        .multipleChoices, "PGRST201",
        "Could not embed because more than one relationship was found for '\(table.name)' and '\(item.target)'",
        hint: "Name the foreign key: '\(item.target)!\(relation.names.sorted().first ?? "")'.")
    }
    return relation
  }

  /// Whether it is a foreign key of the table itself.
  private func isForeign(of table: Table) -> Bool {
    table.foreignKeys.contains {
      $0.columns == columns && $0.table == self.table && $0.referenced == otherColumns
    } && junction == nil && isSingle
  }
}

extension Table {
  /// The sets of columns by which no two rows are the same.
  var keys: [[String]] { [primaryKey] + uniqueKeys }

  /// Whether no two rows have the same values in these columns.
  func isUnique(_ columns: [String]) -> Bool {
    keys.contains { Set($0) == Set(columns) }
  }
}
