import Daybook

/// What the lines of grocery lists said when something happened to them: an entry names a line by its key alone.
struct GroceryMemory {
  private var contents: [GroceryItemID: GroceryItemContent] = [:]
  /// What each entry about a line says, by its position.
  private(set) var lines: [Int64: String] = [:]

  /// Takes in a household's entries, in their order.
  init(_ entries: [Entry]) {
    for entry in entries { take(entry) }
  }

  private mutating func take(_ entry: Entry) {
    let position = entry.head.position
    guard case .groceries(let event) = entry.event.byContext else { return }
    switch event {
    case .groceryListCreated, .groceryListDeleted, .groceryListRestored, .groceryListSetAside:
      break
    case .groceryListGenerated(let event):
      for item in event.items { contents[GroceryItemID(event.list, item.key)] = item.content }
    case .groceryItemAdded(let event):
      contents[GroceryItemID(event.list, event.key)] = event.content
      lines[position] = event.content.called
    case .groceryItemDescribed(let event):
      contents[GroceryItemID(event.list, event.item)] = event.content
      lines[position] = event.content.called
    case .groceryItemMarked(let event):
      let line = contents[GroceryItemID(event.list, event.item)]?.called
      lines[position] = [line, "(\(event.status.rawValue))"].compactMap(\.self).joined(
        separator: " ")
    }
  }
}
