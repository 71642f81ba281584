/// The indexes of a state, by which entities are found from their content: they are derived from the tables, and never
/// stored.
package struct Indexes: Equatable, Sendable {
  /// The accounts of identities and devices.
  package internal(set) var accounts = AccountIndex()
  /// What accounts own.
  var owned = OwnerIndex()
  /// The habits of goals.
  var habits = HabitIndex()
  /// The members and invite codes of hives.
  var hives = HiveIndex()
  /// The members of households, and what belongs to each household.
  var households = HouseholdIndex()
  /// The order, the parts and the labels of tasks.
  package internal(set) var tasks = TaskIndex()
  /// The posted activities of hives.
  var activities = ActivityIndex()
}
