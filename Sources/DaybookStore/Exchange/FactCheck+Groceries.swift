import Daybook

extension BookState {
  /// Why nobody could have recorded this event of a household's grocery lists; nil when somebody
  /// could.
  func contradiction(of event: Event.Groceries) -> String? {
    switch event {
    case .groceryListCreated(let event):
      guard event.weekStart.weekday == 0 else { return "\(event.weekStart) is not a Monday" }
      guard let first = event.firstDay, first != event.weekStart else { return nil }
      return MealWeek.monday(of: first.advanced(by: 3)) == event.weekStart
        ? nil : "the week of \(event.weekStart) does not begin on \(first)"
    case .groceryListGenerated(let event): return contradiction(of: event)
    case .groceryListDeleted, .groceryListRestored: return nil
    case .groceryListSetAside(let event):
      return lists[event.list]?.isSetAside == event.isSetAside
        ? "the list is \(event.isSetAside ? "" : "not ")set aside already" : nil
    case .groceryItemAdded(let event):
      return hasGroceryLine(event.key, on: event.list)
        ? "the list has a line \(event.key) already" : fault(of: event.content)
    case .groceryItemDescribed(let event):
      return groceryItem(.init(event.list, event.item)) == nil
        ? Self.noLine : fault(of: event.content)
    case .groceryItemMarked(let event):
      // Undoing the removal of a line brings it back.
      guard let status = groceryStatus(of: event.item, on: event.list) else { return Self.noLine }
      return status == event.status ? "the line is \(event.status.rawValue) already" : nil
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
      if let reason = fault(of: item.content) ?? fault(of: item.planned) { return reason }
    }
    return nil
  }

  private func fault(of content: GroceryItemContent) -> String? {
    Self.fault(of: content.amount)
      ?? content.others.lazy.compactMap { Self.fault(of: $0.amount) }.first
  }

  private static func fault(of amount: Rational?) -> String? {
    amount.flatMap { $0 < .zero ? "a quantity is below 0" : nil }
  }

  private static let noLine = "the list has no such line"
}
