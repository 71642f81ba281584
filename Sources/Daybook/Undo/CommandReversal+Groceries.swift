import Values

// How an undo reverts a grocery list.

extension GroceryList: RevertibleEntity {
  static var deletionEvents: DeletionEvents<GroceryList>? {
    DeletionEvents(Event.groceryListDeleted, Event.groceryListRestored)
  }

  static func facets(of events: [Event]?) -> [ReversalFacet<GroceryList>] {
    guard let events else { return [isThere, plan, written, choice] }
    var items: Set<Key> = []
    var whole: [ReversalFacet<GroceryList>] = []
    for event in events {
      guard case .groceries(let event) = event.byContext else { continue }
      switch event {
      case .groceryItemAdded(let event): items.insert(event.key)
      case .groceryItemDescribed(let event): items.insert(event.item)
      case .groceryItemMarked(let event): items.insert(event.item)
      // A list that was generated anew is compared as a whole.
      case .groceryListCreated, .groceryListGenerated: return [plan, written, choice]
      case .groceryListDeleted, .groceryListRestored: whole.append(isThere)
      case .groceryListSetAside: whole.append(choice)
      }
    }
    return whole + items.sorted().map { item($0) }
  }

  /// Whether the household set the list aside.
  private static var choice: ReversalFacet<GroceryList> { ReversalFacet(Event.groceryListSetAside) }

  /// The lines that follow from the week's meals, with their check marks.
  private static var plan: ReversalFacet<GroceryList> {
    ReversalFacet({ $0.mealPlanHash == $1.mealPlanHash && $0.plan == $1.plan }) {
      before, _, number, reversal throws(Rejection) in
      var items = before.plan
      for place in items.indices {
        // A meal or a recipe that is deleted is no longer a reason to buy something.
        items[place].sources.removeAll { source in
          !reversal.isThere(.meal(source.meal)) || !reversal.isThere(.recipe(source.recipe))
        }
      }
      return [
        .groceryListGenerated(
          GroceryListGenerated(
            list: number, mealPlanHash: before.mealPlanHash ?? "", items: items,
            generated: before.generated))
      ]
    }
  }

  private var plan: [PlannedItem] {
    planned.compactMap { item in
      item.planned.map { planned in
        PlannedItem(
          key: item.key, planned: planned, content: item.content, status: item.status,
          sources: item.sources)
      }
    }
  }

  /// The lines that members wrote.
  private static var written: ReversalFacet<GroceryList> {
    ReversalFacet({ $0.written.map(\.said) == $1.written.map(\.said) }) {
      _, _, _, reversal throws(Rejection) in
      throw .notUndoable(
        reversal.position, because: "the list was generated anew and has other written lines since")
    }
  }

  /// A line with a key.
  private static func item(_ key: Key) -> ReversalFacet<GroceryList> {
    ReversalFacet({ $0.item(key)?.said == $1.item(key)?.said }) {
      before, now, number, _ throws(Rejection) in
      guard let old = before.item(key) else {
        return [.groceryItemMarked(GroceryItemMarked(list: number, item: key, status: .removed))]
      }
      var events: [Event] = []
      let new = now.items.first { $0.key == key }
      if new?.status != old.status {
        events.append(
          .groceryItemMarked(GroceryItemMarked(list: number, item: key, status: old.status)))
      }
      if new?.content != old.content {
        events.append(
          .groceryItemDescribed(
            GroceryItemDescribed(list: number, item: key, content: old.content)))
      }
      return events
    }
  }
}

extension GroceryItem {
  /// The content of a line, without the time of writing.
  fileprivate struct ComparableLine: Equatable {
    let content: GroceryItemContent
    let status: GroceryItemStatus
  }

  fileprivate var said: ComparableLine { ComparableLine(content: content, status: status) }
}
