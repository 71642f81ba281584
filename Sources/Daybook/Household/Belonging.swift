public import Avro

/// What belongs to a household and says nothing but its content, and all that is known of it: a recipe, a planned
/// meal, a staple. Tasks, lists and calendar events of a household belong to it, too, and have more to say
/// (``State/belongings(_:in:of:)`` finds all kinds).
public struct Belonging<Content: BelongingContent>: Entity, Hashable {
  /// The number of one in its book.
  public typealias ID = EntityNumber<Belonging>
  /// The kind's name in the schema.
  public static var entityName: StaticString { Content.entityName }

  /// The client's name for it.
  public internal(set) var key: Key
  /// The household.
  public internal(set) var household: Household.ID
  /// Who wrote it down.
  public internal(set) var creator: Account.ID
  /// What it says.
  public internal(set) var content: Content
  /// When it was created.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant
  /// Whether it is kept no more.
  public internal(set) var isDeleted = false

  /// What people call it.
  public var calledName: String { content.calledName }
  /// Who wrote it down; it is the household's.
  public var ownedBy: Account.ID? { creator }
  /// The household, whose members see and change it.
  public var home: Household.ID? { household }

  /// What came to be at an instant.
  init(
    key: Key, household: Household.ID, creator: Account.ID, content: Content, at instant: Instant
  ) {
    self.key = key
    self.household = household
    self.creator = creator
    self.content = content
    (created, updated) = (instant, instant)
  }

  /// The same, saying something else: a recipe for other servings, say.
  public func saying(_ content: Content) -> Belonging {
    var other = self
    other.content = content
    return other
  }

  /// Says something else from an instant on.
  mutating func say(_ content: Content, at instant: Instant) {
    self.content = content
    updated = instant
  }

  /// Is kept no more from an instant on.
  mutating func delete(at instant: Instant) {
    isDeleted = true
    updated = instant
  }
}

/// What something says that a household keeps.
public protocol BelongingContent: AvroRecord, Hashable {
  /// The kind's name in the schema: "recipe-number".
  static var entityName: StaticString { get }
  /// The name of the record in which a snapshot keeps it: "Recipe".
  static var belongingName: String { get }
  /// What people call it.
  var calledName: String { get }
}

extension Belonging: AvroRecord {
  /// "Recipe", "Meal" or "Staple".
  public static var recordName: String { Content.belongingName }
  /// About to be read.
  public static var blank: Belonging {
    Belonging(
      key: Key(high: 0, low: 0), household: .blank, creator: .blank, content: .blank, at: .blank)
  }

  /// All that is known of it.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("household", &household)
    try visitor.visit("creator", &creator)
    try visitor.visit("content", &content)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
    try visitor.visit("is_deleted", &isDeleted)
  }
}

extension Belonging: Columns where Content: Columns {
  /// About to be read.
  public static var defaults: Belonging { blank }

  /// The columns of its row.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("id", &key)
    try visitor.column("household_id", &household)
    try content.visitColumns(&visitor)
    try visitor.column("created_by", &creator)
    try visitor.column("created_at", &created)
    try visitor.column("updated_at", &updated)
  }
}
