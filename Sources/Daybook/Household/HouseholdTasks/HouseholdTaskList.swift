import Values
public import Calendar
import Avro

/// A filter for a household's tasks (MC-3).
public enum HouseholdTaskFilter: String, ChoiceForm {
  /// All of them.
  case all
  /// Open tasks that are assigned to the viewer.
  case mine
  /// Tasks that are done.
  case complete
  /// Tasks that are open.
  case incomplete

  /// Whether the filter includes a task, for a viewer.
  public func includes(_ householdTask: HouseholdTask, for viewer: Account.ID) -> Bool {
    switch self {
    case .all: true
    case .mine: householdTask.assignee == viewer && !householdTask.isComplete
    case .complete: householdTask.isComplete
    case .incomplete: !householdTask.isComplete
    }
  }
}

extension BookState {
  /// A household's tasks, in the order of creation.
  func householdTasks(of household: Household.ID) -> [(
    number: HouseholdTask.ID, householdTask: HouseholdTask
  )] {
    householdEntities(.householdTask, in: householdTasks, of: household).map {
      ($0.number, $0.thing)
    }
  }

  /// A household's tasks as a member sees them: by due day, then by time, priority and key. Tasks without a time come
  /// last on their day, tasks without a day at the end (MC-3).
  ///
  /// - Returns: The tasks; none unless the viewer is a member.
  public func householdTasks(
    of household: Household.ID, for viewer: Account.ID, _ filter: HouseholdTaskFilter = .all
  ) -> [(number: HouseholdTask.ID, householdTask: HouseholdTask)] {
    guard self.household(household, for: viewer) != nil else { return [] }
    return householdTasks(of: household).filter { filter.includes($0.householdTask, for: viewer) }
      .sorted { $0.householdTask.rank < $1.householdTask.rank }
  }
}

extension HouseholdTask {
  /// The sort key of the task in a list.
  fileprivate var rank: (Int32, Int32, Int, Key) {
    (
      content.dueDate?.number ?? .max, content.dueTime?.minutes ?? .max,
      -content.priority.symbolNumber, key
    )
  }

  /// Whether it is still open after its due day.
  public func isOverdue(on today: Day) -> Bool {
    !isComplete && content.dueDate.map { $0 < today } ?? false
  }
}
