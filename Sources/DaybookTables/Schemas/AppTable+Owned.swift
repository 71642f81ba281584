import Daybook
import Values

extension AppTable {
  /// A table of entities that belong to one account, which alone sees and changes them. An entry
  /// touches the row of its own entity, and those of the entities in `more`.
  static func owned<Thing: Entity>(
    _ name: String, _ fields: [Field<NumberedEntity<Thing>>], of kind: EntityKind,
    in things: @escaping @Sendable (BookState) -> Table<Thing>,
    numbers: @escaping @Sendable (BookState, Account.ID) -> [EntityNumber<Thing>],
    isShown: @escaping @Sendable (Thing) -> Bool, foreignKeys: [ForeignKey] = [],
    writer: any TableWriter,
    more: @escaping @Sendable (EntryChange) -> [EntityNumber<Thing>] = { _ in [] }
  ) -> AppTable {
    AppTable(
      name, fields, of: kind, foreignKeys: foreignKeys, writer: writer,
      touched: { change in
        var touched = more(change)
        if let number: EntityNumber<Thing> = change.subject(kind) { touched.append(number) }
        if let account = change.erased { touched += numbers(change.before, account) }
        return touched.flatMap { number -> [TouchedRow] in
          guard let thing = things(change.after)[number] else { return [] }
          return EntryChange.row(["id": .uuid(thing.key)], for: thing.ownedBy.map { [$0] } ?? [])
        }
      },
      things: { view, bounds, take in
        try view.forEachOwn(bounds, in: things(view.state), numbers) { thing in
          if isShown(thing.entity) { try take(thing) }
        }
      })
  }
}

extension AccountView {
  /// Passes on the viewer's entities of one kind that may match, in the order of their creation.
  func forEachOwn<Thing: Entity>(
    _ bounds: ScanBounds, _ column: String = "id", in table: Table<Thing>,
    _ numbers: (BookState, Account.ID) -> [EntityNumber<Thing>],
    _ take: (NumberedEntity<Thing>) throws -> Void
  ) throws {
    guard mayMatch(bounds) else { return }
    let named = bounds.equal[column]
    let own = named.map { $0.count > 1 } ?? true ? numbers(state, viewer) : []
    // Scanning all of the viewer's entities is faster than looking up many keys, unless there are many more of
    // them.
    let isAmongOwn = named.map { $0.count > 1 && own.count <= 4 * $0.count } ?? true
    let found = isAmongOwn ? own : bounds.numbers(column, in: table) { own }
    for number in found {
      guard let thing = table[number], thing.ownedBy == viewer,
        named?.contains(.uuid(thing.key)) ?? true
      else { continue }
      try take(NumberedEntity(number: number, entity: thing))
    }
  }
}
