import Avro
import Daybook
import DaybookSamples
import DaybookStore
import Journal
import Testing

/// One account's questions cost as much as it owns, however long the book is.
@Suite(.tags(.unit)) struct AuditingCostTests {
  /// The bytes read for one account's questions in a sealed book with this many equally active accounts.
  private func readByteCounts(
    people: Int
  ) throws -> (diff: Int, whatIf: Int, thenAndNow: Int, past: Int) {
    let storage = MemoryStorage()
    _ = try BenchBook.make(
      at: "book", logs: people * 250, accounts: people, grouping: .bulk, storage: storage)
    do { try Book(opening: BookReader(at: "book", storage: storage)).seal() }
    let watched = WatchedStorage(base: storage)
    let reader = BookReader(at: "book", storage: watched)
    let state = try reader.state()
    let view = BookView(state, Query(asOf: state.at, zones: reader.zones), reader)
    let person = try #require(Account.ID(3))
    let habit = try #require(
      state.habits(of: person).first.flatMap {
        state.habits.number(of: $0.key)
      })
    let snapshots = Snapshots(journal: reader.journal)
    let snapshotReads = Dictionary(
      uniqueKeysWithValues: snapshots.positions.map { position in
        let path = snapshots.path(of: position)
        return (path, watched.readCount(of: path))
      })
    func count(_ body: () throws -> Void) rethrows -> Int {
      let before = watched.readByteCount
      try body()
      return watched.readByteCount - before
    }
    return (
      try count {
        let start = state.at.advanced(byMilliseconds: -20 * 86_400_000)
        let found = try view.difference(from: start, to: state.at, for: person)
        #expect(found.changes.count > 10)
      },
      try count {
        _ = try view.supposing { try $0.record(SkipDay(habit), by: person) }
          .consequences(for: person)
      },
      try count {
        let found = try view.thenAndNow(of: habit)
        #expect(found.days.count > 10)
      },
      try count {
        try askOfPast(of: habit, person, reader, state)
        for (path, reads) in snapshotReads { #expect(watched.readCount(of: path) == reads) }
      }
    )
  }

  /// Asks an account's questions about a habit, as of three weeks before the end.
  private func askOfPast(
    of habit: Habit.ID, _ person: Account.ID, _ reader: BookReader, _ state: BookState
  ) throws {
    let key = try #require(state.habits.key(of: habit))
    let moment = state.at.advanced(byMilliseconds: -21 * 86_400_000)
    for name in ["audit", "heatmap", "history"] {
      let request = try QuestionRequest(
        [
          "ask": .string(name), "habit": .string(key.description),
          "as_of": .string(moment.description),
        ], of: reader, knowing: state, from: .account(person), at: state.at)
      #expect(try request.answer().json.encoded.count > 500, "\(name)")
    }
  }

  @Test func `ten times as many people hardly increase the bytes read`() throws {
    let (few, many) = (try readByteCounts(people: 12), try readByteCounts(people: 120))
    for (name, one, ten) in [
      ("diff", few.diff, many.diff), ("whatif", few.whatIf, many.whatIf),
      ("then and now", few.thenAndNow, many.thenAndNow), ("past", few.past, many.past),
    ] {
      #expect(one > 0, "\(name) reads nothing")
      #expect(ten < 3 * one, "\(name): \(one) bytes, then \(ten)")
    }
  }
}
