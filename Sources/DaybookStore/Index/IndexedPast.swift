package import Daybook
import Avro
import Journal

/// A past moment of a book, read from the indexes of its sealed segments: the accounts, and any account's habits. It
/// takes the time of reading these, however long the book is.
package struct IndexedPast {
  /// The state at the instant, with the accounts and nothing else.
  package let people: BookState

  private let instant: Instant
  private let reader: BookReader
  /// The entries of the accounts until the instant.
  private let entries: [Entry]
  /// The owner of each habit that was created until the end of the instant's segment.
  private var habitOwners: [Int32] = []
  private var hiveKeys: Set<Key> = []
  private var hiveMembers: Set<Int32> = []

  /// Reads the accounts; nothing when entries until the instant are in no index, or an index cannot be read.
  fileprivate init?(asOf instant: Instant, in reader: BookReader) throws {
    let indexes = try reader.openIndexes().indexes
    // The next entry may have the same instant as the last one that has an index.
    guard let last = indexes.last, instant < last.lastAt else { return nil }
    let kind = Int64(EntityKind.account.index)
    let accounts = kind << 32..<(kind + 1) << 32
    var entries: [Entry] = []
    do {
      let (storage, decompressor) = (reader.journal.storage, try ZstandardDecompressor())
      for index in indexes where index.firstAt <= instant {
        for list in try index.lists(of: accounts, storage, decompressor) {
          entries += list.entries.prefix { $0.head.at <= instant }
        }
        let roster = try index.roster(storage, decompressor)
        habitOwners += roster.habitOwners
        hiveKeys.formUnion(try roster.keys)
        hiveMembers.formUnion(roster.hiveMembers)
      }
    } catch { return nil }
    entries.sort { $0.head.position < $1.head.position }
    var people = BookState()
    for entry in entries { people.apply(entry) }
    self.people = people
    self.instant = instant
    self.reader = reader
    self.entries = entries
  }

  /// Whether a name of an account's may mean a hive, or a key a hive's.
  package func mayMeanHive(_ text: String, for account: Account.ID) -> Bool {
    if let key = Key(text) { return hiveKeys.contains(key) }
    return hiveMembers.contains(account.number)
  }

  /// The most habits of an account that are looked up one by one.
  static let maximumHabitCount = 100

  /// The state at the instant, with the accounts, one account's habits, and nothing else.
  ///
  /// - Returns: The state; nothing for an account with so many habits that the whole past is read faster.
  /// - Throws: ``JournalError``.
  package func state(withHabitsOf account: Account.ID) throws -> BookState? {
    let own = habitOwners.indices.filter { habitOwners[$0] == account.number }
      .compactMap { Habit.ID($0 + 1).map { Aggregate.habit($0) } }
    guard own.count <= Self.maximumHabitCount else { return nil }
    let lists = try AggregateEntries(of: own, until: instant, in: reader).lists
    let accounts = people.accounts.elements.indices.compactMap { index in
      Account.ID(index + 1).map { Aggregate.account($0) }
    }
    // A habit that was created later has no entries yet.
    var state = BookState(only: accounts + lists.keys)
    let all = entries + lists.values.flatMap(\.self)
    for entry in all.sorted(by: { $0.head.position < $1.head.position }) { state.apply(entry) }
    return state
  }
}

extension BookReader {
  /// A past moment, read from the indexes.
  ///
  /// - Parameter instant: The moment.
  /// - Returns: The moment; nothing when the indexes do not reach it, or there are none: then the whole past must be
  ///   read (``state(asOf:)``).
  /// - Throws: ``JournalError``.
  package func indexedPast(asOf instant: Instant) throws -> IndexedPast? {
    guard files != nil else { return nil }
    return try IndexedPast(asOf: instant, in: self)
  }
}

extension Roster {
  /// The keys of the hives.
  fileprivate var keys: [Key] {
    get throws(AvroError) {
      var reader = BinaryReader(hiveKeys.bytes.span.bytes)
      var keys: [Key] = []
      while !reader.isAtEnd { keys.append(try Key(from: &reader)) }
      return keys
    }
  }
}
