public import Values
public import Calendar
public import Avro

/// A household has a grocery list for a week from now on (MC-7).
public struct GroceryListCreated: EventRecord {
  /// The client's name for the list; one that follows from household and week where it gave none.
  public var key: Key = Key(high: 0, low: 0)
  /// The household.
  public var household: Household.ID = .placeholder
  /// Who asked for it.
  public var owner: Account.ID = .placeholder
  /// The Monday of its week.
  public var weekStart: Day = .placeholder
  /// The day with which its week begins, where an app counts weeks from another: at most three before that Monday or
  /// after it.
  public var firstDay: Day?

  public static var recordName: String { "GroceryListCreated" }
  /// Whose list it is.
  public var home: Household.ID? { household }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("household", &household)
    try visitor.visit("owner", &owner, [.doc("who asked for it")])
    try visitor.visit("week_start", &weekStart, [.doc("a Monday")])
    try visitor.visit(
      "first_day", &firstDay, [.doc("with which its week begins, where that is no Monday")])
  }
}

/// A list was made from the week's meals: all its planned lines as they are now. What members wrote stays (MC-7).
public struct GroceryListGenerated: EventRecord {
  /// The list.
  public var list: GroceryList.ID = .placeholder
  /// The digest of meals, recipes and pantry that it was made from, or that of an app that made it itself.
  public var mealPlanHash: String = ""
  /// The planned lines, in their order; checks and changes of members that outlast the plan are in them.
  public var items: [PlannedItem] = []
  /// When it was made, where an undo or an app says so; else when this was recorded. Of a list without a hash: never,
  /// where nothing is said.
  public var generated: Instant?

  public static var recordName: String { "GroceryListGenerated" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("list", &list)
    try visitor.visit("meal_plan_hash", &mealPlanHash)
    try visitor.visit("items", &items)
    try visitor.visit(
      "generated", &generated, [.doc("when it was made, if not when this was recorded")])
  }
}

/// A member wrote something onto a list (MC-8).
public struct GroceryItemAdded: EventRecord, BegunEvent {
  /// The list.
  public var list: GroceryList.ID = .placeholder
  /// The client's name for the line.
  public var key = Key(high: 0, low: 0)
  /// What it says.
  public var content: GroceryItemContent = .placeholder
  /// When it began by the clock of its app; nothing where it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "GroceryItemAdded" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("list", &list)
    try visitor.visit("key", &key)
    try visitor.visit("content", &content)
    try visitor.visit("begun", &begun, [.begun])
  }
}

/// A member changed what a line says; all of it as it is now.
public struct GroceryItemDescribed: EventRecord {
  /// The list.
  public var list: GroceryList.ID = .placeholder
  /// The line.
  public var item = Key(high: 0, low: 0)
  /// What it says.
  public var content: GroceryItemContent = .placeholder

  public static var recordName: String { "GroceryItemDescribed" }
  /// What it changes.
  package var subject: Subject { .aggregate(.list(list)) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("list", &list)
    try visitor.visit("item", &item)
    try visitor.visit("content", &content)
  }
}

/// A line went into the basket, or out of it, or off the list (MC-8).
public struct GroceryItemMarked: EventRecord {
  /// The list.
  public var list: GroceryList.ID = .placeholder
  /// The line.
  public var item = Key(high: 0, low: 0)
  /// Whether it is to be bought still.
  public var status: GroceryItemStatus = .open

  public static var recordName: String { "GroceryItemMarked" }
  /// What it changes.
  package var subject: Subject { .aggregate(.list(list)) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("list", &list)
    try visitor.visit("item", &item)
    try visitor.visit("status", &status)
  }
}

/// A household shops by a list no more, or by it again, whenever it was made (MC-7).
public struct GroceryListSetAside: EventRecord {
  /// The list.
  public var list: GroceryList.ID = .placeholder
  /// Whether it is set aside.
  public var isSetAside = false

  public static var recordName: String { "GroceryListSetAside" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("list", &list)
    try visitor.visit("is_set_aside", &isSetAside)
  }
}

/// A household threw a list away, with all its lines.
public struct GroceryListDeleted: EventRecord {
  /// The list.
  public var list: GroceryList.ID = .placeholder

  public static var recordName: String { "GroceryListDeleted" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("list", &list)
  }
}

/// A list that was thrown away is there again, with its lines.
public struct GroceryListRestored: EventRecord {
  /// The list.
  public var list: GroceryList.ID = .placeholder

  public static var recordName: String { "GroceryListRestored" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("list", &list)
  }
}
