import Daybook
import DaybookStore
import Values

extension AppTable {
  /// Households (MC-1): their members see and change them, including the join code.
  static var households: AppTable {
    let fields: [Field<NumberedEntity<Household>>] = [
      Field("id", .freshKey) { $0.key }, Field("name") { $0.name },
      .account("created_by", .caller, .once) { $0.creator },
      Field("code", .null, .server) { $0.code?.text },
      Field("code_expires_at", .null, .server) { $0.code?.expires },
      Field("created_at", .null, .server) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
    return AppTable(
      "households", fields, of: .household,
      writer: EntityWriter(
        "households", "household", CreateHousehold.self, RenameHousehold.self,
        DeleteHousehold.self, in: \.households, fields: { $0.columns.fields(["name"]) }),
      touched: { change in
        change.households.flatMap { number -> [TouchedRow] in
          guard let household = change.after.households[number] else { return [] }
          return EntryChange.row(["id": .uuid(household.key)], for: change.members(of: number))
        }
      },
      things: { view, bounds, take in
        for household in view.households(bounds, "id") { try take(household) }
      })
  }

  /// A table of entities that belong to households: all current members see and change them (MC-11). An entry
  /// touches the row of its own entity, and those of the entities in `more`.
  static func household<Thing: Entity>(
    _ name: String, _ fields: [Field<NumberedEntity<Thing>>], of kind: EntityKind,
    in things: @escaping @Sendable (BookState) -> Table<Thing>,
    recognitionKeys: [[String]] = [], foreignKeys: [ForeignKey] = [], writer: any TableWriter,
    more: @escaping @Sendable (EntryChange) -> [EntityNumber<Thing>] = { _ in [] },
    narrowed: @escaping @Sendable (AccountView, ScanBounds) -> ScanBounds = { $1 }
  ) -> AppTable {
    AppTable(
      name, fields, of: kind, recognitionKeys: recognitionKeys,
      foreignKeys: [
        ForeignKey("household_id", of: name, to: "households", isChecked: false),
        ForeignKey("created_by", of: name, to: "users", isSecondary: true),
      ] + foreignKeys,
      writer: writer,
      touched: { change in
        var touched = Set(more(change))
        if let number: EntityNumber<Thing> = change.subject(kind) { touched.insert(number) }
        for household in change.shownOrHidden {
          let numbers = change.after.allEntities(kind, of: household)
          touched.formUnion(numbers.compactMap { EntityNumber<Thing>(Int($0)) })
        }
        return touched.sorted().flatMap { number -> [TouchedRow] in
          guard let thing = things(change.after)[number], let home = thing.home else { return [] }
          return EntryChange.row(["id": .uuid(thing.key)], for: change.members(of: home))
        }
      },
      things: { view, bounds, take in
        let bounds = narrowed(view, bounds)
        try view.forEachShared(kind, bounds, in: things(view.state), take)
      })
  }
}

extension AccountView {
  /// The viewer's households that a column may mean.
  func households(_ bounds: ScanBounds, _ column: String) -> [NumberedEntity<Household>] {
    let numbers = bounds.numbers(column, in: state.households) { state.households(of: viewer) }
    return numbers.compactMap { number in
      state.household(number, for: viewer).map { NumberedEntity(number: number, entity: $0) }
    }
  }

  /// Passes on the entities of one kind in the viewer's households that may match.
  func forEachShared<Thing: Entity>(
    _ kind: EntityKind, _ bounds: ScanBounds, _ column: String = "id",
    in table: Table<Thing>, _ take: (NumberedEntity<Thing>) throws -> Void
  ) throws {
    let own = households(bounds, "household_id").map(\.number)
    guard bounds.keys(column) == nil else {
      for number in bounds.numbers(column, in: table, orElse: { [] }) {
        guard let thing = table[number], !thing.isDeleted, let home = thing.home,
          own.contains(home)
        else { continue }
        try take(NumberedEntity(number: number, entity: thing))
      }
      return
    }
    for household in own {
      for (number, thing) in state.householdEntities(kind, in: table, of: household) {
        try take(NumberedEntity(number: number, entity: thing))
      }
    }
  }
}

extension EntryChange {
  /// The households that the entry is about.
  var households: [Household.ID] {
    if let account = erased { return before.allHouseholds(of: account) }
    return subject(.household, as: Household.self).map { [$0] } ?? []
  }

  /// The households that the entry makes visible or invisible to somebody.
  var shownOrHidden: [Household.ID] {
    switch entry.event {
    case .householdRenamed, .householdCodeChanged: []
    default: households
    }
  }

  /// The members of a household before or after the entry.
  func members(of household: Household.ID) -> [Account.ID] {
    let members = states.flatMap { $0.households[household]?.activeMembers.map(\.account) ?? [] }
    return Set(members).sorted()
  }
}

extension TableWrite {
  /// The household with a key, if the caller is a member.
  func household(_ key: Values.Key?) throws(Rejection) -> Household.ID {
    guard let number = key.flatMap({ batch.state.households.number(of: $0) }),
      batch.state.household(number, for: viewer) != nil
    else { throw .householdNotFound }
    return number
  }
}
