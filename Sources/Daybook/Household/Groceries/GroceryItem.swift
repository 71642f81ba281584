public import Values
public import Calendar
public import Kitchen
public import Avro

/// One line of a household's grocery list as it stands there: planned from its meals, or written by a member (MC-8).
public struct GroceryItem: Hashable, Sendable {
  /// Its name: the client's, or, of a planned line, one that follows from its list and what makes it a line.
  public internal(set) var key: Key
  /// What it says.
  public internal(set) var content: GroceryItemContent
  /// Whether it is to be bought still.
  public internal(set) var status: GroceryItemStatus = .open
  /// What it would say by the plan, had no member changed it; nothing when a member wrote it.
  public internal(set) var planned: GroceryItemContent?
  /// Which meal takes how much.
  public internal(set) var sources: [GrocerySource] = []
  /// When it came onto the list.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant

  /// Whether a member wrote it.
  public var isManual: Bool { planned == nil }
  /// Whether it is in the basket.
  public var isChecked: Bool { status == .checked }
}

/// What a line of a grocery list says.
public struct GroceryItemContent: AvroRecord, Columns, Hashable {
  /// What to buy; never empty.
  public var name: String = ""
  /// How much, exactly; nothing when nobody says.
  public var amount: Rational?
  /// Of what measure; nothing for whole things.
  public var unit: String?
  /// Where it is found.
  public var category: GroceryCategory = .other
  /// Anything else to keep in mind.
  public var note: String?
  /// What else of it, in measures that cannot be added to the first.
  public var others: [GroceryAmount] = []
  /// Where a client wants it to stand among the lines of its category: the lower before the higher, those that say
  /// nothing last.
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

  /// How much in its first measure, as it is shown.
  public var quantity: Quantity? { amount.map { Quantity($0, unit) } }

  /// How much in all its measures; one that says nothing when nobody says how much.
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

/// So much of something; or some of it, when nobody says how much.
public struct GroceryAmount: AvroRecord, Hashable {
  /// How much, exactly; nothing for some.
  public var amount: Rational?
  /// Of what measure; nothing for whole things.
  public var unit: String?

  /// So much.
  public init(_ amount: Rational? = nil, _ unit: String? = nil) {
    self.amount = amount
    self.unit = unit
  }

  public static var recordName: String { "GroceryAmount" }
  public static var placeholder: GroceryAmount { GroceryAmount() }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("amount", &amount, [.column("quantity"), .doc("nothing for some")])
    try visitor.visit("unit", &unit, [.personal])
  }

  /// As it is shown: "2 g", "some".
  var shown: String { amount.map { Quantity($0, unit).shown } ?? "some" }
}

/// Whether a line of a grocery list is to be bought still.
public enum GroceryItemStatus: String, AvroEnumeration {
  /// It is to be bought.
  case open
  /// It is in the basket.
  case checked
  /// A member took it off the list.
  case removed

  public static var enumerationName: String { "GroceryItemStatus" }
}

/// A planned line of a list that was made: all of it stands in the event, so that replay plans nothing.
public struct PlannedItem: AvroRecord, Hashable {
  /// Its name, which follows from its list and what makes it a line.
  public var key = Key(high: 0, low: 0)
  /// What it says by the plan.
  public var planned: GroceryItemContent = .placeholder
  /// What it says with what members changed of it before.
  public var content: GroceryItemContent = .placeholder
  /// Whether it is to be bought still.
  public var status: GroceryItemStatus = .open
  /// Which meal takes how much.
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

/// What one meal takes of a line.
public struct GrocerySource: AvroRecord, Hashable {
  /// The meal.
  public var meal: Meal.ID = .placeholder
  /// What is cooked.
  public var recipe: Recipe.ID = .placeholder
  /// When.
  public var date: Day = .placeholder
  /// For how many; nothing when neither plan nor recipe says so.
  public var servings: Rational?
  /// How much, exactly; nothing when the recipe does not say.
  public var amount: Rational?
  /// Of what measure, as the recipe writes it.
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
