public import Values
public import Calendar
public import Kitchen
public import Avro

/// One line of a household's grocery list: planned from its meals, or written by a member (MC-8).
public struct GroceryItem: Hashable, Sendable {
  /// Its name: the client's, or for a planned line a key derived from its list and what defines the line.
  public internal(set) var key: Key
  /// The content.
  public internal(set) var content: GroceryItemContent
  /// Whether it is open, checked or removed.
  public internal(set) var status: GroceryItemStatus = .open
  /// The content by the plan, before changes by members; nothing when a member wrote the line.
  public internal(set) var planned: GroceryItemContent?
  /// The meals that need it, with their amounts.
  public internal(set) var sources: [GrocerySource] = []
  /// When it was added to the list.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant

  /// Whether a member wrote it.
  public var isManual: Bool { planned == nil }
  /// Whether it is in the basket.
  public var isChecked: Bool { status == .checked }
}

/// The content of a line of a grocery list.
public struct GroceryItemContent: AvroRecord, Columns, Hashable {
  /// The thing to buy; never empty.
  public var name: String = ""
  /// The exact amount; nothing when it is not given.
  public var amount: Rational?
  /// The unit of the amount; nothing for whole things.
  public var unit: String?
  /// The category in which a shop has it.
  public var category: GroceryCategory = .other
  /// A note on the line.
  public var note: String?
  /// More amounts, in units that cannot be added to the first.
  public var others: [GroceryAmount] = []
  /// The place that a client gave it among the lines of its category: lower before higher, lines without one last.
  public var order: Int64?

  public init(
    name: String, amount: Rational? = nil, unit: String? = nil,
    category: GroceryCategory = .other, note: String? = nil, others: [GroceryAmount] = [],
    order: Int64? = nil
  ) {
    self.name = name
    self.amount = amount
    self.unit = unit
    self.category = category
    self.note = note
    self.others = others
    self.order = order
  }

  /// The amount in its first unit, in its shown form.
  public var quantity: Quantity? { amount.map { Quantity($0, unit) } }

  /// The amounts in all units; a single unspecified one when no amount is given.
  var amounts: [GroceryAmount] {
    amount == nil && !others.isEmpty ? others : [GroceryAmount(amount, unit)] + others
  }

  public static var recordName: String { "GroceryItemContent" }
  public static var placeholder: GroceryItemContent { GroceryItemContent(name: "") }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("name", &name, [.personal, .needed])
    try visitor.visit("amount", &amount, [.column("quantity")])
    try visitor.visit("unit", &unit, [.personal])
    try visitor.visit("category", &category)
    try visitor.visit("note", &note, [.personal])
    try visitor.visit(
      "others", &others, [.doc("what else of it, in measures that cannot be added to the first")])
    try visitor.visit(
      "order", &order,
      [.column("sort_order"), .doc("where it stands in its category; last where nothing is said")])
  }
}

/// An amount of something; unspecified when no number is given.
public struct GroceryAmount: AvroRecord, Hashable {
  /// The exact amount; nothing for "some".
  public var amount: Rational?
  /// The unit of the amount; nothing for whole things.
  public var unit: String?

  /// An amount of the unit; without a number, some of it.
  public init(_ amount: Rational? = nil, _ unit: String? = nil) {
    self.amount = amount
    self.unit = unit
  }

  public static var recordName: String { "GroceryAmount" }
  public static var placeholder: GroceryAmount { GroceryAmount() }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit(
      "amount", &amount, [.column("quantity"), .doc("nothing for some")])
    try visitor.visit("unit", &unit, [.personal])
  }

  /// The shown form: "2 g", "some".
  var shown: String { amount.map { Quantity($0, unit).shown } ?? "some" }
}

/// The status of a line of a grocery list.
public enum GroceryItemStatus: String, AvroEnumeration {
  /// It is to be bought.
  case open
  /// It is in the basket.
  case checked
  /// A member took it off the list.
  case removed

  public static var enumerationName: String { "GroceryItemStatus" }
}

/// A planned line of a generated list: the event holds all of it, so that replay plans nothing.
public struct PlannedItem: AvroRecord, Hashable {
  /// Its key, derived from its list and what defines the line.
  public var key = Key(high: 0, low: 0)
  /// The content by the plan.
  public var planned: GroceryItemContent = .placeholder
  /// The content with earlier changes by members.
  public var content: GroceryItemContent = .placeholder
  /// Whether it is open, checked or removed.
  public var status: GroceryItemStatus = .open
  /// The meals that need it, with their amounts.
  public var sources: [GrocerySource] = []

  public static var recordName: String { "PlannedItem" }
  public static var placeholder: PlannedItem { PlannedItem() }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("planned", &planned, [.doc("what it says by the plan")])
    try visitor.visit("content", &content, [.doc("with what members changed of it before")])
    try visitor.visit("status", &status)
    try visitor.visit("sources", &sources)
  }
}

/// The part of a line that one meal needs.
public struct GrocerySource: AvroRecord, Hashable {
  /// The meal.
  public var meal: Meal.ID = .placeholder
  /// The recipe that is cooked.
  public var recipe: Recipe.ID = .placeholder
  /// The day of the meal.
  public var date: Day = .placeholder
  /// The servings; nothing when neither plan nor recipe gives a number.
  public var servings: Rational?
  /// The exact amount; nothing when the recipe gives none.
  public var amount: Rational?
  /// The unit of the amount, as the recipe writes it.
  public var unit: String?

  public static var recordName: String { "GrocerySource" }
  public static var placeholder: GrocerySource { GrocerySource() }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("meal", &meal, [.column("meal_id")])
    try visitor.visit("recipe", &recipe, [.column("recipe_id")])
    try visitor.visit("date", &date)
    try visitor.visit("servings", &servings)
    try visitor.visit("amount", &amount, [.column("quantity")])
    try visitor.visit("unit", &unit, [.personal])
  }
}
