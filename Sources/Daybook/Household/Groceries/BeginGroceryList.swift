package import Values
package import Calendar

/// Begins a household's grocery list of a week without a line on it: an app that plans its list itself writes the lines
/// after it. It is the one that the household shops by.
package struct BeginGroceryList: Command {
  package var household: Household.ID
  /// The day with which the week begins, as the app counts weeks; the Monday of this week unless given. The list is that
  /// of the week in which most of the seven days are.
  package var firstDay: Day?
  /// The client's name for the list.
  package var key: Key

  package init(of household: Household.ID, from firstDay: Day? = nil, key: Key) {
    self.household = household
    self.firstDay = firstDay
    self.key = key
  }

  /// Decides the command; the answer is the list's number.
  ///
  /// - Throws: ``Rejection``.
  package func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<GroceryList.ID> {
    let week = try state.week(firstDay?.advanced(by: 3), context)
    let first = firstDay == week ? nil : firstDay
    let (created, number) = try state.beginning(
      key, of: household, week: week, firstDay: first, context)
    let known = try state.known(key, in: state.lists, of: household) {
      ($0.weekStart, $0.firstDay) == (week, first)
    }
    if let known { return Decision([], known) }
    return Decision([created], number)
  }
}
