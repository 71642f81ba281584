package import Values
package import Calendar

/// Begins a household's grocery list of a week without a line on it: an app that plans its list itself writes the lines
/// after it. A list that is there stays as it is; under a key of its own another list of the week begins, and is the
/// one that the household shops by.
package struct BeginGroceryList: Command {
  /// The household.
  package var household: Household.ID
  /// Any day of the week; today unless given.
  package var week: Day?
  /// The client's name for the list; where it gives none, the list is that of the week.
  package var key: Key?

  /// Makes the command.
  package init(of household: Household.ID, week: Day? = nil, key: Key? = nil) {
    self.household = household
    self.week = week
    self.key = key
  }

  /// Decides the command; the answer is the list's number.
  ///
  /// - Throws: ``Rejection``.
  package func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<GroceryList.ID> {
    let week = try state.week(week, context)
    guard let key else {
      let (begun, number, _) = try state.list(of: household, week: week, context)
      return Decision(begun, number)
    }
    let (created, number) = try state.beginning(key, of: household, week: week, context)
    let known = try state.known(key, in: state.lists, of: household) { $0.weekStart == week }
    if let known { return Decision([], known) }
    return Decision([created], number)
  }
}
