import Avro
import Daybook

/// Entries on their way to the journal, encoded as they will stand there.
struct Draft {
  private(set) var count = 0
  private var writer = BinaryWriter()
  /// The idempotency keys that stand on the entries.
  private(set) var keys: [Key] = []

  /// The entries in Avro's binary encoding, one after another.
  var bytes: [UInt8] { writer.bytes }
  var byteCount: Int { writer.bytes.count }

  mutating func add(_ entry: Entry) {
    entry.write(to: &writer)
    count += 1
    if let key = entry.head.key { keys.append(key) }
  }

  /// Forgets the entries and keeps the memory.
  mutating func removeAll() {
    writer.removeAll()
    count = 0
    keys.removeAll(keepingCapacity: true)
  }

  /// How much there is, for ``cut(to:)``.
  var mark: Mark { Mark(count: count, byteCount: byteCount, keyCount: keys.count) }

  struct Mark {
    var count: Int
    var byteCount: Int
    var keyCount: Int
  }

  /// Forgets what came after a mark.
  mutating func cut(to mark: Mark) {
    count = mark.count
    writer.bytes.removeLast(byteCount - mark.byteCount)
    keys.removeLast(keys.count - mark.keyCount)
  }
}
