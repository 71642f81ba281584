import Daybook
import Values

/// A column, and what stands in it for a thing as somebody sees it: a table's columns and rows are said at once.
///
/// What stands there is said by a closure: a key path into a ``Numbered`` thing is followed anew for every value of every row.
struct Field<Thing>: Sendable {
  let column: Column
  let value: @Sendable (Thing, Sight) -> Value

  /// A column whose type is that of what stands in it.
  init<V: ColumnValue>(
    _ name: String, _ standard: Column.Default = .null, _ writing: Column.Writing = .client,
    allowed: [String]? = nil, isNullable: Bool? = nil,
    seen value: @escaping @Sendable (Thing, Sight) -> V
  ) {
    column = Column(
      name, V.columnType, isNullable: isNullable ?? V.isNullable, standard: standard,
      writing: writing, allowed: allowed)
    self.value = { thing, sight in value(thing, sight).columnValue }
  }

  /// A column in which everybody sees the same.
  init<V: ColumnValue>(
    _ name: String, _ standard: Column.Default = .null, _ writing: Column.Writing = .client,
    allowed: [String]? = nil, isNullable: Bool? = nil,
    of value: @escaping @Sendable (Thing) -> V
  ) {
    self.init(
      name, standard, writing, allowed: allowed, isNullable: isNullable,
      seen: { thing, _ in value(thing) })
  }

  private init(_ column: Column, _ value: @escaping @Sendable (Thing, Sight) -> Value) {
    self.column = column
    self.value = value
  }

  /// The same column, in which those who may not see it see nothing.
  func seen(where isSeen: @escaping @Sendable (Thing, Sight) -> Bool) -> Field {
    Field(column) { [value] thing, sight in isSeen(thing, sight) ? value(thing, sight) : .null }
  }

  /// The column `id` of rows whose keys follow from what they hold, where the apps of their owners do not call them otherwise.
  static func derivedKey(
    in table: NamedTable, ownedBy owner: @escaping @Sendable (Thing) -> Account.ID?,
    _ key: @escaping @Sendable (Thing, Sight) -> EntityKey?
  ) -> Field {
    Field(
      "id", .derivedKey, isNullable: false,
      seen: { thing, sight in
        key(thing, sight).map { sight.shown($0, in: table, ownedBy: owner(thing)) }
      })
  }

  /// The same column, of which several values mean the same.
  func normalised(_ normal: @escaping @Sendable (Value) -> Value) -> Field {
    Field(
      Column(
        column.name, column.type, isNullable: column.isNullable, standard: column.standard,
        writing: column.writing, allowed: column.allowed, normalised: normal), value)
  }

  /// A column in which the key of an account stands.
  static func account(
    _ name: String, _ standard: Column.Default = .null, _ writing: Column.Writing = .client,
    isNullable: Bool = false, of value: @escaping @Sendable (Thing) -> Account.ID?
  ) -> Field {
    Field(
      name, standard, writing, isNullable: isNullable,
      seen: { thing, sight in value(thing).flatMap { sight.key(of: $0) } })
  }
}

/// A thing of the book with its number.
@dynamicMemberLookup
struct Numbered<Thing: Entity>: Sendable {
  let number: EntityNumber<Thing>
  let thing: Thing

  // Inlined, for a member that is known where it is read is no path that is followed for every row.
  @inline(__always)
  subscript<V>(dynamicMember member: KeyPath<Thing, V>) -> V { thing[keyPath: member] }
}

extension Table {
  /// Makes a table of fields: a scan gives things, of which rows are made.
  convenience init<Thing>(
    _ name: String, _ fields: [Field<Thing>], of kind: EntityKind? = nil,
    isOfHabit: Bool = false, primaryKey: [String] = ["id"],
    uniqueKeys: [[String]] = [], recognitionKeys: [[String]] = [],
    foreignKeys: [ForeignKey] = [], writer: (any TableWriter)? = nil,
    touched: @escaping @Sendable (Change) -> [TouchedRow],
    things: @escaping @Sendable (Sight, Narrowing, (Thing) throws -> Void) throws -> Void
  ) {
    let makers = fields.map(\.value)
    self.init(
      name, fields.map(\.column), of: kind, isOfHabit: isOfHabit, primaryKey: primaryKey,
      uniqueKeys: uniqueKeys, recognitionKeys: recognitionKeys, foreignKeys: foreignKeys,
      writer: writer,
      touched: { entry, before, after in touched(Change(entry, before, after)) },
      scan: { sight, narrowing, take in
        // Some columns cost more than all others: a digest that names a row, a day in somebody's zone.
        let wanted = makers.indices.map { narrowing.places?.contains($0) ?? true }
        try things(sight, narrowing) { thing in
          var values: [Value] = []
          values.reserveCapacity(makers.count)
          for place in makers.indices {
            values.append(wanted[place] ? makers[place](thing, sight) : .null)
          }
          try take(Row(values))
        }
      })
  }
}
