/// A household's list for the shops of one week (MC-7). See `Docs/Household.md` for the rules.
public struct GroceryList: Entity, Hashable {
  /// The number of a list in its book.
  public typealias ID = EntityNumber<GroceryList>
  /// "list-number".
  @inlinable
  public static var entityName: StaticString { "list-number" }

  /// Its name, which follows from household and week.
  public internal(set) var key: Key
  /// The household.
  public internal(set) var household: Household.ID
  /// Who asked for it.
  public internal(set) var creator: Account.ID
  /// The Monday of its week.
  public internal(set) var weekStart: Day
  /// The digest of what it was last made from; nothing while members alone wrote it.
  public internal(set) var mealPlanHash: String?
  /// When it was last made from the week's meals.
  public internal(set) var generated: Instant?
  /// Its lines, those that were taken off it too: the planned ones in their order, then what members wrote.
  public internal(set) var items: [GroceryItem] = []
  /// When it was created.
  public internal(set) var created: Instant
  /// When it or one of its lines last changed.
  public internal(set) var updated: Instant

  /// What people call it.
  public var calledName: String { weekStart.description }
  /// Who asked for it; it is the household's.
  public var ownedBy: Account.ID? { creator }
  /// The household, whose members see and change it.
  public var home: Household.ID? { household }
  /// A list stays for ever.
  public var isDeleted: Bool { false }

  /// The line of a key, unless it was taken off the list.
  public func item(_ key: Key) -> GroceryItem? {
    items.first { $0.key == key && $0.status != .removed }
  }
}

extension State {
  mutating func apply(_ event: GroceryListCreated, at instant: Instant) {
    create(
      GroceryList(
        key: event.key, household: event.household, creator: event.owner,
        weekStart: event.weekStart, created: instant, updated: instant))
  }

  mutating func apply(_ event: GroceryListGenerated, at instant: Instant) {
    lists.update(event.list) { list in
      let before = Dictionary(
        list.items.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
      list.items =
        event.items.map { GroceryItem($0, before: before[$0.key], at: instant) }
        + list.items.filter(\.isManual)
      list.mealPlanHash = event.mealPlanHash
      list.generated = instant
      list.updated = instant
    }
  }

  mutating func apply(_ event: GroceryItemAdded, at instant: Instant) {
    lists.update(event.list) { list in
      list.items.append(
        GroceryItem(key: event.key, content: event.content, created: instant, updated: instant))
      list.updated = instant
    }
  }

  mutating func apply(_ event: GroceryItemDescribed, at instant: Instant) {
    lists.update(event.list) { $0.update(event.item, at: instant) { $0.content = event.content } }
  }

  mutating func apply(_ event: GroceryItemMarked, at instant: Instant) {
    lists.update(event.list) { $0.update(event.item, at: instant) { $0.status = event.status } }
  }
}

extension GroceryItem {
  /// A planned line. What changed of it is not asked: of lines that were erased nobody knows any more.
  fileprivate init(_ line: PlannedItem, before: GroceryItem?, at instant: Instant) {
    self.init(
      key: line.key, content: line.content, status: line.status, planned: line.planned,
      sources: line.sources, created: before?.created ?? instant,
      updated: instant)
  }
}

extension GroceryList {
  /// Blanks what is personal in its lines.
  mutating func eraseItems() {
    for place in items.indices {
      items[place].content = items[place].content.erased
      items[place].planned = items[place].planned?.erased
      items[place].sources = items[place].sources.map(\.erased)
    }
  }

  fileprivate mutating func update(
    _ key: Key, at instant: Instant, _ change: (inout GroceryItem) -> Void
  ) {
    guard let place = items.firstIndex(where: { $0.key == key }) else { return }
    change(&items[place])
    items[place].updated = instant
    updated = instant
  }
}
