import Values
public import Calendar
import Avro

/// Which of a household's tasks are meant (MC-3).
public enum HouseholdTaskFilter: String, ChoiceForm {
  /// All of them.
  case all
  /// Those that are assigned to the one who asks, and open.
  case mine
  /// Those that are done.
  case complete
  /// Those that are open.
  case incomplete

  /// Whether a task is meant, when somebody asks.
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

  /// A household's tasks as a member sees them: the one due first is the first, then by time, priority and key;
  /// what is due at no time comes after what is due that day, what is due on no day at the end (MC-3).
  ///
  /// - Returns: Nothing unless the viewer is a member.
  public func householdTasks(
    of household: Household.ID, for viewer: Account.ID, _ filter: HouseholdTaskFilter = .all
  ) -> [(number: HouseholdTask.ID, householdTask: HouseholdTask)] {
    guard self.household(household, for: viewer) != nil else { return [] }
    return householdTasks(of: household).filter { filter.includes($0.householdTask, for: viewer) }
      .sorted { $0.householdTask.rank < $1.householdTask.rank }
  }
}

extension HouseholdTask {
  /// Where it stands in a list.
  fileprivate var rank: (Int32, Int32, Int, Key) {
    (
      content.dueDate?.number ?? .max, content.dueTime?.minutes ?? .max,
      -content.priority.symbolNumber, key
    )
  }

  /// Whether it is open on a later day than it was due.
  public func isOverdue(on today: Day) -> Bool {
    !isComplete && content.dueDate.map { $0 < today } ?? false
  }
}
