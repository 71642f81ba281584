public import Avro

/// Makes a list a household's current one, or sets it aside, whatever its age (MC-7). A list that was set aside becomes
/// current again by this command, or when it is generated anew. Repeated it changes nothing.
public struct ChooseGroceryList: EntityCommand {
  package var thing: GroceryList.ID
  /// Whether the list becomes current: then all lists that were made after it are set aside.
  package var isCurrent: Bool

  public init(_ list: GroceryList.ID, isCurrent: Bool = true) {
    thing = list
    self.isCurrent = isCurrent
  }

  package static let form = CommandForm(
    "choose_grocery_list",
    "Chooses the grocery list that a household shops by, or sets a list aside.",
    answer: "grocery_list")
  /// The defaults; no list is named yet.
  public static var defaults: ChooseGroceryList { ChooseGroceryList(.placeholder) }

  /// `list`, `is_current`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try GroceryList.visit(&thing, by: &visitor)
    try visitor.column(
      "is_current", &isCurrent, [.doc("false sets the list aside")])
  }

  func events(_ found: GroceryList, _ state: BookState, _ context: Context) -> [Event] {
    var events: [Event] = []
    if found.isSetAside == isCurrent { events.append(setAside(thing, !isCurrent)) }
    guard isCurrent else { return events }
    // In this order the events are recognised as one command (``CommandBounds``).
    let later = state.indexes.households.groceries.lists(before: thing, found).reversed()
    return events + later.filter { $0 != thing }.map { setAside($0, true) }
  }

  private func setAside(_ list: GroceryList.ID, _ isSetAside: Bool) -> Event {
    .groceryListSetAside(GroceryListSetAside(list: list, isSetAside: isSetAside))
  }
}
