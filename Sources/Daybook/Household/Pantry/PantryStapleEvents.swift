public import Values
public import Kitchen
public import Avro

/// A food that a household keeps at home, as a member writes it (MC-9).
public struct PantryStapleContent: AvroRecord, Columns, Hashable {
  /// The name of the food; never empty.
  public var name: String = ""
  /// The amount at home; nothing when nobody counts it.
  public var amount: Rational?
  /// The unit of the amount; nothing for whole things.
  public var unit: String?
  /// The category in which a shop has it.
  public var category: GroceryCategory = .pantry

  public init(
    name: String, amount: Rational? = nil, unit: String? = nil, category: GroceryCategory = .pantry
  ) {
    self.name = name
    self.amount = amount
    self.unit = unit
    self.category = category
  }

  /// The amount at home, in its shown form.
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

/// A pantry staple was added to a household (MC-9).
public struct PantryStapleAdded: EventRecord {
  /// The client's name for it.
  public var key: Key = Key(high: 0, low: 0)
  /// The household.
  public var household: Household.ID = .placeholder
  /// The account that added it.
  public var owner: Account.ID = .placeholder
  /// The content of the staple.
  public var content: PantryStapleContent = .placeholder
  /// When it began by the clock of its app; nothing when it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "StapleAdded" }
  var verb: String { "kept at home" }
  /// The household of the staple.
  public var home: Household.ID? { household }
  static let ownerDoc = "who wrote it down"
}

/// A pantry staple's name, category or amount changed; the event holds all of it as it is now.
public struct PantryStapleDescribed: EventRecord {
  /// The staple.
  public var pantryStaple: PantryStaple.ID = .placeholder
  /// The content as it is now.
  public var content: PantryStapleContent = .placeholder

  public static var recordName: String { "StapleDescribed" }
}

/// A pantry staple was removed.
public struct PantryStapleRemoved: EventRecord {
  /// The staple.
  public var pantryStaple: PantryStaple.ID = .placeholder

  public static var recordName: String { "StapleRemoved" }
  var verb: String { "no longer kept" }
}

/// A removed pantry staple was restored.
public struct PantryStapleRestored: EventRecord {
  /// The staple.
  public var pantryStaple: PantryStaple.ID = .placeholder

  public static var recordName: String { "StapleRestored" }
  var verb: String { "kept again" }
}
