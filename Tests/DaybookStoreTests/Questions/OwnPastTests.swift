import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// A question about the past of the caller's own habit reads that habit's entries, and gives the same answer as the
/// whole past.
@Suite(.tags(.law)) struct OwnPastTests {
  private static let names = ["audit", "heatmap", "history", "then_and_now", "stats", "strength"]
  private static let rules = ["daybook", "loop", "never-miss-twice", "honest"]

  @Test func `the past of one habit equals that in the whole past (ES-4, HH-8)`() throws {
    let histories = Generator.zip(.histories(), Generator<Int>.integer(in: 0...999))
    let report = check("one habit's past", histories, cases: 12) { pair, statistics in
      let (history, choice) = pair
      let ledger = try JournalLawTests.play(history)
      let present = ledger.state
      let whole = BookReader(on: try Self.log(ledger.entries()), zones: StateLedger.zones)
      var (isOwn, isRefused) = (false, false)
      for instant in Self.instants(ledger, choice) {
        let past = try whole.state(asOf: instant)
        for (place, account) in present.accounts.elements.enumerated() {
          guard let asker = Account.ID(place + 1) else { continue }
          for (index, habit) in present.habits.elements.enumerated() {
            // Some questions are about other accounts' habits.
            guard habit.owner.index == place || (place + index + choice) % 4 == 0 else { continue }
            let name = Self.names[(index + choice) % Self.names.count]
            let question = Self.question(name, habit.key, instant, choice + index)
            let found = try Self.answer(question, ledger.book.reader, present, asker)
            let expected = try Self.answer(question, whole, present, asker)
            try expectEqual(found.text, expected.text, "\(account.key): \(question.encoded)")
            if expected.position == nil { isRefused = true }
            if let position = found.position, position < past.position { isOwn = true }
          }
        }
      }
      statistics.cover("a habit's entries alone", atLeast: 25, isOwn)
      statistics.cover("refused", atLeast: 25, isRefused)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a habit's entries include those of other accounts`() throws {
    let clock = HandClock(Menu.beginnings[0])
    let storage = MemoryStorage()
    try Book.create(at: "book", storage: storage, clock: clock.bookClock)
    let book = try Book(
      opening: BookReader(at: "book", storage: storage, zones: StateLedger.zones),
      clock: clock.bookClock)
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "UTC"))
    let bob = try book.record(CreateAccount(name: "Bob", timeZone: "UTC"))
    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    let (state, at) = (book.read { $0 }, clock.instant)
    // No command lets Bob log Ada's habit, but an older book may contain that he did.
    let logged = HabitLogged(habit: read, day: clock.today, value: 1)
    let entries = try HabitEntries(of: read, until: at, in: book.reader).entries
    let foreign = Entry(
      EntryHead(position: state.position + 1, at: at, actor: bob, key: nil), .habitLogged(logged))
    let whole = BookReader(on: try Self.log(Self.all(book) + [foreign]), zones: StateLedger.zones)
    let found = try HabitEntries(of: read, until: at, in: whole)
    #expect(found.entries == entries + [foreign])
    #expect(!found.isOwnersAlone)
    #expect(try HabitEntries(of: read, until: at, in: book.reader).isOwnersAlone)
  }

  // MARK: Tools

  private static func question(
    _ name: String, _ habit: Key, _ instant: Instant, _ choice: Int
  ) -> JSON {
    var members: [JSON.Member] = [
      .init("ask", .string(name)), .init("habit", .string(habit.description)),
      .init("as_of", .string(instant.description)),
    ]
    if name != "history", name != "strength" {
      members.append(.init("rule", .string(rules[choice % rules.count])))
    }
    if choice % 5 == 0 {
      let day = Day(clampingNumber: Int(instant.milliseconds / 86_400_000) - choice % 3)
      members.append(.init("on", .string(day.description)))
    }
    return .object(members)
  }

  /// Some instants in a book's life: that of an entry, the one just before, and the last.
  private static func instants(_ ledger: BookLedger, _ choice: Int) -> [Instant] {
    let times = ledger.states.map(\.at)
    guard let last = times.last else { return [] }
    let some = times[choice * (times.count - 1) / 999]
    return [some, some.advanced(byMilliseconds: -1), last]
  }

  /// The answer and the position of its state, or the refusal.
  private static func answer(
    _ question: JSON, _ reader: BookReader, _ present: BookState, _ asker: Account.ID
  ) throws -> (text: String, position: Int64?) {
    do {
      let request = try QuestionRequest(
        question, of: reader, knowing: present, from: .account(asker), at: present.at)
      return (try request.answer().json.encoded, request.view.state.position)
    } catch let rejection as Rejection {
      return ("\(rejection.code): \(rejection)", nil)
    }
  }

  private static func all(_ book: Book) throws -> [Entry] {
    var every = EveryEntry()
    try book.reader.replay(into: &every)
    return every.entries
  }

  /// The same entries in memory, where every question reads the whole past.
  private static func log(_ entries: [Entry]) throws -> MemoryLog {
    let log = MemoryLog()
    var bytes = BinaryWriter()
    for entry in entries { entry.write(to: &bytes) }
    if !entries.isEmpty {
      try log.append(count: entries.count, entries: bytes.bytes, expecting: .start)
    }
    return log
  }
}
