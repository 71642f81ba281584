import Daybook
import DaybookStore
import Testing

/// Where one command ends and the next begins, of entries that were recorded at one instant by one person.
@Suite(.tags(.unit)) struct CommandBoundsTests {
  @Test
  func `a hive's log belongs to a habit's where that is linked to the hive, and nowhere else`()
    throws
  {
    let instant = try #require(Instant("2026-03-02T12:00:00Z"))
    let book = Book.inMemory(clock: BookClock { instant })
    let ada = try book.record(.createAccount(name: "Ada", timeZone: "Europe/London"))
    let read = try book.record(.createHabit(name: "Read"), by: ada)
    let hive = try book.record(.createHive(name: "Bees"), by: ada)

    func entryCount(at position: Int64) throws -> Int? {
      try book.reader.commandPast(at: position, knowing: book.read { $0 })?.entries.count
    }

    let alone = try book.recordWithReceipt(.logHabit(read), by: ada)
    let shared = try book.recordWithReceipt(.logHiveDay(hive), by: ada)
    #expect(try entryCount(at: alone.position) == 1)
    #expect(try entryCount(at: shared.position) == 1)

    try book.record(.linkHabit(read, to: hive), by: ada)
    let linked = try book.recordWithReceipt(.logHabit(read), by: ada)
    #expect(linked.count == 2)
    #expect(try entryCount(at: linked.position) == 2)
    #expect(try entryCount(at: linked.position + 1) == 2)
  }
}
