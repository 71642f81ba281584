import Avro
import Daybook
import Journal
import Testing

@testable import DaybookStore

/// A proof is made from the indexes of sealed segments, which are used only if they lead to the seals.
@Suite(.tags(.law)) struct ProofByIndexTests {
  @Test(arguments: 0..<4)
  func `a proof by the indexes equals that of the segments, byte for byte`(seed: Int) throws {
    let world = try ProofWorld(seed: 300 + UInt64(seed))
    let query = try world.query()
    let byIndex = try world.habits.map { try world.reader.proof(of: $0, query) }
    #expect(byIndex.allSatisfy { $0.misread.isEmpty })
    let journal = world.reader.journal
    let names = try journal.segments().filter { try journal.header(of: $0).seal != nil }
    #expect(!names.isEmpty)
    for name in names { try world.storage.remove(IndexFile.path(of: name, in: journal)) }
    let plain = BookReader(at: "book", storage: world.storage, zones: StateLedger.zones)
    for (habit, proof) in zip(world.habits, byIndex) {
      #expect(try plain.proof(of: habit, query).file == proof.file)
    }
  }

  @Test(arguments: 0..<4)
  func `a forged index is ignored, and built again`(
    seed: Int
  ) throws {
    let world = try ProofWorld(seed: 400 + UInt64(seed))
    let journal = world.reader.journal
    let query = try world.query()
    let habit = world.habits[seed % world.habits.count]
    let proof = try world.reader.proof(of: habit, query).file
    let name = try journal.segments()[0]
    let header = try journal.header(of: name)
    var outline = try #require(try journal.outline(of: name))
    switch seed {
    case 0: outline.content = Digest(of: [1])
    case 1: outline.trees[0].nodes[0].number += 1
    case 2: outline.trees[0].depth = 70
    default: outline.trees[0].nodes = []
    }
    #expect(!outline.leads(to: header))
    var builder = IndexBuilder(header, after: AggregateReader())
    var bridge = SchemaBridge()
    try journal.readBlocks(of: name) { header, block throws(JournalError) in
      let (count, offset) = (block.count, block.place.offset)
      return try bridge.read(block, of: header.schemaText) { bytes throws(AvroError) in
        try builder.append(count, bytes, at: offset)
        return true
      }
    }
    let path = IndexFile.path(of: name, in: journal)
    try world.storage.remove(path)
    try world.storage.open(path, .create).write(builder.finish(outline).file, at: 0)
    let reader = BookReader(at: "book", storage: world.storage, zones: StateLedger.zones)
    let found = try reader.proof(of: habit, query)
    #expect(found.misread == [name] && found.file == proof)
    // Either the reader that found it rebuilds it, or the next one that opens all indexes.
    if seed % 2 == 0 {
      try reader.remakeIndexes(of: found.misread)
    } else {
      #expect(try IndexKeeper(journal: journal).update(isThorough: true) == [name])
    }
    let again = BookReader(at: "book", storage: world.storage, zones: StateLedger.zones)
    let mended = try again.proof(of: habit, query)
    #expect(mended.misread.isEmpty && mended.file == proof)
  }
}
