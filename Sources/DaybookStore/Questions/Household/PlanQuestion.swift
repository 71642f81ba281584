package import Avro
package import Daybook

/// `plan`: a household's meals of a week, Monday first (MC-6).
package struct PlanQuestion: HouseholdWeekQuestion, Hashable {
  package static let form = QuestionForm(
    "plan", "A household's meals of a week, Monday first.",
    answer: "week_start, week_end, meals", asker: .account, .past, isByMembers: true,
    isOfPerson: true)
  package static let defaults = PlanQuestion(of: .first)
  static let usualWeek = "today"

  package var household: Household.ID
  /// A day of the week; nil for the asker's today.
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
    _ = try view.household(household, for: member)
    let day = try week ?? view.today(of: member)
    return Answer(
      week: view.state.mealWeek(with: day, of: household, for: member), state: view.state)
  }

  /// A week of a household's meals.
  package struct Answer: QuestionAnswer {
    package let week: MealWeek
    let state: BookState

    /// The Sunday at the end of the week.
    package var sunday: Day { week.monday.advanced(by: 6) }

    /// A meal's title: its recipe's, or its own.
    package func title(of meal: Meal) -> String { state.title(of: meal) }

    /// Writes the answer.
    package func write(to json: inout JSONWriter) {
      json.object { json in
        json.member("week_start", week.monday)
        json.member("week_end", sunday)
        json.member("meals", week.meals) { json, entry in
          json.value(
            .object(
              (entry.meal.row(in: state).members ?? []) + [
                .init("name", .string(title(of: entry.meal)))
              ]))
        }
      }
    }
  }
}
