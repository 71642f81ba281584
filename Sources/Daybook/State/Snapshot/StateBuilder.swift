package import Avro

/// Rebuilds a state from its records (``StateRecords``).
///
/// Invalid records end in an error or in no state, never in a trap.
package struct StateBuilder: Sendable {
  private var head: StateHead?
  private var state = BookState()

  /// Expects the head.
  package init() {}

  /// Adds the next records.
  ///
  /// - Throws: ``AvroError`` when another record was expected.
  package mutating func take(_ piece: StatePiece) throws(AvroError) {
    if let head = piece.head { try begin(head) }
    for run in piece.runs { run.create(in: &state) }
  }

  private mutating func begin(_ head: StateHead) throws(AvroError) {
    guard self.head == nil else { throw .invalidLength }
    self.head = head
    state.position = head.position
    state.at = head.at
    // The reservation is bounded, as a head may announce accounts that do not follow.
    state.accounts.reserve(min(Int(head.accounts), 1 << 18))
    state.habits.reserve(min(Int(head.habits), 1 << 18))
    state.goals.reserve(min(Int(head.goals), 1 << 18))
    state.hives.reserve(min(Int(head.hives), 1 << 18))
    state.households.reserve(min(Int(head.households), 1 << 18))
    state.householdTasks.reserve(min(Int(head.householdTasks), 1 << 18))
    state.recipes.reserve(min(Int(head.recipes), 1 << 18))
    state.meals.reserve(min(Int(head.meals), 1 << 18))
    state.tasks.reserve(min(Int(head.tasks), 1 << 18))
    state.labels.reserve(min(Int(head.labels), 1 << 18))
    state.lists.reserve(min(Int(head.lists), 1 << 18))
    state.pantryStaples.reserve(min(Int(head.pantryStaples), 1 << 18))
    state.calendarEvents.reserve(min(Int(head.calendarEvents), 1 << 18))
    state.activities.reserve(min(Int(head.activities), 1 << 18))
  }

  /// The state; nothing when its entities do not match the head.
  package consuming func finish() -> BookState? { head == state.head ? state : nil }
}
