import Daybook
import Journal
import Testing

@testable import DaybookStore

/// A disk that fails for snapshots stops nothing else.
@Suite(.tags(.damage)) struct SnapshotFaultTests {
  @Test func `a failing snapshot stops no commit and leaves nothing behind`() throws {
    var refused = 0
    for call in 0... {
      let base = MemoryStorage()
      let storage = RefusingStorage(base: base, refusing: "/snapshots", after: call)
      let clock = HandClock(Menu.beginnings[0])
      let reader = BookReader(at: "book", storage: storage, zones: StateLedger.zones)
      try Book.create(at: "book", storage: storage, clock: clock.bookClock)
      var book: Book? = try Self.open(reader, clock)
      for number in 0..<4 {
        try book?.record(CreateAccount(name: "Bee \(number)", timeZone: "UTC"))
      }
      let state = try #require(book?.read { $0 })
      #expect(state.position == 4)
      #expect(try reader.state().isSame(as: state))
      let names = try base.names(in: "book/snapshots") ?? []
      #expect(names.allSatisfy { !$0.hasSuffix(".new") }, "after \(call) calls: \(names)")
      // Once there is room, the next writer adds what is missing.
      let hasRefused = storage.stopRefusing()
      book = nil
      book = try Self.open(reader, clock)
      #expect(Snapshots(journal: reader.journal).positions.last == Position(3))
      #expect(try reader.state().isSame(as: state))
      guard hasRefused else { break }
      refused += 1
    }
    #expect(refused > 10)
  }

  @Test func `an index that cannot be written is reported, and fails no command`()
    throws
  {
    let storage = RefusingStorage(base: MemoryStorage(), refusing: ".index", after: 0)
    let clock = HandClock(Menu.beginnings[0])
    let reader = BookReader(at: "book", storage: storage, zones: StateLedger.zones)
    try Book.create(at: "book", storage: storage, clock: clock.bookClock)
    let book = try Self.open(reader, clock)
    #expect(book.maintenanceFailure == nil)
    for _ in 0..<2 { try book.record(CreateAccount(name: "Bee", timeZone: "UTC")) }
    guard case .storage = book.maintenanceFailure else {
      Issue.record("\(String(describing: book.maintenanceFailure))")
      return
    }
    #expect(storage.stopRefusing())
    try book.record(CreateAccount(name: "Bee", timeZone: "UTC"))
    #expect(book.maintenanceFailure == nil)
    #expect(book.read { $0.position } == 3)
  }

  private static func open(_ reader: BookReader, _ clock: HandClock) throws -> Book {
    try Book(
      opening: reader, clock: clock.bookClock, segmentByteCount: 1, sealing: .atOnce,
      snapshots: SnapshotSpacing(smallestGap: 1, share: 1 << 20))
  }
}
