import Avro
import Daybook
import Dispatch
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// A question about the past of what an account has and shares reads only that in a large book, and gives the same answer
/// as the whole past.
@Suite(.tags(.law)) struct PersonalPastTests {
  private static let names = QuestionRequest.names.filter {
    QuestionRequest.form(of: $0)?.isOfPerson == true && $0 != "stats" && $0 != "hive"
  }

  @Test func `the past of one account equals that in the whole past (ES-4, HH-16)`() throws {
    let histories = Generator.zip(.histories(), Generator<Int>.integer(in: 0...999))
    let report = check("one account's past", histories, cases: 12) { pair, statistics in
      let (history, choice) = pair
      let ledger = try JournalLawTests.play(history)
      let isSmall = try Self.compare(ledger.book, ledger.states.map(\.at), choice)
      statistics.cover("less than the whole past", atLeast: 2, isSmall)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `the past of a hive's member equals that in the whole past (HH-23, HH-24)`() throws {
    let world = try HiveBook(days: 20)
    let hive = try #require(world.book.read { $0.hives.key(of: world.hive) })
    var times: [Instant] = []
    var every = EveryEntry()
    try world.book.reader.replay(into: &every)
    for entry in every.entries { times.append(entry.head.at) }
    _ = try world.book.record(LeaveHive(world.hive), by: world.bob)
    var isSmall = false
    for choice in stride(from: 0, to: 1000, by: 90) {
      isSmall = try Self.compare(world.book, times, choice, hive: hive) || isSmall
    }
    #expect(isSmall, "some past is that of one account alone")
  }

  /// Compares the answers to all questions, for all accounts, as of a few instants.
  ///
  /// - Returns: Whether an answer was made from less than the whole past.
  private static func compare(
    _ book: Book, _ times: [Instant], _ choice: Int, hive: Key? = nil
  ) throws -> Bool {
    let present = book.read { $0 }
    var (personal, whole) = (book.reader, book.reader)
    personal.personalPastPosition = 0
    whole.personalPastPosition = .max
    personal.personalPasts = PastStates(lifetime: .never)
    guard !times.isEmpty else { return false }
    let some = times[choice * (times.count - 1) / 999]
    var isSmall = false
    for instant in [some, some.advanced(byMilliseconds: -1)] {
      for place in present.accounts.elements.indices {
        guard let asker = Account.ID(place + 1) else { continue }
        for (number, name) in (names + (hive == nil ? [] : ["hive"])).enumerated() {
          let question = question(name, instant, choice + number, hive, present)
          let found = try answer(question, personal, present, asker)
          let expected = try answer(question, whole, present, asker)
          try expectEqual(found.text, expected.text, "account \(place + 1): \(question.encoded)")
          if let position = found.position, position < expected.position ?? 0 { isSmall = true }
        }
      }
    }
    return isSmall
  }

  private static func question(
    _ name: String, _ instant: Instant, _ choice: Int, _ hive: Key?, _ present: BookState
  ) -> JSON {
    var members: [JSON.Member] = [
      .init("ask", .string(name)), .init("as_of", .string(instant.description)),
    ]
    if name == "hive", let hive { members.append(.init("hive", .string(hive.description))) }
    // Things of households that may be another's, too.
    func choose<Thing: Entity>(_ table: Table<Thing>, _ column: String) {
      guard !table.elements.isEmpty else { return }
      let key = table.elements[choice % table.elements.count].key
      members.append(.init(column, .string(key.description)))
    }
    let columns = Set(QuestionRequest.types[name]?.columns.map(\.name) ?? [])
    if columns.contains("household"), choice % 4 > 0 { choose(present.households, "household") }
    if columns.contains("recipe") { choose(present.recipes, "recipe") }
    let axes = QuestionRequest.form(of: name)?.axes ?? []
    if axes.contains(.rule), choice % 3 == 0 { members.append(.init("rule", "loop")) }
    if axes.contains(.on), choice % 5 == 0 {
      let day = Day(clampingNumber: Int(instant.milliseconds / 86_400_000) - choice % 3)
      members.append(.init("on", .string(day.description)))
    }
    return .object(members)
  }

  /// The answer and the position of its state, or the refusal as the account sees it.
  private static func answer(
    _ question: JSON, _ reader: BookReader, _ present: BookState, _ asker: Account.ID
  ) throws -> (text: String, position: Int64?) {
    do {
      let request = try QuestionRequest(
        question, of: reader, knowing: present, from: .account(asker), at: present.at)
      return (try request.answer().json.encoded, request.view.state.position)
    } catch let rejection as Rejection {
      return ("\(rejection.asSeen(by: .account(asker)))", nil)
    }
  }
}
