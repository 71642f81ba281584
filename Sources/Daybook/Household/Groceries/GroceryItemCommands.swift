package import Values
package import Calendar
public import Avro

/// The id of a line of a grocery list: the list, and the line's key in it.
public struct GroceryItemID: Hashable, Sendable {
  /// The defaults; no list is named yet.
  static let placeholder = GroceryItemID(.placeholder, Key(high: 0, low: 0))

  package var list: GroceryList.ID
  /// The line.
  package var key: Key

  /// A line of a list.
  package init(_ list: GroceryList.ID, _ key: Key) {
    self.list = list
    self.key = key
  }
}

/// Adds a line to a grocery list (MC-8). It is always a line of its own: things that are in the basket already are not
/// asked for again, and wishes are not merged with planned lines. Repeated with the same key and content it changes
/// nothing.
public struct AddGroceryItem: ColumnCommand {
  package var household: Household.ID
  /// A day of the list's week; the household's current list if not given.
  package var week: Day?
  /// The list, if it is given itself, whatever its week.
  package var list: GroceryList.ID?
  /// The client's name for the line; a fresh one unless given.
  package var key: Key?
  package var content: GroceryItemContent
  /// When it began by the clock of its app; now if that is not given, or lies in the future.
  package var begun: Instant?

  public init(
    in household: Household.ID, week: Day? = nil, list: GroceryList.ID? = nil, key: Key? = nil,
    _ content: GroceryItemContent
  ) {
    self.household = household
    self.week = week
    self.list = list
    self.key = key
    self.content = content
  }

  package static let form = CommandForm(
    "add_grocery_item", "Adds a line to a grocery list.", answer: "grocery_item")
  /// A line without a name.
  public static var defaults: AddGroceryItem { AddGroceryItem(in: .placeholder, .placeholder) }

  /// `household`, `week_start`, `list`, `key`, the columns of the content, and `created_at`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column(
      "week_start", &week, [.doc("any day of the list's week; unless given, the list to shop by")])
    try visitor.column("list", &list, [.doc("the list itself, instead of its week")])
    try visitor.column("key", &key)
    try content.visitColumns(&visitor)
    try visitor.column("created_at", &begun, [.created])
  }

  /// Decides the command; the answer is the line.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<GroceryItemID> {
    _ = try state.ownHousehold(household, context)
    let content = try content.checked()
    if let key, let known = try state.groceryItem(key, of: household) {
      guard state.groceryItem(known)?.content == content else { throw .keyTaken(key) }
      return Decision([], known)
    }
    if let key, state.isGroceryLine(key) { throw .keyTaken(key) }
    let (begun, number, listKey) = try meantList(state, context)
    // The key of a line that begins its list is derived from the list, so that the first entry alone identifies the
    // command.
    let key =
      key
      ?? (begun.isEmpty
        ? context.freshKey : Key(derivedFrom: ["first", listKey.description]))
    let added = GroceryItemAdded(
      list: number, key: key, content: content, begun: context.begun(self.begun))
    // A new line must be visible: if the household has no current list, this one becomes it again.
    let isTakenUp = week == nil && list == nil && state.lists[number]?.isSetAside == true
    let takingUp: [Event] =
      isTakenUp
      ? [.groceryListSetAside(GroceryListSetAside(list: number, isSetAside: false))] : []
    return Decision(begun + [.groceryItemAdded(added)] + takingUp, GroceryItemID(number, key))
  }

  /// The target list with its key, and the event that creates it when it does not exist yet.
  private func meantList(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> (begun: [Event], number: GroceryList.ID, key: Key) {
    guard let list else {
      if week == nil, let (number, current) = state.currentList(of: household) {
        return ([], number, current.key)
      }
      return try state.list(of: household, week: state.week(week, context), context)
    }
    let found = try state.own(list, context)
    guard found.household == household else { throw .groceryListNotFound }
    return ([], list, found.key)
  }
}

/// Changes the content of a line of a grocery list (MC-8).
public struct UpdateGroceryItem: ColumnCommand, ChangingCommand {
  /// The line.
  package var item: GroceryItemID
  /// The changes. Clearing the amount clears the unit; a line to look for at home is bought when it is moved to another
  /// category.
  package var patch: Patch<GroceryItemContent>
  /// Whether the command changes nothing.
  package var isEmpty: Bool { patch.isEmpty }

  public init(_ item: GroceryItemID, _ set: (inout GroceryItemContent) -> Void = { _ in }) {
    self.item = item
    patch = Patch(set)
  }

  package static let form = CommandForm(
    "update_grocery_item", "Changes a line of a grocery list.", answer: "grocery_item")
  /// Nothing changes.
  public static var defaults: UpdateGroceryItem { UpdateGroceryItem(.placeholder) }

  /// `item`, and the columns that change.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(GroceryItemCodec(), &item)
    try visitor.columns(&patch)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<GroceryItemID> {
    let old = try state.ownItem(item, context).content
    var content = patch.applied(to: old)
    if patch.has("quantity"), content.amount == nil, !patch.has("unit") { content.unit = nil }
    // Setting the quantity replaces all amounts, unless others are given, too.
    if patch.has("quantity"), !patch.has("others") { content.others = [] }
    content = try content.checked()
    guard content != old else { return Decision([], item) }
    let described = GroceryItemDescribed(list: item.list, item: item.key, content: content)
    return Decision([.groceryItemDescribed(described)], item)
  }
}

/// Checks a line of a grocery list: it is in the basket (MC-8). Repeated it changes nothing.
public struct CheckGroceryItem: GroceryItemMarkCommand {
  /// The line.
  package var item: GroceryItemID

  public init(_ item: GroceryItemID) { self.item = item }

  package static let form = CommandForm(
    "check_grocery_item", "Checks a line of a grocery list off.", answer: "grocery_item"
  )
  static let status = GroceryItemStatus.checked
}

/// Unchecks a line of a grocery list: it is no longer in the basket (MC-8). Repeated it changes nothing.
public struct UncheckGroceryItem: GroceryItemMarkCommand {
  /// The line.
  package var item: GroceryItemID

  public init(_ item: GroceryItemID) { self.item = item }

  package static let form = CommandForm(
    "uncheck_grocery_item", "Unchecks a line of a grocery list.",
    answer: "grocery_item")
  static let status = GroceryItemStatus.open
}

/// Removes a line from a grocery list. A planned line stays removed until more of it is needed.
public struct RemoveGroceryItem: GroceryItemMarkCommand {
  /// The line.
  package var item: GroceryItemID

  public init(_ item: GroceryItemID) { self.item = item }

  package static let form = CommandForm(
    "remove_grocery_item", "Removes a line from a grocery list.", answer: "id, deleted")
  static let status = GroceryItemStatus.removed

  /// The key of the removed line.
  package func row(of answer: GroceryItemID, in state: BookState) -> JSON {
    ["id": answer.key.json(state), "deleted": true]
  }
}

/// A command that only sets the status of a line of a grocery list.
protocol GroceryItemMarkCommand: ColumnCommand where Answer == GroceryItemID {
  /// The status after the command.
  static var status: GroceryItemStatus { get }
  /// The line.
  var item: GroceryItemID { get set }
  init(_ item: GroceryItemID)
}

extension GroceryItemMarkCommand {
  /// The defaults; no line is named yet.
  public static var defaults: Self { Self(.placeholder) }

  /// `item`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(GroceryItemCodec(), &item)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<GroceryItemID> {
    guard try state.ownItem(item, context).status != Self.status else { return Decision([], item) }
    let marked = GroceryItemMarked(list: item.list, item: item.key, status: Self.status)
    return Decision([.groceryItemMarked(marked)], item)
  }
}

extension BookState {
  fileprivate func ownItem(
    _ item: GroceryItemID, _ context: Context
  ) throws(Rejection) -> GroceryItem {
    _ = try ownEntity(item.list, context, missing: .groceryItemNotFound)
    guard let found = groceryItem(item) else { throw .groceryItemNotFound }
    return found
  }
}

extension GroceryItemContent {
  fileprivate func checked() throws(Rejection) -> GroceryItemContent {
    var checked = self
    checked.name = try checkedLine(name, "name")
    checked.unit = try checkedUnit(unit, of: amount)
    try Limit.ingredients.check(others.count, "others")
    for (index, other) in others.enumerated() {
      checked.others[index].unit = try checkedUnit(other.unit, of: other.amount)
    }
    try Limit.text.check(note, "note")
    return checked
  }
}

extension BookState {
  /// Whether a key names a line of any household: a client's key names one line only.
  fileprivate func isGroceryLine(_ key: Key) -> Bool {
    !indexes.households.groceries.lines(of: key).isEmpty
  }

  /// The household's line that a key names, if there is one.
  ///
  /// - Throws: ``Rejection/keyTaken(_:)`` when the line was removed, or deleted with its list.
  fileprivate func groceryItem(
    _ key: Key, of household: Household.ID
  ) throws(Rejection) -> GroceryItemID? {
    guard let (number, _) = indexes.households.groceries.line(of: key, in: household) else {
      return nil
    }
    let item = GroceryItemID(number, key)
    guard groceryItem(item) != nil else { throw .keyTaken(key) }
    return item
  }
}
