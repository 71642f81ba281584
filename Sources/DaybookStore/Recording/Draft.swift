import Avro
import Daybook

/// Entries on their way to the journal, in the encoding of the journal.
struct Draft {
  private(set) var count = 0
  private var writer = BinaryWriter()
  /// The entries that carry idempotency keys.
  private(set) var keyed: [Entry] = []

  /// The entries in Avro's binary encoding, one after another.
  var bytes: [UInt8] { writer.bytes }
  var byteCount: Int { writer.bytes.count }

  mutating func add(_ entry: Entry) {
    entry.write(to: &writer)
    count += 1
    if entry.head.key != nil { keyed.append(entry) }
  }

  /// Adds the entry of a log without making it first, if the log is decided without the logs before
  /// it.
  mutating func add(
    _ command: LogHabit, aheadOf state: BookState, _ context: Context, _ today: inout TodayCache
  ) -> Day? {
    let day = command.decide(aheadOf: state, context, &today, to: &writer)
    if day != nil { count += 1 }
    return day
  }

  /// Applies the entries after a mark to a state that has those before it.
  func apply(to state: inout BookState, since savepoint: Savepoint) {
    guard count > savepoint.count else { return }
    let bytes = writer.bytes.span.bytes.extracting(droppingFirst: savepoint.byteCount)
    do throws(AvroError) {
      _ = try state.applyEntries(
        count - savepoint.count, in: bytes, from: state.position + 1, startingAt: 0, until: .last)
    } catch { preconditionFailure("a draft holds whole entries: \(error)") }
  }

  /// Removes the entries and keeps the memory.
  mutating func removeAll() {
    writer.removeAll()
    count = 0
    keyed.removeAll(keepingCapacity: true)
  }

  /// The extent of the draft, for ``cut(to:)``.
  var savepoint: Savepoint {
    Savepoint(count: count, byteCount: byteCount, keyedCount: keyed.count)
  }

  struct Savepoint {
    var count = 0
    var byteCount = 0
    var keyedCount = 0
  }

  /// Removes what came after a mark.
  mutating func rollBack(to savepoint: Savepoint) {
    count = savepoint.count
    writer.bytes.removeLast(byteCount - savepoint.byteCount)
    keyed.removeLast(keyed.count - savepoint.keyedCount)
  }
}
