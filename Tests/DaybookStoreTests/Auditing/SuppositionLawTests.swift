import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// A supposition has the same result as recording, and writes nothing.
@Suite(.tags(.law)) struct SuppositionLawTests {
  /// A history and its continuation, which is first supposed and then recorded.
  private static let cases = Generator.zip(
    Generator<History>.histories(3...25), Generator<History>.histories(0...4))

  @Test func `supposing commands has the same result as recording them`() {
    let report = check("foretold", Self.cases, cases: 30) { both, statistics in
      let (history, next) = both
      var ledger = try BookLedger(HandClock(Menu.beginnings[history.beginning]))
      for step in history.steps { _ = try ledger.play(step) }
      // The first two steps create an account and a habit. Only a book knows earlier uses of an id.
      let steps = next.steps.dropFirst(2).map { step in
        var step = step
        step.id = nil
        return step
      }
      let files = try BookLedger.Files(ledger.storage)
      let now = max(ledger.clock.instant, ledger.state.at)
      let view = BookView(
        ledger.state, Query(asOf: now, zones: StateLedger.zones), ledger.book.reader)
      var supposedCodes: [String?] = []
      let supposition = try view.supposing { batch in
        var supposed = SupposedLedger(batch: batch, clock: HandClock(ledger.clock.instant))
        for step in steps { supposedCodes.append(try supposed.play(step)) }
        batch = supposed.batch
      }
      try expect(try BookLedger.Files(ledger.storage) == files, "something was written")
      try expect(ledger.state.position == view.state.position, "the book changed")

      var codes: [String?] = []
      for step in steps { codes.append(try ledger.play(step)) }
      try expectEqual(supposedCodes, codes)
      let then = supposition.after.query.asOf
      let done = Supposition(
        before: supposition.before,
        after: BookView(
          ledger.state, Query(asOf: then, zones: StateLedger.zones), ledger.book.reader))
      for account in Self.people(in: view.state) {
        let foretold = try Self.lines(supposition.consequences(for: account))
        try expectEqual(foretold, try Self.lines(done.consequences(for: account)))
        statistics.cover("a change", atLeast: 5, foretold.contains { $0.count > 1 })
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `one account's reminders are its share of everybody's`() {
    let report = check("reminders", Generator<History>.histories(3...30), cases: 20) {
      history, statistics in
      var ledger = try BookLedger(HandClock(Menu.beginnings[history.beginning]))
      for step in history.steps { _ = try ledger.play(step) }
      let (state, from) = (ledger.state, max(ledger.clock.instant, ledger.state.at))
      let to = from.advanced(byMilliseconds: 4 * 86_400_000)
      var replay = DueReplay(from: state, after: from, through: to, in: StateLedger.zones)
      replay.finish()
      for account in Self.people(in: state) {
        let own = state.dueByClock(for: account, after: from, through: to, in: StateLedger.zones)
        let all = replay.notifications.filter { $0.account == account }
        try expectEqual(own, all.sorted { ($0.at, $0.id) < ($1.at, $1.id) })
        statistics.cover("a reminder", atLeast: 5, !own.isEmpty)
      }
    }
    #expect(report.passed, "\(report)")
  }

  static func people(in state: BookState) -> [Account.ID] {
    state.accounts.elements.indices.compactMap { Account.ID($0 + 1) }
      .filter { state.accounts[$0]?.isErased == false }
  }

  /// The changes of each kind, without the random keys of new entities.
  private static func lines(_ found: Consequences) throws -> [[String]] {
    let json = found.json
    return ["habits", "hives", "awards", "reminders"].map { name in
      [name]
        + (json[name]?.elements ?? []).map {
          $0.encoded.replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/, with: "key")
        }.sorted()
    }
  }
}

/// Records into a supposition.
private struct SupposedLedger: Ledger {
  var batch: Batch
  let clock: HandClock

  var state: BookState { batch.state }

  mutating func record<C: Command>(
    _ command: C, by actor: Account.ID?, at: Instant?, id: Key?
  ) throws {
    if let at, at < state.at { throw Rejection.clockBackwards(given: at, last: state.at) }
    try batch.record(command, by: actor, at: at ?? max(clock.instant, state.at))
  }

  mutating func record(_ commands: [LogHabit], by actor: Account.ID?, at: Instant?) throws {
    var copy = self
    for command in commands { try copy.record(command, by: actor, at: at, id: nil) }
    self = copy
  }
}
