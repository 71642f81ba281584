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

  /// Whether nobody but the owner did any of it: then whatever is told of the entries names no other account.
  var isOwnersAlone: Bool {
    entries.allSatisfy { $0.head.actor == nil || $0.head.actor == owner }
  }
}

extension BookReader {
  /// The entries of an account's own habit until an instant, where they tell of it what the whole past tells.
  ///
  /// - Parameters:
  ///   - key: What names the habit.
  ///   - account: Whose it is to be.
  ///   - instant: Until when.
  ///   - present: The book as it is now.
  /// - Returns: The entries. Nothing where the key names no habit of the account's, or named none then, and in a book
  ///   that is kept in no files.
  /// - Throws: ``JournalError``.
  func ownEntries(
    ofHabit key: Key, of account: Account.ID, until instant: Instant, knowing present: BookState
  ) throws -> HabitEntries? {
    // Of several habits that ever had the key, it names the newest, also in a past that knows that one.
    guard files != nil, let habit = present.habits.number(of: key),
      present.habits[habit]?.owner == account, present.accounts.isThere(account)
    else { return nil }
    do { return try HabitEntries(of: habit, until: instant, in: self) } catch is Rejection {
      return nil
    }
  }

  /// The state as of an instant of an account's own habit and its owner, and of nothing else, where that can be read
  /// without the rest of the book.
  ///
  /// - Parameters:
  ///   - key: What names the habit.
  ///   - account: Whose it is to be.
  ///   - instant: As of when.
  ///   - present: The book as it is now.
  /// - Returns: The state; nothing where the whole past must be asked.
  /// - Throws: ``JournalError``.
  package func ownState(
    ofHabit key: Key, of account: Account.ID, asOf instant: Instant, knowing present: BookState
  ) throws -> BookState? {
    let found = try ownEntries(ofHabit: key, of: account, until: instant, knowing: present)
    return found.map { BookState(of: $0.habit, ownedBy: $0.owner, $0.entries) }
  }
}
