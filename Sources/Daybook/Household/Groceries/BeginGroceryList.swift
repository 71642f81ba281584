package import Values
package import Calendar

/// Creates a household's grocery list of a week without lines: an app that plans its lists itself adds the lines
/// afterwards. It becomes the current list.
package struct BeginGroceryList: Command {
  package var household: Household.ID
  /// The first day of the week, as the app counts weeks; the Monday of this week if not given. The list belongs to the
  /// week that has most of the seven days.
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
