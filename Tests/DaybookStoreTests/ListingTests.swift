import Avro
import Daybook
import DaybookStore
import PropertyTesting
import Synchronization
import Testing

/// Long answers are made page by page, and equal the whole answer.
@Suite(.tags(.law)) struct ListingTests {
  /// Numbers in steps; counts the steps made but not yet taken.
  private final class Numbers: Listing {
    let stepCount: Int
    private let waiting = Mutex((now: 0, most: 0))

    init(_ count: Int) { stepCount = count }

    func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for step in steps {
        for _ in 0..<(step % 3) { rows.number(Int64(step)) }
      }
      waiting.withLock { waiting in
        waiting.now += steps.count
        waiting.most = max(waiting.most, waiting.now)
      }
    }

    /// Notes that a page of 128 steps was taken.
    func take() { waiting.withLock { $0.now -= 128 } }

    var maximumWaitingCount: Int { waiting.withLock { $0.most } }
  }

  @Test(arguments: [0, 1, 2, 127, 128, 129, 1000, 5000], [1, 2, 3])
  func `pages in order make all rows`(count: Int, threads: Int) {
    var array: [UInt8] = []
    Numbers(count).writeArray(threads: threads) { array += $0 }
    let expected = (0..<count).flatMap { [Int](repeating: $0, count: $0 % 3) }
    #expect(String(decoding: array, as: UTF8.self) == "[" + expected.text(",") + "]")
    var lines: [UInt8] = []
    Numbers(count).forEachPage(in: .lines, threads: threads) { lines += $0 }
    #expect(
      String(decoding: lines, as: UTF8.self)
        == expected.text("\n") + (expected.isEmpty ? "" : "\n"))
  }

  @Test(arguments: [10_000, 100_000])
  func `a few pages a thread are held at once, however many there are`(
    count: Int
  ) {
    let numbers = Numbers(count)
    numbers.forEachPage(in: .array, threads: 2) { _ in numbers.take() }
    // Four pages wait for each thread, and one is being taken.
    #expect(numbers.maximumWaitingCount <= 128 * 9)
  }

  @Test func `a receiver that stops gets no more pages`() {
    struct Enough: Error {}
    var count = 0
    #expect(throws: Enough.self) {
      try Numbers(100_000).forEachPage(in: .array, threads: 2) { _ throws(Enough) in
        count += 1
        throw Enough()
      }
    }
    #expect(count == 1)
  }

  @Test func `lists of many habits equal each habit's own figures (HH-12, HH-13, HH-14, DG-5)`() {
    let report = check("lists of habits", StreakLawTests.trials, cases: 20) { pair in
      let trial = try StreakLawTests.trial(pair)
      let state = trial.ledger.state
      for on in [nil, trial.today, trial.today.advanced(by: -3)] {
        let query = Query(asOf: trial.now, on: on, zones: SystemTimeZones.shared)
        guard let views = try? state.habits(of: nil).map({ try state.view(of: $0, query) }) else {
          // A day in the future of one account is refused for all of them.
          try expectEqual((try? StreakList(in: state, query)) == nil, true)
          continue
        }
        let streaks = try StreakList(in: state, query)
        try expectEqual(streaks.rows.count, views.count)
        for (row, view) in zip(streaks.rows, views) {
          try expectEqual(row["current"]?.integer, view.judgement.current?.length ?? 0)
          try expectEqual(row["longest"]?.integer, view.judgement.longest?.length ?? 0)
          try expectEqual(row["full_days"]?.integer, view.judgement.count(of: .full))
        }
        let statistics = try StatisticsList(of: nil, nil, in: state, query, by: .week, count: 4)
        for (row, view) in zip(statistics.rows, views) {
          let totals = view.judgement.totals(by: .week).suffix(4)
          try expectEqual(
            row["totals"]?.elements?.map { $0["full_days"]?.integer },
            totals.map { $0.completion.full })
          let account = state.accounts[view.habit.owner]?.key
          try expectEqual(
            row, StatisticsReport(view, by: .week, count: 4, account: account).json)
        }
        let due = views.filter { view in
          let judged = view.judgement[view.day]
          return judged.map {
            $0.mark != .paused && ($0.due || $0.value != nil || $0.mark == .skipped)
          } ?? false
        }
        let cards = try TodayList(in: state, query).rows
        try expectEqual(
          cards.map { $0["habit"]?.text }, due.map { $0.habit.key.description })
        for (card, view) in zip(cards, due) {
          try expectEqual(card["mark"]?.text, view.judgement[view.day]?.mark.rawValue)
          try expectEqual(card["streak"]?.integer, view.judgement.current?.length ?? 0)
          try expectEqual(
            card["recent"]?.elements?.map(\.text),
            (0..<14).map { view.judgement[view.day.advanced(by: $0 - 13)]?.mark.rawValue })
        }
      }
    }
    #expect(report.passed, "\(report)")
  }
}

extension [Int] {
  fileprivate func text(_ separator: String) -> String {
    map(String.init).joined(separator: separator)
  }
}
