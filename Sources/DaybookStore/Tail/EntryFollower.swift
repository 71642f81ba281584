import Avro
import Daybook
import Journal

/// Reads a book's entries from a position to the present end, and later on from there. Nothing is
/// read twice.
struct EntryFollower {
  /// The most entries in one batch; it bounds what is held, however large the blocks are.
  static let batchCount = 4096

  private let start: Int64
  private let follower: any LogFollower
  private var bridge = SchemaBridge()
  /// What remains of the follower's current block.
  private var rest: Remainder?

  private struct Remainder {
    var offset = 0
    var count: Int
    var position: Int64
  }

  init(_ log: any EventLog, from start: Int64) throws(JournalError) {
    self.start = start
    follower = try log.follow(from: Position(start))
  }

  /// The next entries, as many as there are; empty when there are none yet.
  ///
  /// - Parameter end: Entries after this position do not count as there yet.
  /// - Returns: The entries.
  /// - Throws: ``JournalError``.
  mutating func read(until end: Int64?) throws(JournalError) -> [Entry] {
    var entries: [Entry] = []
    while entries.count < Self.batchCount {
      if rest == nil {
        guard try follower.step(until: end.map { Position($0) }) else { break }
        rest = try follower.withBlock { _, block throws(JournalError) in
          Remainder(count: block.count, position: block.first.number)
        }
      }
      try decodeRemainder(&entries)
    }
    return entries
  }

  private mutating func decodeRemainder(_ entries: inout [Entry]) throws(JournalError) {
    guard var rest else { return }
    try follower.withBlock { schemaText, block throws(JournalError) in
      _ = try bridge.read(block, of: schemaText) { bytes throws(AvroError) in
        var reader = BinaryReader(bytes.extracting(droppingFirst: rest.offset))
        while rest.count > 0, entries.count < Self.batchCount {
          var entry = try Entry(from: &reader)
          entry.head.position = rest.position
          if entry.head.position >= start { entries.append(entry) }
          rest.position += 1
          rest.count -= 1
        }
        rest.offset += reader.offset
        guard rest.count > 0 || reader.isAtEnd else { throw .trailingBytes }
        return true
      }
    }
    self.rest = rest.count > 0 ? rest : nil
  }
}
