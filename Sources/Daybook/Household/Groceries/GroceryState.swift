public import Values
public import Calendar

/// A household's shopping list for one week (MC-7). See `Docs/Household.md` for the rules.
public struct GroceryList: Entity, Hashable {
  /// The number of a list in its book.
  public typealias ID = EntityNumber<GroceryList>
  /// "list-number".
  @inlinable
  public static var entityName: StaticString { "list-number" }

  /// Its name: the client's, or a key derived from household and week.
  public internal(set) var key: Key
  /// The household.
  public internal(set) var household: Household.ID
  /// The account that created it.
  public internal(set) var creator: Account.ID
  /// The Monday of its week.
  public internal(set) var weekStart: Day
  /// The first day of its week, where an app counts weeks from another day.
  public internal(set) var firstDay: Day?
  /// The digest of what it was last generated from; nothing while only members wrote it.
  public internal(set) var mealPlanHash: String?
  /// When it was last generated from the week's meals.
  public internal(set) var generated: Instant?
  /// Whether the household set it aside, although no newer list was made.
  public internal(set) var isSetAside = false
  /// The planned lines, in their order; removed ones too.
  public internal(set) var planned: PersistentArray<GroceryItem> = []
  /// The lines that members wrote, in their order; removed ones too.
  public internal(set) var written: PersistentArray<GroceryItem> = []
  /// When it was created.
  public internal(set) var created: Instant
  /// When it or one of its lines last changed.
  public internal(set) var updated: Instant
  /// Whether it was deleted with its lines.
  public internal(set) var isDeleted = false

  /// The name that people see.
  public var displayName: String { begins.description }
  /// The first day of its week, as its creators count weeks.
  package var begins: Day { firstDay ?? weekStart }
  /// The account that created it; the list belongs to the household.
  public var ownedBy: Account.ID? { creator }
  /// The household, whose members see and change it.
  public var home: Household.ID? { household }

  /// All lines, removed ones too: the planned ones in their order, then those that members wrote.
  public var items: [GroceryItem] { Array(planned) + written }

  /// The line with a key, unless it was removed. This searches all lines; a state finds a line at once
  /// (``BookState/groceryItem(_:)``).
  public func item(_ key: Key) -> GroceryItem? {
    items.first { $0.key == key && $0.status != .removed }
  }

  /// The place of a line in a list.
  struct Place: Hashable, Comparable, Sendable {
    /// The first place.
    static let first = Place(isWritten: false, index: 0)

    /// Whether a member wrote it.
    var isWritten: Bool
    /// The index among the planned or the written lines.
    var index: Int

    static func < (left: Place, right: Place) -> Bool {
      left.isWritten == right.isWritten ? left.index < right.index : right.isWritten
    }
  }

  /// The line at a place.
  subscript(place: Place) -> GroceryItem {
    get { place.isWritten ? written[place.index] : planned[place.index] }
    set {
      if place.isWritten {
        written[place.index] = newValue
      } else {
        planned[place.index] = newValue
      }
    }
  }

  /// The lines that members wrote, or the planned ones.
  func lines(areWritten: Bool) -> PersistentArray<GroceryItem> { areWritten ? written : planned }
}

extension BookState {
  /// The place of the line with a key in a list, removed or not.
  func place(of key: Key, in number: GroceryList.ID) -> GroceryList.Place? {
    lists[number].flatMap { list in
      indexes.households.groceries.line(of: key, in: number, of: list.household)
    }
  }

  /// The status of the line with a key; nothing when the list has none.
  package func groceryStatus(of key: Key, on number: GroceryList.ID) -> GroceryItemStatus? {
    place(of: key, in: number).flatMap { place in lists[number].map { $0[place].status } }
  }

  /// Whether a list has a line with a key, removed or not.
  package func hasGroceryLine(_ key: Key, on list: GroceryList.ID) -> Bool {
    place(of: key, in: list) != nil
  }

  /// The line, unless it was removed, or deleted with its list.
  public func groceryItem(_ id: GroceryItemID) -> GroceryItem? {
    guard let list = lists[id.list], !list.isDeleted, let place = place(of: id.key, in: id.list),
      list[place].status != .removed
    else { return nil }
    return list[place]
  }
}

extension GroceryList: HouseholdEntity {
  static var kind: EntityKind { .list }
  static var table: WritableKeyPath<BookState, Table<GroceryList>> { \.lists }
  static var column: StaticString { "list" }
  static var countField: StaticString { "lists" }
  static var plural: String { "grocery lists" }
  static var notFound: Rejection { .groceryListNotFound }

  mutating func erase(at instant: Instant) {
    for place in planned.indices { planned[place].erase() }
    for place in written.indices { written[place].erase() }
  }

  static func creation(of lost: LostEntity) -> Event {
    .groceryListCreated(
      GroceryListCreated(of: lost) { list in
        list.household = lost.household
        list.weekStart = MealWeek.monday(of: Day(utc: lost.at))
      })
  }
}

extension GroceryListCreated: OwnedCreationEvent {
  func created(_ head: EntryHead) -> GroceryList {
    GroceryList(
      key: key, household: household, creator: owner,
      weekStart: weekStart, firstDay: firstDay, created: head.at, updated: head.at)
  }
}

extension GroceryListGenerated: ChangeEvent {
  var changed: GroceryList.ID { list }
  func change(_ list: inout GroceryList, _ head: EntryHead) {
    let before = Dictionary(
      list.planned.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    list.planned = PersistentArray(
      items.lazy.map { GroceryItem($0, before: before[$0.key], at: head.at) })
    // Only an undo records that a list was not generated.
    let isMade = !mealPlanHash.isEmpty
    list.mealPlanHash = isMade ? mealPlanHash : nil
    list.generated = generated ?? (isMade ? head.at : nil)
    // A list that the book generates becomes current again; an app chooses for the lists that it makes.
    if isMade, generated == nil { list.isSetAside = false }
    list.updated = head.at
  }
}

extension GroceryListSetAside: EditEvent, SetEvent {
  var changed: GroceryList.ID { list }
  func edit(_ list: inout GroceryList) { list.isSetAside = isSetAside }
  init(_ id: GroceryList.ID, as list: GroceryList) {
    self.init(list: id, isSetAside: list.isSetAside)
  }
}

extension GroceryListDeleted: DeletionEvent {
  static var number: Number { \.list }
  var changed: GroceryList.ID { list }
}

extension GroceryListRestored: RestorationEvent {
  static var number: Number { \.list }
  var changed: GroceryList.ID { list }
}

extension GroceryItemAdded: ChangeEvent {
  var changed: GroceryList.ID { list }
  func change(_ list: inout GroceryList, _ head: EntryHead) {
    list.written.append(
      GroceryItem(key: key, content: content, created: begun(head), updated: head.at))
    list.updated = head.at
  }
}

// A line is found by the index of its key, without a search of its list.
extension BookState {
  mutating func apply(_ event: GroceryItemDescribed, _ head: EntryHead) {
    update(event.item, of: event.list, at: head.at) { $0.content = event.content }
  }

  mutating func apply(_ event: GroceryItemMarked, _ head: EntryHead) {
    update(event.item, of: event.list, at: head.at) { $0.status = event.status }
  }
}

extension GroceryItem {
  /// A planned line. Its content is not compared with the former one: that of erased lines is unknown.
  fileprivate init(_ line: PlannedItem, before: GroceryItem?, at instant: Instant) {
    self.init(
      key: line.key, content: line.content, status: line.status, planned: line.planned,
      sources: line.sources, created: before?.created ?? instant,
      updated: instant)
  }
}

extension GroceryItem {
  fileprivate mutating func erase() {
    content = content.erased
    planned = planned?.erased
    sources = sources.map(\.erased)
  }
}

extension BookState {
  /// Changes a line of a list.
  private mutating func update(
    _ key: Key, of number: GroceryList.ID, at instant: Instant,
    _ change: (inout GroceryItem) -> Void
  ) {
    guard let place = place(of: key, in: number) else { return }
    update(number) { list in
      change(&list[place])
      list[place].updated = instant
      list.updated = instant
    }
  }
}
