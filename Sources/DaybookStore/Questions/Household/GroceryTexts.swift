import Daybook

/// The texts of grocery lines at the time of each entry; an entry refers to a line only by key.
struct GroceryTexts {
  private var contents: [GroceryItemID: GroceryItemContent] = [:]
  /// The text of the line that each entry is about, by the entry's position.
  private(set) var lines: [Int64: String] = [:]

  /// Reads a household's entries in order.
  init(_ entries: [Entry]) {
    for entry in entries { apply(entry) }
  }

  private mutating func apply(_ entry: Entry) {
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
