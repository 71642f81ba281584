import Daybook

extension BookState {
  /// Why nobody could have recorded this of a household's grocery lists, if nobody could.
  func contradiction(of event: Event.Groceries) -> String? {
    switch event {
    case .groceryListCreated(let event):
      return event.weekStart.weekday == 0 ? nil : "\(event.weekStart) is no Monday"
    case .groceryListGenerated(let event): return contradiction(of: event)
    case .groceryListDeleted: return nil
    case .groceryListRestored(let event):
      return lists[event.list]?.isDeleted == true ? nil : "the list was not deleted"
    case .groceryItemAdded(let event):
      return hasGroceryLine(event.key, on: event.list)
        ? "the list has a line \(event.key) already" : isWrong(event.content)
    case .groceryItemDescribed(let event):
      return groceryItem(.init(event.list, event.item)) == nil
        ? Self.noLine : isWrong(event.content)
    case .groceryItemMarked(let event):
      // One that was removed is there again when that is taken back.
      guard let status = groceryStatus(of: event.item, on: event.list) else { return Self.noLine }
      return status == event.status ? "the line is \(event.status.rawValue) already" : nil
    }
  }

  /// Why nobody could have recorded this of what a household keeps at home, if nobody could.
  func contradiction(of event: Event.Pantry) -> String? {
    switch event {
    case .pantryStapleAdded(let event):
      return Self.isWrong(event.content.amount, event.content.unit)
    case .pantryStapleDescribed(let event):
      return Self.isWrong(event.content.amount, event.content.unit)
    case .pantryStapleRemoved, .pantryStapleRestored: return nil
    }
  }

  private func contradiction(of event: GroceryListGenerated) -> String? {
    guard let list = lists[event.list] else { return nil }
    var keys = Set(list.written.map(\.key))
    for item in event.items {
      guard keys.insert(item.key).inserted else { return "the list has two lines \(item.key)" }
      for source in item.sources {
        guard meals[source.meal]?.home == list.household,
          recipes[source.recipe]?.home == list.household
        else { return "a meal or a recipe is another household's" }
      }
      if let reason = isWrong(item.content) ?? isWrong(item.planned) { return reason }
    }
    return nil
  }

  private func isWrong(_ content: GroceryItemContent) -> String? {
    Self.isWrong(content.amount, content.unit)
      ?? content.others.lazy.compactMap { Self.isWrong($0.amount, $0.unit) }.first
  }

  private static func isWrong(_ amount: Rational?, _ unit: String?) -> String? {
    if let amount, amount < .zero { return "a quantity is below 0" }
    return amount == nil && unit != nil ? "a unit without a quantity measures nothing" : nil
  }

  private static let noLine = "the list has no such line"
}
