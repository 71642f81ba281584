public import Values
public import Calendar
public import Avro

/// An entity of a household that has nothing but its content: a recipe, a planned meal, a pantry staple. Tasks, lists
/// and calendar events of a household have more fields (``BookState/householdEntities(_:in:of:)`` finds all kinds).
public struct HouseholdItem<Content: HouseholdItemContent>: Entity, Hashable {
  /// The number of an item in its book.
  public typealias ID = EntityNumber<HouseholdItem>
  /// The kind's name in the schema.
  public static var entityName: StaticString { Content.entityName }

  /// The client's name for it.
  public internal(set) var key: Key
  /// The household.
  public internal(set) var household: Household.ID
  /// The account that created it.
  public internal(set) var creator: Account.ID
  /// The content.
  public internal(set) var content: Content
  /// When it was created.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant
  /// Whether it was deleted.
  public internal(set) var isDeleted = false

  /// The name that people see.
  public var displayName: String { content.displayName }
  /// The account that created it; the item belongs to the household.
  public var ownedBy: Account.ID? { creator }
  /// The household, whose members see and change it.
  public var home: Household.ID? { household }

  /// An item with its content and the times of its entry.
  init(
    key: Key, household: Household.ID, creator: Account.ID, content: Content, created: Instant,
    updated: Instant
  ) {
    self.key = key
    self.household = household
    self.creator = creator
    self.content = content
    (self.created, self.updated) = (created, updated)
  }

  /// The same item with other content: a recipe for other servings, for example.
  package func withContent(_ content: Content) -> HouseholdItem {
    var other = self
    other.content = content
    return other
  }
}

/// The content of a household's item.
public protocol HouseholdItemContent: AvroRecord, Hashable {
  /// The kind's name in the schema: "recipe-number".
  static var entityName: StaticString { get }
  /// The name of the record in a snapshot: "Recipe".
  static var itemRecordName: String { get }
  /// The name that people see.
  var displayName: String { get }
}

/// The content of a household's item, with the row of the item.
package protocol RowContent: HouseholdItemContent {
  /// The row of an item.
  static func row(of item: HouseholdItem<Self>, in state: BookState) -> JSON
}

extension RowContent where Self: Columns {
  package static func row(of item: HouseholdItem<Self>, in state: BookState) -> JSON {
    .object(item.members(in: state))
  }
}

extension HouseholdItem: RowEntity where Content: RowContent {
  package func row(in state: BookState) -> JSON { Content.row(of: self, in: state) }
}

extension HouseholdItem: AvroRecord {
  /// "Recipe", "Meal" or "Staple".
  public static var recordName: String { Content.itemRecordName }
  public static var placeholder: HouseholdItem {
    HouseholdItem(
      key: Key(high: 0, low: 0), household: .placeholder, creator: .placeholder,
      content: .placeholder, created: .placeholder, updated: .placeholder)
  }

  /// All fields.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("household", &household)
    try visitor.visit("creator", &creator)
    try visitor.visit("content", &content)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
    try visitor.visit("is_deleted", &isDeleted)
  }
}

extension HouseholdItem: Columns where Content: Columns {
  /// The value before any field is read.
  public static var defaults: HouseholdItem { placeholder }

  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("id", &key)
    try visitor.column("household_id", &household)
    try content.visitColumns(&visitor)
    try visitor.column("created_by", &creator)
    try visitor.column("created_at", &created)
    try visitor.column("updated_at", &updated)
  }
}

/// The content of a household's item of a kind that a state stores: what differs from kind to kind.
protocol StoredContent: HouseholdItemContent {
  static var kind: EntityKind { get }
  static var table: WritableKeyPath<BookState, Table<HouseholdItem<Self>>> { get }
  /// The column by which commands name an item.
  static var column: StaticString { get }
  static var countField: StaticString { get }
  static var plural: String { get }
  static var notFound: Rejection { get }
  /// The commands about an item (``StoredEntity/commands``).
  static var commands: [any ColumnCommand.Type] { get }
  /// The tables of rows (``StoredEntity/tables(of:)``).
  static func tables(of state: BookState) -> [RowTable]
  /// Why no command records the content (``EventRecord/contradiction(in:)``); nothing when one does.
  var contradiction: String? { get }
  /// The day and the recipe of a meal.
  var mealKeys: MealKeys? { get }
  static func creation(of lost: LostEntity) -> Event
}

extension StoredContent {
  static var plural: String { "\(countField)" }
  var contradiction: String? { nil }
  /// Most items are not meals.
  var mealKeys: MealKeys? { nil }
}

extension HouseholdItem: StoredEntity, ChangeableEntity, HouseholdEntity
where Content: StoredContent {
  static var kind: EntityKind { Content.kind }
  static var table: WritableKeyPath<BookState, Table<HouseholdItem>> { Content.table }
  static var column: StaticString { Content.column }
  static var countField: StaticString { Content.countField }
  static var plural: String { Content.plural }
  static var notFound: Rejection { Content.notFound }
  static var commands: [any ColumnCommand.Type] { Content.commands }
  static func tables(of state: BookState) -> [RowTable] { Content.tables(of: state) }
  mutating func erase(at instant: Instant) { content = content.erased }
  static func creation(of lost: LostEntity) -> Event { Content.creation(of: lost) }
}
