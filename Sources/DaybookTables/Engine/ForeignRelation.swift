import HTTPTypes

/// A relation between the rows of a table and those of another.
struct ForeignRelation: Hashable, Sendable {
  /// A junction table between the two, with its columns that refer to each side.
  struct Junction: Hashable, Sendable {
    let table: String
    let own: [String]
    let other: [String]
  }

  /// Columns of the table.
  let columns: [String]
  /// The other table.
  let table: String
  /// The columns of the other table that match, either directly or through the junction.
  let otherColumns: [String]
  /// Whether at most one row belongs to each row.
  let isSingle: Bool
  /// The junction table, if the relation goes through one.
  var junction: Junction?
  /// The names that a hint may use for it.
  let names: Set<String>
  /// Whether another relation between the same tables is preferred when no hint chooses one.
  var isSecondary = false

  /// All relations of a table to others.
  static func all(of table: AppTable, in schema: TableSchema) -> [ForeignRelation] {
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

  /// The relations through a junction table, whose primary key contains both foreign keys.
  private static func junctions(
    through junction: AppTable, from own: ForeignKey, in schema: TableSchema
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

  /// The relation that an embed means by its name and hint.
  ///
  /// - Throws: ``TableError``: `PGRST200` when there is none, `PGRST201` when there are several.
  static func find(
    _ item: EmbedItem, from table: AppTable, in schema: TableSchema
  ) throws(TableError) -> ForeignRelation {
    let all = schema.relations[table.name] ?? all(of: table, in: schema)
    var found = all.filter { relation in
      // A foreign key, or its column, may stand for the table that it refers to.
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
      // In a table that refers to itself, the column's name means the referenced row, and the table's name means
      // the rows that refer to it, whatever the hint.
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

  /// Whether the relation is a foreign key of the table itself.
  private func isForeign(of table: AppTable) -> Bool {
    table.foreignKeys.contains {
      $0.columns == columns && $0.table == self.table && $0.referenced == otherColumns
    } && junction == nil && isSingle
  }
}

extension AppTable {
  /// The sets of columns that are unique.
  var keys: [[String]] { [primaryKey] + uniqueKeys }

  /// Whether these columns are unique together.
  func isUnique(_ columns: [String]) -> Bool {
    keys.contains { Set($0) == Set(columns) }
  }
}
