import Avro
import Daybook
import DaybookStore
import Foundation
import Journal
import Testing

@Suite(.tags(.unit)) struct ExportTests {
  @Test func `an exported book with every event has the same digest after import (DM-13)`() throws {
    let book = try EveryEvent.book()
    let lines = try ExchangeWorld.export(book)
    let names = try lines.map { try JSON(parsing: $0)["event"]?.text ?? "" }
    #expect(Set(names) == Set(EveryEvent.names))
    let copy = try ExchangeWorld.book()
    #expect(try ExchangeWorld.importing(lines, into: copy) == lines.count)
    #expect(copy.read { $0.digest } == book.read { $0.digest })
    #expect(try ExchangeWorld.export(copy) == lines)
    let end = try #require(Instant("2026-01-08T00:00:00Z"))
    #expect(try copy.reader.state(asOf: end).digest == book.reader.state(asOf: end).digest)
  }

  @Test func `a line has keys, days and decimals, and never an entity's number`() throws {
    let lines = try ExchangeWorld.export(EveryEvent.book())
    let logged = try #require(lines.first { $0.contains("\"HabitLogged\"") })
    let json = try JSON(parsing: logged)
    let habit = try JSON(parsing: #require(lines.first { $0.contains("\"HabitCreated\"") }))
    #expect(json["actor"]?.text == ExchangeWorld.ada.description)
    #expect(json["id"]?.text == "00000000-0000-0009-0000-000000000009")
    let data: JSON = [
      "habit": try #require(habit["data"]?["key"]), "day": "2026-01-03", "value": .number("1.25"),
      "source": "api", "note": "wet,\n\"cold\"", "entered": .null,
    ]
    #expect(json["data"] == data)
    #expect(habit["data"]?["reminders"] == ["07:30"])
    #expect(habit["data"]?["owner"]?.text == ExchangeWorld.ada.description)
    #expect(json["at"]?.text == "2026-01-03T12:00:00.002Z")
  }

  @Test func `an export contains the step of each entry, and an import keeps it`() throws {
    let book = try EveryEvent.book()
    func steps(_ book: Book) throws -> [Int32] {
      var every = EveryEntry()
      try book.reader.replay(into: &every)
      return every.entries.map(\.head.step)
    }
    let known = try steps(book)
    // An edit of a habit's name, schedule, target and reminders makes four entries.
    #expect(known.contains(4) && !known.contains(0))
    let (copy, table) = (try ExchangeWorld.book(), try ExchangeWorld.book())
    let lines = try ExchangeWorld.export(book)
    try ExchangeWorld.importing(lines, into: copy)
    #expect(try steps(copy) == known)
    let cells = try ExchangeWorld.export(book, as: .csv).joined()
    try table.importTable(file: "a.csv", Array(cells.utf8))
    #expect(try steps(table) == known)
    // Older exports have no steps.
    let older = try ExchangeWorld.book()
    try ExchangeWorld.importing(
      lines.map { $0.replacing(/"step":\d+,/, with: "", maxReplacements: 1) }, into: older)
    #expect(try steps(older).allSatisfy { $0 == 0 })
    #expect(older.read { $0.digest } == book.read { $0.digest })
  }

  @Test func `an export up to an instant is the book as of then`() throws {
    let book = try EveryEvent.book()
    let end = try #require(Instant("2026-01-05T23:00:00Z"))
    var lines: [String] = []
    let count = try book.reader.export(as: .jsonl, until: end) { lines.append($0) }
    #expect(count == lines.count && count > 5)
    let copy = try ExchangeWorld.book()
    try ExchangeWorld.importing(lines, into: copy)
    #expect(try copy.read { $0.digest } == book.reader.state(asOf: end).digest)
  }

  @Test func `deleted habits are exported, with their logs`() throws {
    let lines = try ExchangeWorld.export(EveryEvent.book())
    #expect(lines.contains { $0.contains("\"name\":\"Old\"") })
    #expect(lines.contains { $0.contains("\"HabitDeleted\"") })
  }

  @Test func `a CSV export has a record for each entry, quoted so that Python reads the same`()
    throws
  {
    let book = try EveryEvent.book()
    let lines = try ExchangeWorld.export(book, as: .csv)
    #expect(
      lines[0]
        == "position,at,actor,id,step,event,account,habit,goal,day,value,entered,source,note,data\r\n"
    )
    #expect(lines.count == Int(book.read { $0.position }) + 1)
    let logged = try #require(lines.first { $0.contains("HabitLogged") })
    #expect(logged.hasSuffix(",2026-01-03,1.25,,api,\"wet,\n\"\"cold\"\"\",\r\n"))
    #expect(lines.contains { $0.contains("\"{\"\"display_name\"\":\"\"Bob, \\\"\"the\\\"\" bee") })
  }

  @Test func `an error thrown by the receiver ends the export`() throws {
    struct Closed: Error {}
    let book = try EveryEvent.book()
    var count = 0
    #expect(throws: Closed.self) {
      try book.reader.export(as: .csv) { _ in
        count += 1
        if count == 3 { throw Closed() }
      }
    }
    #expect(count == 3)
  }

  @Test func `a file is read in pieces, with any line ends`() throws {
    let book = try EveryEvent.book()
    var text = "\u{FEFF}" + (try ExchangeWorld.export(book)).joined()
    text = text.replacingOccurrences(of: "}\n", with: "}\r\n\r\n")
    let storage = try ExchangeWorld.disk(["out/book.jsonl": String(text.dropLast(2))])
    let copy = try ExchangeWorld.book()
    try copy.importExport(at: "out/book.jsonl", storage: storage)
    #expect(copy.read { $0.digest } == book.read { $0.digest })
    #expect(throws: ExchangeError.self) {
      try copy.importExport(at: "out/no.jsonl", storage: storage)
    }
  }

  @Test func `an export is imported into an empty book only`() throws {
    let book = try EveryEvent.book()
    let lines = try ExchangeWorld.export(book)
    let error = #expect(throws: ExchangeError.self) {
      try ExchangeWorld.importing(lines, into: book)
    }
    #expect(error?.code == "book_not_empty")
    #expect(try ExchangeWorld.export(book) == lines)
  }

  @Test func `thousands of logs are exported and imported in pieces`() throws {
    let book = try ExchangeWorld.book()
    let ada = try book.record(CreateAccount(key: ExchangeWorld.ada))
    let habit = try book.record(CreateHabit(name: "Run"), by: ada)
    let first = try EveryEvent.day("2000-01-01")
    try book.transaction { batch in
      for index in 0..<3000 {
        try batch.record(LogHabit(habit, day: .day(first.advanced(by: index))), by: ada)
      }
    }
    let storage = try ExchangeWorld.disk(["a.jsonl": ExchangeWorld.export(book).joined()])
    let copy = try ExchangeWorld.book()
    #expect(try copy.importExport(at: "a.jsonl", storage: storage) == 3002)
    #expect(copy.read { $0.digest } == book.read { $0.digest })
  }
}
