import Avro
import Daybook
import DaybookSamples
import Dispatch
import Journal
import Testing

@testable import DaybookStore

/// What the screens of the page ask costs as much as one person's part of the book, however long the book is.
@Suite(.tags(.unit)) struct ScreenCostTests {
  /// Questions about a person, all of which a screen of the page asks as of a past moment, too.
  private static let names = [
    "today", "streaks", "insights", "awards", "feed", "stats", "focus", "goals", "habits", "hives",
    "labels", "tasks", "household", "plan", "groceries", "recipes", "chores", "pantry", "calendar",
  ]

  private struct World {
    let watched: WatchedStorage
    let book: Book
    let reader: BookReader
    let person: Account.ID
    /// A moment before the last entry.
    let past: Instant

    /// A book of so many equally active accounts, one of which has a household.
    init(people: Int) throws {
      let storage = MemoryStorage()
      let last = try BenchBook.make(
        at: "book", logs: people * 200, accounts: people, grouping: .bulk, hasHives: true,
        storage: storage)
      do { try Book(opening: BookReader(at: "book", storage: storage)).seal() }
      watched = WatchedStorage(base: storage)
      let clock = HandClock(last)
      book = try Book(
        opening: BookReader(at: "book", storage: watched), clock: clock.bookClock, sealing: .atOnce)
      person = try #require(Account.ID(3))
      let home = try book.record(CreateHousehold(name: "Nest"), by: person)
      _ = try book.record(AddPantryStaple(in: home, PantryStapleContent(name: "salt")), by: person)
      clock.instant = clock.instant.advanced(byMilliseconds: 3_600_000)
      past = clock.instant
      clock.instant = clock.instant.advanced(byMilliseconds: 3_600_000)
      _ = try book.record(AddPantryStaple(in: home, PantryStapleContent(name: "rice")), by: person)
      var reader = book.reader
      reader.personalPastPosition = 0
      reader.personalPasts = PastStates(lifetime: .never)
      self.reader = reader
    }

    /// The bytes read for a question, now or as of the past moment.
    func byteCount(_ name: String, asOf instant: Instant?) throws -> Int {
      var members: [JSON.Member] = [.init("ask", .string(name))]
      if let instant { members.append(.init("as_of", .string(instant.description))) }
      let before = watched.readByteCount
      let request = try QuestionRequest(
        .object(members), of: reader, knowing: book.read { $0 }, from: .account(person),
        at: book.now)
      #expect(try request.answer().json.encoded.count > 1, "\(name)")
      return watched.readByteCount - before
    }
  }

  @Test func `a screen of the past reads one person's entries, however many others there are`()
    throws
  {
    let (few, many) = (try World(people: 12), try World(people: 120))
    for name in Self.names {
      let (one, ten) = (
        try few.byteCount(name, asOf: few.past), try many.byteCount(name, asOf: many.past)
      )
      #expect(ten < 3 * one + 4000, "\(name): \(one) bytes, then \(ten)")
    }
  }

  @Test func `a screen that is shown again reads nothing of the book`() throws {
    let world = try World(people: 30)
    for name in Self.names {
      _ = try world.byteCount(name, asOf: nil)
      #expect(try world.byteCount(name, asOf: nil) == 0, "\(name)")
    }
  }

  @Test func `after an entry of somebody else, feed and awards cost the same in a longer book`()
    throws
  {
    for people in [12, 120] {
      let world = try World(people: people)
      for name in ["feed", "awards"] { _ = try world.byteCount(name, asOf: nil) }
      var read: [Int] = []
      for _ in 0..<3 {
        _ = try world.book.record(UpdateProfile { $0.displayName = "Eve" }, by: Account.ID(9))
        for name in ["feed", "awards"] { read.append(try world.byteCount(name, asOf: nil)) }
      }
      // The first look after the book was opened reads the header of the segment, with its schema.
      #expect(read.dropFirst(2).allSatisfy { $0 < 2000 }, "\(people) people: \(read)")
    }
  }

  @Test func `feed and awards of any moment come from what is kept`() throws {
    let world = try World(people: 12)
    for name in ["feed", "awards"] { _ = try world.byteCount(name, asOf: nil) }
    let other = try #require(Account.ID(4))
    for days in 0..<20 {
      let instant = world.past.advanced(byMilliseconds: Int64(-days) * 86_400_000)
      let past = try world.reader.state(asOf: instant)
      let view = BookView(past, Query(asOf: instant, zones: world.reader.zones), world.reader)
      let before = world.watched.readByteCount
      _ = try view.feed(of: world.person)
      _ = try view.awards(of: world.person)
      #expect(world.watched.readByteCount == before, "\(days) days ago")
      if days == 0 {
        _ = try view.awards(of: other)
        #expect(world.watched.readByteCount > before, "another person's are not kept yet")
      }
    }
  }
}
