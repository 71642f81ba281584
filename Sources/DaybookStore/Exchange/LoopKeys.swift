import Crypto
import Daybook

/// The keys of what a Loop export says, the same at every import: by them a second one finds what the
/// first recorded.
enum LoopKeys {
  /// The key of a habit: by whom, its name, and which of those of the same name it is, from 0.
  static func habit(of account: Key, name: String, ordinal: Int) -> Key {
    derived(["loop", account.description, name, String(ordinal)])
  }

  /// The idempotency key of an entry: one entered otherwise later is another.
  static func entry(_ entry: LoopExport.Entry, of habit: Key) -> Key {
    let value = entry.value.map { "log \($0)" } ?? "skip"
    return derived([
      "loop-entry", habit.description, entry.day.description, value, entry.note ?? "",
    ])
  }

  /// The first half of the parts' SHA-256 as a UUID of version 8 (RFC 9562, section 5.8).
  private static func derived(_ parts: [String]) -> Key {
    let digest = Array(SHA256.hash(data: Array(parts.joined(separator: "\0").utf8)))
    let half = { (bytes: ArraySlice<UInt8>) in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    return Key(
      high: half(digest[0..<8]) & ~0xF000 | 0x8000,
      low: half(digest[8..<16]) & ~(3 << 62) | 1 << 63)
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
