public import Values
public import Calendar
public import Avro

/// A household has a grocery list for a week (MC-7).
public struct GroceryListCreated: EventRecord {
  /// The client's name for the list; if it gave none, a key derived from household and week.
  public var key: Key = Key(high: 0, low: 0)
  /// The household.
  public var household: Household.ID = .placeholder
  /// The account that created it.
  public var owner: Account.ID = .placeholder
  /// The Monday of its week.
  public var weekStart: Day = .placeholder
  /// The first day of its week, where an app counts weeks from another day: at most three days before or after that
  /// Monday.
  public var firstDay: Day?

  public static var recordName: String { "GroceryListCreated" }
  /// The household of the list.
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

/// A list was generated from the week's meals; the event holds all planned lines as they are now. Lines that members
/// wrote stay (MC-7).
public struct GroceryListGenerated: EventRecord {
  /// The list.
  public var list: GroceryList.ID = .placeholder
  /// The digest of the meals, recipes and pantry that it was generated from, or the own digest of an app that made it.
  public var mealPlanHash: String = ""
  /// The planned lines, in their order, with the checks and changes of members that were kept.
  public var items: [PlannedItem] = []
  /// When it was generated, if an undo or an app says so; else when this was recorded. A list without a hash counts as
  /// never generated unless one of them says so.
  public var generated: Instant?

  public static var recordName: String { "GroceryListGenerated" }
  var verb: String { "made from the meal plan" }
  /// The plan may leave a line without a name, and a member may give it one.
  var emptyField: EmptyField? { items.contains { $0.content.name.isBlank } ? .name : nil }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("list", &list)
    try visitor.visit("meal_plan_hash", &mealPlanHash)
    try visitor.visit("items", &items)
    try visitor.visit(
      "generated", &generated, [.doc("when it was made, if not when this was recorded")])
  }
}

/// A member added a line to a list (MC-8).
public struct GroceryItemAdded: EventRecord, BackdatableEvent {
  /// The list.
  public var list: GroceryList.ID = .placeholder
  /// The client's name for the line.
  public var key = Key(high: 0, low: 0)
  /// The content of the line.
  public var content: GroceryItemContent = .placeholder
  /// When it began by the clock of its app; nothing when it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "GroceryItemAdded" }
  var verb: String { "\(content.name) added" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("list", &list)
    try visitor.visit("key", &key)
    try visitor.visit("content", &content)
    try visitor.visit("begun", &begun, [.begun])
  }
}

/// A member changed the content of a line; the event holds all of it as it is now.
public struct GroceryItemDescribed: EventRecord {
  /// The list.
  public var list: GroceryList.ID = .placeholder
  /// The line.
  public var item = Key(high: 0, low: 0)
  /// The content of the line.
  public var content: GroceryItemContent = .placeholder

  public static var recordName: String { "GroceryItemDescribed" }
  var verb: String { "\(content.name) edited" }
  /// The subject of the event.
  package var subject: Subject { .aggregate(Aggregate(list)) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("list", &list)
    try visitor.visit("item", &item)
    try visitor.visit("content", &content)
  }
}

/// A line was checked, unchecked or removed (MC-8).
public struct GroceryItemMarked: EventRecord {
  /// The list.
  public var list: GroceryList.ID = .placeholder
  /// The line.
  public var item = Key(high: 0, low: 0)
  /// The status of the line from now on.
  public var status: GroceryItemStatus = .open

  public static var recordName: String { "GroceryItemMarked" }
  var verb: String {
    status == .open ? "to buy" : status == .checked ? "checked" : "removed"
  }
  /// The subject of the event.
  package var subject: Subject { .aggregate(Aggregate(list)) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("list", &list)
    try visitor.visit("item", &item)
    try visitor.visit("status", &status)
  }
}

/// A household set a list aside, or chose it again, whatever the age of the list (MC-7).
public struct GroceryListSetAside: EventRecord {
  /// The list.
  public var list: GroceryList.ID = .placeholder
  /// Whether it is set aside.
  public var isSetAside = false

  public static var recordName: String { "GroceryListSetAside" }
  var verb: String { isSetAside ? "set aside" : "chosen again" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("list", &list)
    try visitor.visit("is_set_aside", &isSetAside)
  }
}

/// A household deleted a list with all its lines.
public struct GroceryListDeleted: EventRecord {
  /// The list.
  public var list: GroceryList.ID = .placeholder

  public static var recordName: String { "GroceryListDeleted" }
}

/// A deleted list was restored with its lines.
public struct GroceryListRestored: EventRecord {
  /// The list.
  public var list: GroceryList.ID = .placeholder

  public static var recordName: String { "GroceryListRestored" }
}
