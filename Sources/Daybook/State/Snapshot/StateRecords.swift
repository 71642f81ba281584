public import Avro

/// A state as records, one after another: its head, then its accounts, habits and so on, each kind by number.
///
/// Each is written with its branch in front, as a value of a union that begins with ``schemas``. What
/// reads them is ``StateBuilder``.
public struct StateRecords: Sendable {
  /// The records' schemas, in the order of their branches.
  public static var schemas: [Schema] {
    [
      StateHead.schema, Account.schema, Habit.schema, Goal.schema, Hive.schema,
      Household.schema, Chore.schema, Recipe.schema, Meal.schema, TaskItem.schema, TaskLabel.schema,
      GroceryList.schema, Staple.schema, CalendarEvent.schema,
    ]
  }

  /// What tells the records of a state from one another.
  enum Branch: Int64 {
    case head = 0
    case account = 1
    case habit = 2
    case goal = 3
    case hive = 4
    case household = 5
    case chore = 6
    case recipe = 7
    case meal = 8
    case task = 9
    case label = 10
    case list = 11
    case staple = 12
    case calendarEvent = 13
  }

  private let state: State
  private var branch = Branch.head
  private var index = 0

  /// Begins with the head of a state.
  public init(_ state: State) { self.state = state }

  /// Writes the next record; says whether there was one.
  public mutating func writeNext(to writer: inout BinaryWriter) -> Bool {
    switch branch {
    case .head:
      put(state.head, to: &writer)
      branch = .account
      return true
    case .account:
      if writeNext(of: state.accounts.elements, to: &writer) { return true }
      (branch, index) = (.habit, 0)
    case .habit:
      if writeNext(of: state.habits.elements, to: &writer) { return true }
      (branch, index) = (.goal, 0)
    case .goal:
      if writeNext(of: state.goals.elements, to: &writer) { return true }
      (branch, index) = (.hive, 0)
    case .hive:
      if writeNext(of: state.hives.elements, to: &writer) { return true }
      (branch, index) = (.household, 0)
    case .household:
      if writeNext(of: state.households.elements, to: &writer) { return true }
      (branch, index) = (.chore, 0)
    case .chore:
      if writeNext(of: state.chores.elements, to: &writer) { return true }
      (branch, index) = (.recipe, 0)
    case .recipe:
      if writeNext(of: state.recipes.elements, to: &writer) { return true }
      (branch, index) = (.meal, 0)
    case .meal:
      if writeNext(of: state.meals.elements, to: &writer) { return true }
      (branch, index) = (.task, 0)
    case .task:
      if writeNext(of: state.tasks.elements, to: &writer) { return true }
      (branch, index) = (.label, 0)
    case .label:
      if writeNext(of: state.labels.elements, to: &writer) { return true }
      (branch, index) = (.list, 0)
    case .list:
      if writeNext(of: state.lists.elements, to: &writer) { return true }
      (branch, index) = (.staple, 0)
    case .staple:
      if writeNext(of: state.staples.elements, to: &writer) { return true }
      (branch, index) = (.calendarEvent, 0)
    case .calendarEvent:
      return writeNext(of: state.calendarEvents.elements, to: &writer)
    }
    return writeNext(to: &writer)
  }

  private mutating func writeNext(
    of elements: ContiguousArray<some AvroRecord>, to writer: inout BinaryWriter
  ) -> Bool {
    guard index < elements.count else { return false }
    put(elements[index], to: &writer)
    index += 1
    return true
  }

  private func put(_ record: some AvroRecord, to writer: inout BinaryWriter) {
    writer.put(branch.rawValue)
    record.write(to: &writer)
  }
}
