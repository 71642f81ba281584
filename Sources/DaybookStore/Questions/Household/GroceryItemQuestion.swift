package import Avro
package import Daybook
package import Values

/// `grocery_item`: a line of a grocery list, and why it is there (MC-7).
package struct GroceryItemQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "grocery_item",
    "Why a line is on a grocery list: its meals and recipes, what each takes, and the entries that made it so.",
    answer: "item, list, sources, entries", asker: .account, .past, isByMembers: true)
  package static let defaults = GroceryItemQuestion(Key(high: 0, low: 0))

  /// The key of the line.
  package var item: Key
  /// Its household; nil for any of the asker's.
  package var household: Household.ID?

  package init(_ item: Key, of household: Household.ID? = nil) {
    self.item = item
    self.household = household
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("item", &item, [.needed, .doc("a line of a grocery list")])
    try visitor.column("household", &household, [.doc("its household; may be left out")])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/groceryItemNotFound`` for another household's, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let member = try needed(asker)
    let state = view.state
    let homes = household.map { [$0] } ?? state.households(of: member)
    for home in homes where state.household(home, for: member) != nil {
      for (number, list) in state.householdEntities(.list, in: state.lists, of: home)
      where state.groceryItem(GroceryItemID(number, item)) != nil {
        guard let line = list.ordered.first(where: { $0.item.key == item }) else { continue }
        return Answer(
          list: list, place: line.place, item: line.item, aisles: state.aisles(of: home),
          entries: try view.reasons(for: line.item, on: number, of: home), state: state)
      }
    }
    throw Rejection.groceryItemNotFound
  }

  /// A line of a grocery list with its reasons.
  package struct Answer: QuestionAnswer {
    /// The list that has the line.
    package let list: GroceryList
    /// The place of the line in its category.
    let place: Int
    /// The line.
    package let item: GroceryItem
    let aisles: Aisles
    /// The entries that made the line what it is, oldest first.
    package let entries: [Entry]
    let state: BookState

    /// Writes the answer.
    package func write(to json: inout JSONWriter) {
      json.object { json in
        json.name("item")
        let row = state.groceryItemRow(item, place: place, of: list).members ?? []
        let sources = row.first { $0.name == "sources" }?.value.elements ?? []
        json.value(
          .object(
            row.filter { $0.name != "sources" } + [
              .init("aisle", .string(aisles.aisle(of: item).rawValue))
            ]))
        json.name("list")
        json.value(state.groceryListRow(list))
        json.member("sources", zip(item.sources, sources)) { json, pair in
          let (source, row) = pair
          let title = state.recipes[source.recipe]?.displayName
          let type = state.meals[source.meal]?.content.mealType
          let words: [JSON.Member] = [
            .init("name", title.map { .string($0) } ?? .null),
            .init("meal_type", type.map { .string($0) } ?? .null),
          ]
          json.value(.object((row.members ?? []) + words))
        }
        json.member("entries", entries) { json, entry in
          json.object { row in
            row.member("position", entry.head.position)
            row.member("at", entry.head.at)
            let actor = entry.head.actor
            row.member("actor", actor.flatMap { state.accounts[$0]?.key })
            row.member("actor_name", actor.flatMap { state.viewer($0)?.displayName })
            row.member("event", entry.event.name)
            let subject = state.subject(of: entry.event)
            row.member("id", subject?.key)
            row.member(
              "name", (subject as? Meal).map { state.title(of: $0) } ?? subject?.displayName)
          }
        }
      }
    }
  }
}

extension BookView {
  /// The entries that made a line of a grocery list what it is, oldest first: when a member wrote, changed or marked it; when
  /// the list was made so that the line became another; and what its meals and recipes were until then.
  ///
  /// - Throws: ``JournalError``.
  fileprivate func reasons(
    for item: GroceryItem, on list: GroceryList.ID, of home: Household.ID
  ) throws -> [Entry] {
    let own = state.aggregates(of: home).filter { $0.kind == .list && $0.number == list.number }
    let others = Set(
      item.sources.flatMap { [Aggregate.meal($0.meal), .recipe($0.recipe)] })
    let found = try AggregateEntries(of: own + others, through: state.position, in: reader)
    var planned: PlannedItem?
    var last: Int64 = 0
    let ofLine = found.merged(own).filter { entry in
      switch entry.event {
      case .groceryItemAdded(let event): return event.key == item.key
      case .groceryItemDescribed(let event): return event.item == item.key
      case .groceryItemMarked(let event): return event.item == item.key
      case .groceryListGenerated(let event):
        let line = event.items.first { $0.key == item.key }
        defer { planned = line }
        if line != nil { last = entry.head.position }
        return line != nil
          && (line?.planned != planned?.planned || line?.sources != planned?.sources)
      // No other event is about a line.
      default: return false
      }
    }
    let before = found.merged(others).filter { $0.head.position < last }
    return (before + ofLine).sorted { $0.head.position < $1.head.position }
  }
}
