import Daybook
import Values

/// A column and its value for an entity and a viewer: it declares a table's columns and rows in one place.
///
/// A closure gives the value, because a key path into a ``NumberedEntity`` entity would be evaluated again for every
/// value of every row.
struct Field<Thing>: Sendable {
  let column: TableColumn
  let value: @Sendable (Thing, AccountView) -> TableValue

  /// A column with the type of its value.
  init<V: ColumnValue>(
    _ name: String, _ defaultValue: TableColumn.Default = .null,
    _ writing: TableColumn.Writing = .client,
    allowed: [String]? = nil, isNullable: Bool? = nil,
    seen value: @escaping @Sendable (Thing, AccountView) -> V
  ) {
    column = TableColumn(
      name, V.columnType, isNullable: isNullable ?? V.isNullable, defaultValue: defaultValue,
      writing: writing, allowed: allowed)
    self.value = { thing, view in value(thing, view).columnValue }
  }

  /// A column with the same value for every viewer.
  init<V: ColumnValue>(
    _ name: String, _ defaultValue: TableColumn.Default = .null,
    _ writing: TableColumn.Writing = .client,
    allowed: [String]? = nil, isNullable: Bool? = nil,
    of value: @escaping @Sendable (Thing) -> V
  ) {
    self.init(
      name, defaultValue, writing, allowed: allowed, isNullable: isNullable,
      seen: { thing, _ in value(thing) })
  }

  private init(
    _ column: TableColumn, _ value: @escaping @Sendable (Thing, AccountView) -> TableValue
  ) {
    self.column = column
    self.value = value
  }

  /// The same column, NULL for viewers who may not see it.
  func seen(where isSeen: @escaping @Sendable (Thing, AccountView) -> Bool) -> Field {
    Field(column) { [value] thing, view in isSeen(thing, view) ? value(thing, view) : .null }
  }

  /// The column `id` of rows with derived keys; the owner's apps may have given another name.
  static func derivedKey(
    in table: NamedTable, ownedBy owner: @escaping @Sendable (Thing) -> Account.ID?,
    _ key: @escaping @Sendable (Thing, AccountView) -> EntityKey?
  ) -> Field {
    Field(
      "id", .derivedKey, isNullable: false,
      seen: { thing, view in
        key(thing, view).map { view.shown($0, in: table, ownedBy: owner(thing)) }
      })
  }

  /// The same column with a normal form for its values.
  func normalised(_ normal: @escaping @Sendable (TableValue) -> TableValue) -> Field {
    Field(
      TableColumn(
        column.name, column.type, isNullable: column.isNullable, defaultValue: column.defaultValue,
        writing: column.writing, allowed: column.allowed, normalised: normal), value)
  }

  /// A column with the key of an account.
  static func account(
    _ name: String, _ defaultValue: TableColumn.Default = .null,
    _ writing: TableColumn.Writing = .client,
    isNullable: Bool = false, of value: @escaping @Sendable (Thing) -> Account.ID?
  ) -> Field {
    Field(
      name, defaultValue, writing, isNullable: isNullable,
      seen: { thing, view in value(thing).flatMap { view.key(of: $0) } })
  }
}

/// An entity with its number.
@dynamicMemberLookup
struct NumberedEntity<Thing: Entity>: Sendable {
  let number: EntityNumber<Thing>
  let entity: Thing

  // Inlined, because then a constant member needs no key path at run time.
  @inline(__always)
  subscript<V>(dynamicMember member: KeyPath<Thing, V>) -> V { entity[keyPath: member] }
}

extension AppTable {
  /// Makes a table from fields: the scan yields entities, and the fields turn each into a row.
  convenience init<Thing>(
    _ name: String, _ fields: [Field<Thing>], of kind: EntityKind? = nil,
    isOfHabit: Bool = false, primaryKey: [String] = ["id"],
    uniqueKeys: [[String]] = [], recognitionKeys: [[String]] = [],
    foreignKeys: [ForeignKey] = [], writer: (any TableWriter)? = nil,
    touched: @escaping @Sendable (EntryChange) -> [TouchedRow],
    things: @escaping @Sendable (AccountView, ScanBounds, (Thing) throws -> Void) throws -> Void
  ) {
    let makers = fields.map(\.value)
    self.init(
      name, fields.map(\.column), of: kind, isOfHabit: isOfHabit, primaryKey: primaryKey,
      uniqueKeys: uniqueKeys, recognitionKeys: recognitionKeys, foreignKeys: foreignKeys,
      writer: writer,
      touched: { entry, before, after in touched(EntryChange(entry, before, after)) },
      scan: { view, bounds, take in
        // Some columns cost more than all others: a digest for a key, a day in somebody's zone.
        let wanted = makers.indices.map { bounds.places?.contains($0) ?? true }
        try things(view, bounds) { thing in
          var values: [TableValue] = []
          values.reserveCapacity(makers.count)
          for place in makers.indices {
            values.append(wanted[place] ? makers[place](thing, view) : .null)
          }
          try take(Row(values))
        }
      })
  }
}
