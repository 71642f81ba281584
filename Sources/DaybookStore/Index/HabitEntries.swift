package import Daybook
import Journal

/// The entries that one habit's days depend on: its own, and its owner's.
struct HabitEntries {
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

  /// Whether the owner alone acted in the entries, so that no answer made from them names another account.
  var isOwnersAlone: Bool {
    entries.allSatisfy { $0.head.actor == nil || $0.head.actor == owner }
  }
}

extension BookReader {
  /// The entries of an account's own habit until an instant, if they tell all that the whole past tells of it.
  ///
  /// - Parameters:
  ///   - key: The key that names the habit.
  ///   - account: The account that must own it.
  ///   - instant: The last instant that counts.
  ///   - present: The book as it is now.
  /// - Returns: The entries; `nil` if the key names no habit of the account, if it named none then, or if the book is
  ///   not kept in files.
  /// - Throws: ``JournalError``.
  func ownEntries(
    ofHabit key: Key, of account: Account.ID, until instant: Instant, knowing present: BookState
  ) throws -> HabitEntries? {
    // If several habits ever had the key, it names the newest, also in a past that has that habit.
    guard files != nil, let habit = present.habits.number(of: key),
      present.habits[habit]?.owner == account, present.accounts.isThere(account)
    else { return nil }
    do { return try HabitEntries(of: habit, until: instant, in: self) } catch is Rejection {
      return nil
    }
  }

  /// The state of an account's own habit and its owner as of an instant, if it can be read without the rest of the
  /// book.
  ///
  /// - Parameters:
  ///   - key: The key that names the habit.
  ///   - account: The account that must own it.
  ///   - instant: The last instant that counts.
  ///   - present: The book as it is now.
  /// - Returns: The state, which has nothing else in it; `nil` if the whole past must be read.
  /// - Throws: ``JournalError``.
  package func ownState(
    ofHabit key: Key, of account: Account.ID, asOf instant: Instant, knowing present: BookState
  ) throws -> BookState? {
    let found = try ownEntries(ofHabit: key, of: account, until: instant, knowing: present)
    return found.map { BookState(of: $0.habit, ownedBy: $0.owner, $0.entries) }
  }
}
