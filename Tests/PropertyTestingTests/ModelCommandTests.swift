import PropertyTesting
import Testing

/// A queue of bounded size against an array.
@Suite(.tags(.law)) struct ModelCommandTests {
  /// A ring of slots. The wrong one does not return to its first slot when it is emptied past its end.
  private struct Ring {
    var slots: [Int?] = Array(repeating: nil, count: 4)
    var first = 0
    var count = 0
    let isWrong: Bool

    mutating func append(_ number: Int) {
      slots[(first + count) % slots.count] = number
      count += 1
    }

    mutating func removeFirst() -> Int? {
      defer {
        slots[first] = nil
        first = isWrong ? min(first + 1, slots.count - 1) : (first + 1) % slots.count
        count -= 1
      }
      return slots[first]
    }
  }

  private enum Command: ModelCommand {
    case append(Int)
    case removeFirst

    func isAllowed(in model: [Int]) -> Bool {
      switch self {
      case .append: model.count < 4
      case .removeFirst: !model.isEmpty
      }
    }

    func apply(to model: inout [Int]) {
      switch self {
      case .append(let number): model.append(number)
      case .removeFirst: model.removeFirst()
      }
    }

    func run(on ring: inout Ring, model: [Int]) throws {
      try expectEqual(ring.count, model.count)
      switch self {
      case .append(let number): ring.append(number)
      case .removeFirst: try expectEqual(ring.removeFirst(), model.first)
      }
    }
  }

  private let sequences = Generator<[Command]>.commands(from: [], count: 0...60) { _ in
    .oneOf(Generator.integer(in: 0...99).map { .append($0) }, .constant(.removeFirst))
  }

  @Test func `a correct implementation matches its model`() {
    let report = check("a ring is a queue", sequences, cases: 300) { commands in
      var ring = Ring(isWrong: false)
      try commands.run(on: &ring, from: [])
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a wrong implementation fails with the fewest commands`() throws {
    for seed in UInt64(1)...20 {
      let report = check("a ring is a queue", sequences, cases: 2_000, seed: seed << 32) {
        commands in
        var ring = Ring(isWrong: true)
        try commands.run(on: &ring, from: [])
      }
      let example = try #require(report.counterExample, "\(report)")
      let text = example.minimal.map {
        if case .append(let number) = $0 { "+\(number)" } else { "-" }
      }
      #expect(text == ["+0", "+0", "+0", "+0", "-", "+0", "-", "-", "-", "-"], "\(report)")
      #expect("\(example.error)".hasPrefix("command 10, removeFirst: expected 0, found nil"))
    }
  }

  @Test func `commands are generated only where the state allows them`() {
    let report = check("allowed", sequences, cases: 300) { commands in
      var model: [Int] = []
      for command in commands {
        try expect(command.isAllowed(in: model))
        command.apply(to: &model)
      }
    }
    #expect(report.passed, "\(report)")
    // Nor while shrinking: the error would differ.
    let long = check("few are removed", sequences, cases: 1_000) { commands in
      var model: [Int] = []
      for command in commands {
        if !command.isAllowed(in: model) { throw Discard("not allowed") }
        command.apply(to: &model)
      }
      return commands.count { if case .removeFirst = $0 { true } else { false } } < 3
    }
    #expect(long.counterExample?.minimal.count == 6, "\(long)")
  }
}
