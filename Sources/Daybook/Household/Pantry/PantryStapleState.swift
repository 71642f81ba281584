import Kitchen

/// A food that a household keeps at home (MC-9): a grocery list says to look for it, or subtracts the amount at home.
/// On disk its events and records are named after staples.
public typealias PantryStaple = HouseholdItem<PantryStapleContent>

extension PantryStapleContent: HouseholdItemContent {
  /// "staple-number".
  public static var entityName: StaticString { "staple-number" }
  /// "Staple".
  public static var itemRecordName: String { "Staple" }
  /// Its name.
  public var displayName: String { name }
}

extension PantryStapleContent: RowContent {}

extension PantryStapleContent: StoredContent {
  static var kind: EntityKind { .pantryStaple }
  static var table: WritableKeyPath<BookState, Table<PantryStaple>> { \.pantryStaples }
  static var column: StaticString { "staple" }
  static var countField: StaticString { "staples" }
  static var notFound: Rejection { .pantryStapleNotFound }
  static var commands: [any ColumnCommand.Type] {
    [AddPantryStaple.self, UpdatePantryStaple.self, RemovePantryStaple.self]
  }
  static func tables(of state: BookState) -> [RowTable] {
    [RowTable("pantry_staples", of: PantryStaple.self, in: state)]
  }
  var contradiction: String? {
    amount.flatMap { $0 < .zero ? "a quantity is below 0" : nil }
  }

  static func creation(of lost: LostEntity) -> Event {
    .pantryStapleAdded(
      PantryStapleAdded(of: lost) { ($0.household, $0.content.name) = (lost.household, lost.name) })
  }
}

extension PantryStapleContent: RevertibleContent {
  static var described: (PantryStapleDescribed) -> Event { Event.pantryStapleDescribed }
  static var deletionEvents: DeletionEvents<PantryStaple> {
    DeletionEvents(Event.pantryStapleRemoved, Event.pantryStapleRestored)
  }
}

extension Rejection {
  /// There is no such pantry staple, or it belongs to another household.
  package static let pantryStapleNotFound = Rejection(
    .pantryStapleNotFound, "There is no such staple in the pantry.")
}

extension PantryStapleAdded: ItemCreationEvent {}

extension PantryStapleDescribed: ItemContentEvent {
  static var number: Number { \.pantryStaple }
  var changed: PantryStaple.ID { pantryStaple }
}

extension PantryStapleRemoved: DeletionEvent {
  static var number: Number { \.pantryStaple }
  var changed: PantryStaple.ID { pantryStaple }
}

extension PantryStapleRestored: RestorationEvent {
  static var number: Number { \.pantryStaple }
  var changed: PantryStaple.ID { pantryStaple }
}

extension BookState {
  /// A household's pantry staples by name, as a member sees them; nothing for others.
  public func pantryStaples(
    of household: Household.ID, for viewer: Account.ID
  ) -> [(number: PantryStaple.ID, pantryStaple: PantryStaple)] {
    guard self.household(household, for: viewer) != nil else { return [] }
    return householdEntities(.pantryStaple, in: pantryStaples, of: household)
      .map { ($0.number, $0.thing) }
      .sorted {
        ($0.1.content.name.foldedName, $0.1.key) < ($1.1.content.name.foldedName, $1.1.key)
      }
  }
}
