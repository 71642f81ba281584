import Avro
import Daybook
import Journal

/// The blocks of a log that hold an account's personal data, rewritten with that data blanked.
struct ErasedBlocks {
  /// The rewritten bytes of each block, by the position of its first entry.
  private(set) var blocks: [Position: [UInt8]] = [:]

  /// Finds and blanks an account's personal data. The state must be that of the whole book, because
  /// it says who owns which habit and goal.
  ///
  /// - Throws: ``JournalError`` when the log cannot be read.
  init(of account: Account.ID, in state: BookState, _ log: any EventLog) throws(JournalError) {
    let eraser: PersonalEraser
    do throws(AvroError) { eraser = try PersonalEraser(Entry.schema) } catch {
      throw .poisoned(reason: error.description)
    }
    var bridge = SchemaBridge()
    var aggregates = AggregateReader()
    var blocks: [Position: [UInt8]] = [:]
    try log.read(from: .start) { schemaText, block throws(JournalError) in
      let (first, count) = (block.first, block.count)
      return try bridge.read(block, of: schemaText) { bytes throws(AvroError) in
        var entries: [(isOwn: Bool, range: Range<Int>)] = []
        try aggregates.read(count, in: bytes) { aggregate, _, range in
          entries.append((state.isErased(aggregate, with: account), range))
        }
        guard entries.contains(where: \.isOwn) else { return true }
        let old = bytes.withUnsafeBytes { [UInt8]($0) }
        var new: [UInt8] = []
        for (isOwn, range) in entries {
          new += isOwn ? try eraser.erased(old[range]) : Array(old[range])
        }
        if new != old { blocks[first] = new }
        return true
      }
    }
    self.blocks = blocks
  }
}
