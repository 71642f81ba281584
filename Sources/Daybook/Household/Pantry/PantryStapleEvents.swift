public import Values
public import Kitchen
public import Avro

/// A food that a household keeps at home: all that a member writes of it (MC-9).
public struct PantryStapleContent: AvroRecord, Columns, Hashable {
  /// Which food; never empty.
  public var name: String = ""
  /// How much there is; nothing when nobody counts it.
  public var amount: Rational?
  /// Of what measure; nothing for whole things.
  public var unit: String?
  /// Where in a shop it is found.
  public var category: GroceryCategory = .pantry

  public init(
    name: String, amount: Rational? = nil, unit: String? = nil, category: GroceryCategory = .pantry
  ) {
    self.name = name
    self.amount = amount
    self.unit = unit
    self.category = category
  }

  /// How much there is, as it is shown.
  public var quantity: Quantity? { amount.map { Quantity($0, unit) } }

  public static var recordName: String { "StapleContent" }
  public static var placeholder: PantryStapleContent { PantryStapleContent(name: "") }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("name", &name, [.personal, .needed])
    try visitor.visit("amount", &amount, [.column("quantity")])
    try visitor.visit("unit", &unit, [.personal])
    try visitor.visit("category", &category)
  }
}

/// A household keeps something at home from now on (MC-9).
public struct PantryStapleAdded: EventRecord {
  /// The client's name for it.
  public var key: Key = Key(high: 0, low: 0)
  /// The household.
  public var household: Household.ID = .placeholder
  /// Who wrote it down.
  public var owner: Account.ID = .placeholder
  /// What is kept.
  public var content: PantryStapleContent = .placeholder
  /// When it began by the clock of its app; nothing where it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "StapleAdded" }
  /// Where it is kept.
  public var home: Household.ID? { household }
  static let ownerDoc = "who wrote it down"
}

/// What is kept changed: its name, its category, or how much there is; all of it as it is now.
public struct PantryStapleDescribed: EventRecord {
  /// What is kept.
  public var pantryStaple: PantryStaple.ID = .placeholder
  /// What it is now.
  public var content: PantryStapleContent = .placeholder

  public static var recordName: String { "StapleDescribed" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("staple", &pantryStaple)
    try visitor.visit("content", &content)
  }
}

/// It is kept no more.
public struct PantryStapleRemoved: EventRecord {
  /// What was kept.
  public var pantryStaple: PantryStaple.ID = .placeholder

  public static var recordName: String { "StapleRemoved" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("staple", &pantryStaple)
  }
}

/// A household keeps again what it kept no more.
public struct PantryStapleRestored: EventRecord {
  /// The staple.
  public var pantryStaple: PantryStaple.ID = .placeholder

  public static var recordName: String { "StapleRestored" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("staple", &pantryStaple)
  }
}
