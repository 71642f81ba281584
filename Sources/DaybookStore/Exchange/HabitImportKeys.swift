import Daybook

/// Keys derived from an export, the same at every import, so that a second import finds what the
/// first recorded.
enum HabitImportKeys {
  /// The key of a habit, derived from its owner, its name, and its place among habits of the same
  /// name, from 0.
  static func habit(
    of account: Key, from program: HabitExport.Program, name: String, ordinal: Int
  ) -> Key {
    Key(derivedFrom: [program.rawValue, account.description, name, String(ordinal)])
  }

  /// The idempotency key of an entry; a value changed later gives another key.
  static func entry(
    _ entry: HabitExport.Entry, of habit: Key, from program: HabitExport.Program
  ) -> Key {
    let value = entry.value.map { "log \($0)" } ?? "skip"
    return Key(derivedFrom: [
      "\(program.rawValue)-entry", habit.description, entry.day.description, value,
      entry.note ?? "",
    ])
  }
}

/// Finds which ids were used, in one pass over a journal.
struct UsedIDs: Projection {
  let wanted: Set<Key>
  private(set) var found: Set<Key> = []

  init(among wanted: Set<Key>) { self.wanted = wanted }

  mutating func apply(_ entry: Entry) { note(entry.head) }

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) { note(head) }

  private mutating func note(_ head: EntryHead) {
    if let key = head.key, wanted.contains(key) { found.insert(key) }
  }
}
