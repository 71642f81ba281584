import Daybook
import Values

/// A column, and what stands in it for a thing as somebody sees it: a table's columns and rows are said at once.
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

  /// A column in which the key of an account stands.
  static func account(
    _ name: String, _ standard: Column.Default = .null, _ writing: Column.Writing = .client,
    isNullable: Bool = false, of value: @escaping @Sendable (Thing) -> Account.ID?
  ) -> Field {
    Field(
      name, standard, writing, isNullable: isNullable,
      seen: { thing, sight in value(thing).flatMap { sight.state.people.accounts[$0]?.key } })
  }
}

/// A thing of the book with its number.
@dynamicMemberLookup
struct Numbered<Thing: Entity>: Sendable {
  let number: EntityNumber<Thing>
  let thing: Thing

  subscript<V>(dynamicMember member: KeyPath<Thing, V>) -> V { thing[keyPath: member] }
}

extension Table {
  /// Makes a table of fields: a scan gives things, of which rows are made.
  init<Thing>(
    _ name: String, _ fields: [Field<Thing>], primaryKey: [String] = ["id"],
    uniqueKeys: [[String]] = [], foreignKeys: [ForeignKey] = [],
    writer: (any TableWriter)? = nil,
    touched: @escaping @Sendable (Change) -> [TouchedRow],
    things: @escaping @Sendable (Sight, Narrowing, (Thing) throws -> Void) throws -> Void
  ) {
    self.init(
      name, fields.map(\.column), primaryKey: primaryKey, uniqueKeys: uniqueKeys,
      foreignKeys: foreignKeys, writer: writer,
      touched: { entry, before, after in touched(Change(entry, before, after)) },
      scan: { sight, narrowing, take in
        try things(sight, narrowing) { thing in
          try take(Row(fields.map { $0.value(thing, sight) }))
        }
      })
  }
}
