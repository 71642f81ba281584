import Avro
import Daybook

/// Entries on their way to the journal, encoded as they will stand there.
struct Draft {
  private(set) var count = 0
  private var writer = BinaryWriter()
  /// The entries on which idempotency keys stand.
  private(set) var keyed: [Entry] = []

  /// The entries in Avro's binary encoding, one after another.
  var bytes: [UInt8] { writer.bytes }
  var byteCount: Int { writer.bytes.count }

  mutating func add(_ entry: Entry) {
    entry.write(to: &writer)
    count += 1
    if entry.head.key != nil { keyed.append(entry) }
  }

  /// Forgets the entries and keeps the memory.
  mutating func removeAll() {
    writer.removeAll()
    count = 0
    keyed.removeAll(keepingCapacity: true)
  }

  /// How much there is, for ``cut(to:)``.
  var mark: Mark { Mark(count: count, byteCount: byteCount, keyedCount: keyed.count) }

  struct Mark {
    var count: Int
    var byteCount: Int
    var keyedCount: Int
  }

  /// Forgets what came after a mark.
  mutating func cut(to mark: Mark) {
    count = mark.count
    writer.bytes.removeLast(byteCount - mark.byteCount)
    keyed.removeLast(keyed.count - mark.keyedCount)
  }
}
