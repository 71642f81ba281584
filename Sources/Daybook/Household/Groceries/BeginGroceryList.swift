package import Calendar

/// Begins a household's grocery list of a week without a line on it: an app that plans its list itself writes the lines
/// after it. A list that is there stays as it is.
package struct BeginGroceryList: Command {
  /// The household.
  package var household: Household.ID
  /// Any day of the week; today unless given.
  package var week: Day?

  /// Makes the command.
  package init(of household: Household.ID, week: Day? = nil) {
    self.household = household
    self.week = week
  }

  /// Decides the command; the answer is the list's number.
  ///
  /// - Throws: ``Rejection``.
  package func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<GroceryList.ID> {
    let (begun, number) = try state.list(
      of: household, week: try state.week(week, context), context)
    return Decision(begun, number)
  }
}
