import Avro
import Daybook
import Journal
import Testing

@testable import DaybookStore

/// Where in time something was recorded, and the way from entry to entry (ES-4).
@Suite(.tags(.unit)) struct MomentTests {
  /// Ada's and Bob's book, in which Ada logs 2 March two days late.
  private func book() throws -> PeopleBook {
    let book = try PeopleBook()
    let state = book.book.read { $0 }
    let ada = try #require(state.accounts.number(of: PeopleBook.key(of: PeopleBook.ada)))
    let read = try #require(state.habits.number(of: PeopleBook.key(of: PeopleBook.read)))
    try book.book.record(
      LogHabit(read, day: "2026-03-02"), by: ada, at: book.moment("2026-03-04T20:00:00Z"))
    return book
  }

  private func density(_ book: PeopleBook, _ fields: String = "") throws -> [String] {
    let rows = try book.ask("density", as: PeopleBook.ada, fields)["ok"]?.elements ?? []
    return rows.map { row in
      "\(row["day"]?.text ?? "") \(row["entries"]?.integer ?? 0) \(row["late"]?.integer ?? 0)"
    }
  }

  @Test func `days are counted by when entries were recorded, and by what came late`() throws {
    let book = try book()
    #expect(
      try density(book) == ["2026-03-01 5 0", "2026-03-02 1 1", "2026-03-03 1 0", "2026-03-04 1 0"])
    #expect(
      try density(book, #""about":"\#(PeopleBook.read)""#)
        == ["2026-03-01 2 0", "2026-03-02 1 1", "2026-03-03 1 0", "2026-03-04 1 0"])
    #expect(try density(book, #""area":"hives""#) == ["2026-03-01 2 0"])
    #expect(try density(book, #""area":"tasks""#).isEmpty)
    #expect(
      try density(book, #""from":"2026-03-02","to":"2026-03-03""#)
        == ["2026-03-02 1 1", "2026-03-03 1 0"])
  }

  @Test func `nothing of others is counted`() throws {
    let book = try book()
    #expect(
      try book.refusal("density", as: PeopleBook.ada, #""about":"\#(PeopleBook.run)""#)
        == "invalid_field")
    let moment = try book.ask("moment", as: PeopleBook.bob)["ok"]
    #expect(moment?["entries"]?.elements?.count == 1)
    #expect(moment?["entries"]?.elements?.first?["name"] == "Run")
  }

  @Test func `a reader steps from entry to entry, back and forth`() throws {
    let book = try book()
    func moment(_ at: String?) throws -> JSON {
      let fields = at.map { #""until":"\#($0)""# } ?? ""
      return try #require(try book.ask("moment", as: PeopleBook.ada, fields)["ok"])
    }
    let last = try moment(nil)
    #expect(last["at"] == "2026-03-04T20:00:00Z")
    #expect(last["after"] == .null)
    let entry = try #require(last["entries"]?.elements?.first)
    #expect(entry["event"] == "HabitLogged")
    #expect(entry["late"] == true)
    #expect(entry["own"] == true)
    #expect(entry["actor_name"] == "Ada")
    // Back to the first entry, and forth again.
    var stops = [last["at"]?.text ?? ""]
    var next = last["before"]?["at"]?.text
    while let at = next {
      stops.append(at)
      next = try moment(at)["before"]?["at"]?.text
    }
    #expect(stops.count == 5)
    var back = [stops.last ?? ""]
    while let at = try moment(back.last)["after"]?["at"]?.text { back.append(at) }
    #expect(back == stops.reversed())
    #expect(try moment("2026-02-01T00:00:00Z")["entries"] == [])
  }

  @Test func `entries are found by their positions, and only the asker's own`() throws {
    let book = try book()
    let all = #""positions":[1,2,3,4,5,6,7,8,9,10,11,12,99]"#
    let ada = try book.ask("entries", as: PeopleBook.ada, all)["ok"]?.elements ?? []
    let bob = try book.ask("entries", as: PeopleBook.bob, all)["ok"]?.elements ?? []
    #expect(ada.count == 8 && bob.count == 3)
    let positions = Set((ada + bob).compactMap { $0["position"]?.integer })
    #expect(positions.count == 11)
  }

  @Test func `cached answers equal those read anew, as the book grows`() throws {
    let world = try HiveBook(days: 30)
    let kept = world.book.reader
    for _ in 0..<3 {
      let state = world.book.read { $0 }
      for account in [world.ada, world.bob, world.cy] {
        let view = BookView(state, Query(asOf: state.at, zones: StateLedger.zones), kept)
        let fresh = BookView(state, Query(asOf: state.at, zones: StateLedger.zones), world.reader)
        #expect(
          try kept.moments.list(of: account, in: view)
            == fresh.reader.moments.list(of: account, in: fresh))
      }
      _ = try world.book.record(CreateHabit(name: "Swim"), by: world.ada)
      _ = try world.book.record(CreateHabit(name: "Think"), by: world.cy)
      if world.book.read({ $0.hives(of: world.bob).isEmpty }) { continue }
      _ = try world.book.record(LeaveHive(world.hive), by: world.bob)
    }
  }

  @Test func `a stop reads no entry again, however long the book is`() throws {
    let storage = WatchedStorage(base: MemoryStorage())
    let clock = HandClock(try #require(Instant("2024-03-02T08:00:00Z")))
    try Book.create(at: "book", storage: storage, clock: clock.bookClock)
    let book = try Book(
      opening: BookReader(at: "book", storage: storage, zones: StateLedger.zones),
      clock: clock.bookClock, segmentByteCount: Book.segmentByteCount(holding: 300),
      sealing: .atOnce)
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "UTC"))
    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    for _ in 0..<730 {
      _ = try book.record(LogHabit(read), by: ada)
      clock.instant = clock.instant.advanced(byMilliseconds: 86_400_000)
    }
    let state = book.read { $0 }
    let view = BookView(state, Query(asOf: clock.instant, zones: StateLedger.zones), book.reader)
    func counts(of body: () throws -> Void) rethrows -> Int {
      let before = storage.readByteCount
      try body()
      return storage.readByteCount - before
    }
    _ = try DensityQuestion().answer(from: view, for: ada)
    let again = try counts {
      for _ in 0..<100 { _ = try DensityQuestion().answer(from: view, for: ada) }
    }
    #expect(again == 0)
    // After another entry, none of the older ones is read.
    _ = try book.record(SkipDay(read), by: ada)
    let later = BookView(
      book.read { $0 }, Query(asOf: clock.instant, zones: StateLedger.zones), book.reader)
    let days = try DensityQuestion().answer(from: later, for: ada).days
    #expect(days.reduce(0) { $0 + $1.count.entries } == state.position + 1)
    let afterwards = try counts { _ = try DensityQuestion().answer(from: later, for: ada) }
    #expect(afterwards == 0)
  }
}
