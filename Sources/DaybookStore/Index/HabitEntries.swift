package import Daybook
import Journal

/// The entries that one habit's days depend on: the habit's and its owner's.
struct HabitEntries {
  let habit: Habit.ID
  /// The entries, oldest first.
  let entries: [Entry]
  /// The habit's owner.
  let owner: Account.ID
  /// When the last of the book's entries within the limits was recorded.
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

  /// Whether all of it was done by the owner; then the entries name no other account.
  var isOwnersAlone: Bool {
    entries.allSatisfy { $0.head.actor == nil || $0.head.actor == owner }
  }
}

extension BookReader {
  /// The entries of an account's own habit until an instant, if they tell as much about it as the whole past.
  ///
  /// - Parameters:
  ///   - key: The habit's key.
  ///   - account: The expected owner.
  ///   - instant: Only entries recorded until this instant.
  ///   - present: The book as it is now.
  /// - Returns: The entries; nil where the key is not that of the account's habit, now or then, and
  ///   in a book without files.
  /// - Throws: ``JournalError``.
  func ownEntries(
    ofHabit key: Key, of account: Account.ID, until instant: Instant, knowing present: BookState
  ) throws -> HabitEntries? {
    // The key names the newest of the habits that ever had it, also in a past state that knows that
    // one.
    guard files != nil, let habit = present.habits.number(of: key),
      present.habits[habit]?.owner == account, present.accounts.isThere(account)
    else { return nil }
    do { return try HabitEntries(of: habit, until: instant, in: self) } catch is Rejection {
      return nil
    }
  }

  /// The state, as of an instant, of an account's own habit and its owner only, where it can be
  /// read without the rest of the book.
  ///
  /// - Parameters:
  ///   - key: The habit's key.
  ///   - account: The expected owner.
  ///   - instant: The instant.
  ///   - present: The book as it is now.
  /// - Returns: The state; nil where the whole past must be read.
  /// - Throws: ``JournalError``.
  package func ownState(
    ofHabit key: Key, of account: Account.ID, asOf instant: Instant, knowing present: BookState
  ) throws -> BookState? {
    let found = try ownEntries(ofHabit: key, of: account, until: instant, knowing: present)
    return found.map { BookState(of: $0.habit, ownedBy: $0.owner, $0.entries) }
  }
}
