import Daybook
import Journal

/// The entries that one habit's days depend on: its own, and its owner's.
struct HabitEntries {
  /// The habit.
  let habit: Habit.ID
  /// The entries, oldest first.
  let entries: [Entry]
  /// Whose habit it is.
  let owner: Account.ID
  /// When the book's last entry was recorded, of those that were asked about.
  let lastAt: Instant

  /// Finds the entries until an instant.
  ///
  /// - Throws: ``Rejection/habitNotFound`` when there was no such habit yet, or ``JournalError``.
  init(of habit: Habit.ID, until instant: Instant, in reader: BookReader) throws {
    let found = try AggregateEntries(
      of: [Aggregate.habit(habit)], withOwners: true, until: instant, in: reader)
    guard case .habitCreated(let creation) = found.lists[.habit(habit)]?.first?.event else {
      throw Rejection.habitNotFound
    }
    self.habit = habit
    owner = creation.owner
    entries = found.merged([Aggregate.habit(habit), .account(owner)])
    lastAt = found.lastAt
  }

  /// Whether nobody but the owner did any of it: then whatever is told of the entries names no other account.
  var isOwnersAlone: Bool {
    entries.allSatisfy { $0.head.actor == nil || $0.head.actor == owner }
  }
}
