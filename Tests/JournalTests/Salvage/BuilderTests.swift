import Avro
import SimulatedStorage
import Testing

@testable import Journal

/// New journals that are built in one go.
@Suite(.tags(.damage)) struct BuilderTests {
  static let notes = (1...200).map {
    Note(at: Int64($0 / 3), "note \($0) " + String(repeating: "x", count: $0))
  }

  static func build(_ storage: any Storage) throws(JournalError) -> Head {
    var builder = try JournalBuilder(
      Journal(directory: "new", storage: storage), book: Journal.book, schemaText: Note.schemaText,
      notes: ["note.json"], segmentByteCount: 700)
    do throws(JournalError) {
      for note in notes { try builder.append(note.encoded) }
    } catch {
      builder.abandon()
      throw error
    }
    return try builder.finish { ["note.json": Array("\($0)".utf8)] }
  }

  @Test func `a journal is built whole, with its notes, and accepts commits`() throws {
    let storage = MemoryStorage()
    let head = try Self.build(storage)
    let journal = Journal(directory: "new", storage: storage)
    #expect(try journal.entries() == Self.notes)
    let found = try journal.verify()
    #expect(found.damages == [])
    #expect(found.head == head)
    #expect(try journal.bytes(of: "new/note.json") == Array("\(head)".utf8))
    try journal.open().writer.append([Note(at: 999, "after")])
    try journal.seal()
    #expect(try journal.verify(expecting: head).proof == .contained)
    #expect(try failure { _ = try Self.build(storage) } == "alreadyABook")
  }

  @Test func `large journals are built in several segments, small ones in one`() throws {
    let storage = MemoryStorage()
    var builder = try JournalBuilder(
      Journal(directory: "large", storage: storage), book: Journal.book,
      schemaText: Note.schemaText, segmentByteCount: 1)
    let long = Note(at: 1, String(repeating: "abcdefgh", count: 5000))
    for _ in 0..<20 { try builder.append(long.encoded) }
    let head = try builder.finish()
    let journal = Journal(directory: "large", storage: storage)
    #expect(try journal.segments().count > 2)
    #expect(head.position == Position(20))
    #expect(try journal.verify().damages == [])
    var none = try JournalBuilder(
      Journal(directory: "empty", storage: storage), book: Journal.book,
      schemaText: Note.schemaText)
    let start = try none.finish()
    #expect(start == Head(book: Journal.book))
    #expect(try Journal(directory: "empty", storage: storage).verify().damages == [])
  }

  @Test(arguments: DiskFault.allCases)
  func `a disk failure leaves no book, and building again makes one`(fault: DiskFault) throws {
    var call = 0
    while true {
      let storage = SimulatedStorage(faults: [call: fault], keepsHistory: false)
      let failed = (try? Self.build(storage)) == nil
      let calls = storage.calls
      let comment: Comment = "call \(call): \(storage.hits.first ?? "-")"
      storage.heal()
      let journal = Journal(directory: "new", storage: storage)
      if (try? journal.exists()) == true {
        #expect(try journal.entries() == Self.notes, comment)
        #expect(try journal.verify().damages == [], comment)
        #expect(try storage.names(in: "new")?.contains("note.json") == true, comment)
      } else {
        #expect(failed, comment)
        _ = try Self.build(storage)
        #expect(try journal.entries() == Self.notes, comment)
      }
      call += 1
      if call > calls { break }
    }
    #expect(call > 15)
  }

  @Test func `after a power loss there is the whole journal, or none`() throws {
    let storage = SimulatedStorage(keepsHistory: true)
    _ = try Self.build(storage)
    let history = storage.history
    var (whole, none) = (0, 0)
    for (change, disk) in history.enumerated() {
      for crashState in disk.crashStates(.coarse) where !crashState.isCorrupted {
        let after = SimulatedStorage(crashState.disk)
        let journal = Journal(directory: "new", storage: after)
        if (try? journal.exists()) == true {
          whole += 1
        } else {
          none += 1
          #expect(change < history.count - 1)
          _ = try Self.build(after)
        }
        #expect(try journal.entries() == Self.notes, "after \(change) changes")
      }
    }
    #expect(whole > 0 && none > 20, "\(whole) whole, \(none) none")
  }
}
