import DaybookStore
import Journal
import Synchronization

@testable import Daybook

/// Something that records commands: a book, or a state alone.
protocol Ledger {
  var state: BookState { get }
  var clock: HandClock { get }

  mutating func record<C: Command>(
    _ command: C, by actor: Account.ID?, at: Instant?, id: Key?
  ) throws

  /// Records all of them in one commit, or none.
  mutating func record(_ commands: [LogHabit], by actor: Account.ID?, at: Instant?) throws
}

/// The time and fresh keys, set by hand.
final class HandClock: Sendable {
  private let now: Mutex<Instant>
  private let keys = Mutex(0)

  init(_ now: Instant) { self.now = Mutex(now) }

  var instant: Instant {
    get { now.withLock { $0 } }
    set { now.withLock { $0 = newValue } }
  }

  func freshKey() -> Key {
    keys.withLock { count in
      count += 1
      return Menu.key(9, count)
    }
  }

  var bookClock: BookClock {
    BookClock(
      now: { self.instant }, freshKey: { self.freshKey() },
      salts: SaltSource { first in (0..<32).map { UInt8(truncatingIfNeeded: $0 + first.number) } })
  }
}

/// The domain alone: decides and applies without a journal.
struct StateLedger: Ledger {
  static let zones = SystemTimeZones()

  var state = BookState()
  let clock: HandClock

  mutating func record<C: Command>(
    _ command: C, by actor: Account.ID?, at: Instant?, id: Key?
  ) throws {
    let entries = try decide(command, by: actor, at: at, id: id)
    for entry in entries { state.apply(entry) }
  }

  mutating func record(_ commands: [LogHabit], by actor: Account.ID?, at: Instant?) throws {
    var copy = self
    for command in commands { try copy.record(command, by: actor, at: at, id: nil) }
    self = copy
  }

  /// The entries that a command decides.
  func decide<C: Command>(
    _ command: C, by actor: Account.ID?, at: Instant? = nil, id: Key? = nil
  ) throws -> [Entry] {
    if let at, at < state.at, state.position > 0 {
      throw Rejection.clockBackwards(given: at, last: state.at)
    }
    let context = Context(
      actor: actor, at: at ?? max(clock.instant, state.at), freshKey: clock.freshKey(),
      zones: Self.zones)
    return try command.decide(state, context).events.enumerated().map { index, event in
      Entry(
        EntryHead(
          position: state.position + Int64(index) + 1, at: context.at, actor: actor,
          key: index == 0 ? id : nil),
        event)
    }
  }
}

extension BookState {
  /// The user-local day of an account.
  func today(of account: Account.ID, at instant: Instant) -> Day {
    accounts[account]?.dayClock.day(of: instant, in: StateLedger.zones) ?? .first
  }

  /// Everything that the daybook rule needs about a habit, at an instant.
  func history(of number: Habit.ID, at instant: Instant) -> HabitHistory? {
    habits[number].map { history(of: $0, today: today(of: $0.owner, at: instant)) }
  }

  /// The numbers of habits that are not deleted.
  var livingHabits: [Habit.ID] {
    habits.elements.indices.compactMap { index in
      habits.elements[index].isDeleted ? nil : Habit.ID(index + 1)
    }
  }

  /// Whether two states are equal, including deleted entities and all names.
  func isSame(as other: BookState) -> Bool {
    position == other.position && at == other.at && indexes == other.indexes
      && EntityKind.allCases.allSatisfy { $0.type.isSame(self, other) }
      && accounts.elements.indices.allSatisfy { index in
        guard let account = Account.ID(index + 1) else { return false }
        return hives(of: account) == other.hives(of: account)
          && households(of: account) == other.households(of: account)
          && tasks(of: account).map(\.number) == other.tasks(of: account).map(\.number)
          && labels(of: account).map(\.number) == other.labels(of: account).map(\.number)
      }
      && hives.elements.allSatisfy { hive in
        hive.invites.allSatisfy { self.hive(ofCode: $0.code) == other.hive(ofCode: $0.code) }
      }
  }
}

extension StoredEntity {
  /// Whether the tables of two states hold the same entities, under the same keys.
  fileprivate static func isSame(_ state: BookState, _ other: BookState) -> Bool {
    let (table, other) = (state[keyPath: table], other[keyPath: table])
    return table.elements == other.elements
      && table.elements.allSatisfy { table.number(of: $0.key) == other.number(of: $0.key) }
  }
}
