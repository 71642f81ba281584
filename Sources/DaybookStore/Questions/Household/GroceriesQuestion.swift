package import Avro
package import Daybook

/// `groceries`: a household's grocery list of a week, or the last one made (MC-8).
package struct GroceriesQuestion: HouseholdWeekQuestion, Hashable {
  package static let form = QuestionForm(
    "groceries", "A household's grocery list of a week, or the one that was made last.",
    answer: "list, items; null if there is none", asker: .account, .past, isByMembers: true,
    isOfPerson: true)
  package static let defaults = GroceriesQuestion(of: .first)
  static let usualWeek = "the list that was made last"

  package var household: Household.ID
  /// A day of the week; nil for the last list made.
  package var week: Day?

  package init(of household: Household.ID, week: Day? = nil) {
    self.household = household
    self.week = week
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/householdNotFound`` for another's.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let member = try needed(asker)
    return Answer(
      household: try view.household(household, for: member),
      list: view.state.groceryList(of: household, week: week, for: member)?.list,
      aisles: view.state.aisles(of: household), state: view.state)
  }

  /// A household's grocery list.
  package struct Answer: QuestionAnswer {
    /// The household that has the list.
    package let household: Household
    /// The list; nil when none was made for the week.
    package let list: GroceryList?
    /// The aisles in which the lines are found.
    package let aisles: Aisles
    let state: BookState

    /// Whether meals, recipes or pantry changed after the list was made.
    package var isStale: Bool { list.map { state.isStale($0) } ?? false }

    /// The title of the recipe that a source belongs to.
    package func title(of source: GrocerySource) -> String {
      state.recipes[source.recipe]?.displayName ?? ""
    }

    /// Writes the answer.
    package func write(to json: inout JSONWriter) {
      guard let list else { return json.null() }
      json.object { json in
        json.name("list")
        json.value(state.groceryListRow(list))
        json.member("items", list.ordered) { json, line in
          let row = state.groceryItemRow(line.item, place: line.place, of: list)
          let aisle = JSON.Member("aisle", .string(aisles.aisle(of: line.item).rawValue))
          json.value(.object((row.members ?? []) + [aisle]))
        }
      }
    }
  }
}
