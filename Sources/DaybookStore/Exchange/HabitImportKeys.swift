import Daybook

/// The keys of what an export says, the same at every import: by them a second one finds what the
/// first recorded.
enum HabitImportKeys {
  /// The key of a habit: by whom, its name, and which of those of the same name it is, from 0.
  static func habit(
    of account: Key, from program: HabitExport.Program, name: String, ordinal: Int
  ) -> Key {
    Key(derivedFrom: [program.rawValue, account.description, name, String(ordinal)])
  }

  /// The idempotency key of an entry: one entered otherwise later is another.
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

/// Finds in one pass over a journal which ids were used.
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
