import Values
public import Avro

extension GroceryList: AvroRecord {
  public static var recordName: String { "GroceryList" }
  public static var placeholder: GroceryList {
    GroceryList(
      key: Key(high: 0, low: 0), household: .placeholder, creator: .placeholder,
      weekStart: .placeholder, created: .placeholder, updated: .placeholder)
  }

  /// The fields of the list.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("household", &household)
    try visitor.visit("creator", &creator)
    try visitor.visit("week_start", &weekStart)
    try visitor.visit("first_day", &firstDay)
    try visitor.visit("meal_plan_hash", &mealPlanHash)
    try visitor.visit("generated", &generated)
    try visitor.visit("is_set_aside", &isSetAside)
    var items = items
    try visitor.visit("items", &items)
    planned = PersistentArray(items.lazy.filter { !$0.isManual })
    written = PersistentArray(items.lazy.filter(\.isManual))
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
    try visitor.visit("is_deleted", &isDeleted)
  }
}

extension GroceryItem: AvroRecord {
  public static var recordName: String { "GroceryItem" }
  public static var placeholder: GroceryItem {
    GroceryItem(
      key: Key(high: 0, low: 0), content: .placeholder, created: .placeholder, updated: .placeholder
    )
  }

  /// The fields of the line.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("content", &content)
    try visitor.visit("status", &status)
    try visitor.visit("planned", &planned)
    try visitor.visit("sources", &sources)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
  }
}
