import PropertyExpectations
import PropertyTesting
import Testing

/// The examples of `Docs/PropertyTesting.md`, as they appear there.
@Suite(.tags(.unit), .pinnedRuns) struct GuideTests {
  private enum Entry: CaseIterable { case done, missed, skipped }
  private enum Step { case paused, resumed, done, missed }

  private func streak(_ entries: [Entry]) -> Int {
    entries.reversed().filter { $0 != .skipped }.prefix { $0 == .done }.count
  }

  private let histories = Generator { source in
    var steps: [Step] = []
    var isPaused = false
    try source.repeated(0...60) { source in
      if try source.draw(.bool(probability: 0.1)) {
        isPaused.toggle()
        steps.append(isPaused ? .paused : .resumed)
      } else if !isPaused {
        steps.append(try source.draw(.element(of: [.done, .missed])))
      }
    }
    return steps
  }

  @Test func `a skipped day never changes a streak`() {
    let histories = Generator<Entry>.anyCase().array(count: 0...60)
    let report = check("a skipped day never changes a streak", histories, cases: 10_000) {
      history in
      streak(history) == streak(history + [.skipped])
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a skipped day never changes a streak, as an expectation`() async {
    let histories = Generator<Entry>.anyCase().array(count: 0...60)
    await property("a skipped day never changes a streak", histories, cases: 10_000) { history in
      #expect(streak(history) == streak(history + [.skipped]))
    }
  }

  @Test func `sorting keeps count and order`() {
    let lists = Generator.integer(in: 0...9).array(count: 0...20)
    func inOrder(_ list: [Int]) -> Bool { zip(list, list.dropFirst()).allSatisfy { $0 <= $1 } }
    let sorted = check("sorting", lists) { list in
      [
        "keeps the count": list.sorted().count == list.count,
        "keeps the order": inOrder(list.sorted()),
      ]
    }
    #expect(sorted.passed, "\(sorted)")
  }

  private struct Queue {
    var numbers: [Int] = []
    mutating func append(_ number: Int) { numbers.append(number) }
    mutating func removeFirst() -> Int { numbers.removeFirst() }
  }

  private enum QueueCommand: ModelCommand {
    case append(Int), removeFirst

    func isAllowed(in model: [Int]) -> Bool {
      if case .removeFirst = self { !model.isEmpty } else { true }
    }

    func apply(to model: inout [Int]) {
      switch self {
      case .append(let number): model.append(number)
      case .removeFirst: model.removeFirst()
      }
    }

    func run(on queue: inout Queue, model: [Int]) throws {
      switch self {
      case .append(let number): queue.append(number)
      case .removeFirst: try expectEqual(queue.removeFirst(), model.first)
      }
    }
  }

  @Test func `a queue is an array`() {
    let sequences = Generator<[QueueCommand]>.commands(from: [], count: 0...40) { model in
      .oneOf(Generator.integer(in: 0...9).map { .append($0) }, .constant(.removeFirst))
    }
    let queues = check("a queue is an array", sequences) { commands in
      var queue = Queue()
      try commands.run(on: &queue, from: [])
    }
    #expect(queues.passed, "\(queues)")
  }

  @Test func `a rule that forgets the skipped days is found out`() throws {
    let histories = Generator<Entry>.anyCase().array(count: 0...60)
    let report = check("a skipped day never changes a streak", histories, cases: 10_000) {
      history in
      let broken: ([Entry]) -> Int = { $0.reversed().prefix { $0 == .done }.count }
      return broken(history) == broken(history + [.skipped])
    }
    #expect(report.counterExample?.minimal == [.done])
  }

  @Test func `a failure reads as the guide shows it`() {
    let histories = Generator<Entry>.anyCase().array(count: 0...60)
    let report = check("a streak is shorter than its history", histories, cases: 500, seed: 22) {
      history in
      history.isEmpty || streak(history) < history.count
    }
    #expect(
      report.description == """
        “a streak is shorter than its history” is false in case 4
          counter-example: [done]
          because: the body returned false
          shrunk 1 times from: [done, done]
          replay: PROPERTY_SEED=0x1398B51CED0A2807, or seed: 0x1398B51CED0A2807
          seed of the run: 0x0000000000000016
        """)
  }

  @Test func `histories with pauses are counted`() {
    let report = check("a pause ends", histories, cases: 1_000) { history, statistics in
      statistics.cover("has a pause", atLeast: 20, history.contains(.paused))
      statistics.classify("empty", history.isEmpty)
      statistics.collect("pauses", history.count { $0 == .paused })
      return history.count { $0 == .resumed } <= history.count { $0 == .paused }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `every history of up to six days is checked`() {
    let weeks = Generator<Entry>.anyCase().array(count: 0...6)
    let exhaustive = checkExhaustively(
      "a skipped day never changes a streak", weeks, limit: 2_000
    ) { history in
      streak(history) == streak(history + [.skipped])
    }
    #expect(exhaustive.passed, "\(exhaustive)")
    #expect(exhaustive.cases == 1_093)
  }

  @Test func `guided search finds a sum that chance does not`() {
    let lists = Generator.integer(in: 0...1_000_000).array(count: 6...6)
    let sums = check("sums are not large", lists, cases: 4_000) { list, statistics in
      let sum = list.reduce(0, +)
      statistics.target("the sum", Double(sum))
      return sum < 5_950_000
    }
    #expect(sums.counterExample?.origin == .guided)
  }
}
