import PropertyTesting
import Testing

/// Counter-examples known from the literature on shrinking, each found from several seeds.
@Suite(.tags(.law), .pinnedRuns) struct ShrinkingTests {
  private let numbers = Generator.integer(in: -1_000...1_000).array(count: 0...30)

  /// The minimal counter-example, the same from every seed.
  private func minimal<Value: Equatable>(
    _ generator: Generator<Value>, cases: Int = 2_000, _ holds: (Value) throws -> Bool
  ) throws -> Value {
    var found: [Value] = []
    for seed in UInt64(1)...8 {
      let report = check("false", generator, cases: cases, seed: seed << 32, holds)
      let example = try #require(report.counterExample, "\(report)")
      #expect(example.isReproducible)
      found.append(example.minimal)
    }
    let first = try #require(found.first)
    #expect(found.allSatisfy { $0 == first }, "\(found)")
    return first
  }

  @Test func `a failing list shrinks to its shortest form`() throws {
    #expect(try minimal(numbers) { list in list.allSatisfy { $0 < 500 } } == [500])
    #expect(try minimal(numbers) { list in list.count < 5 } == [0, 0, 0, 0, 0])
    #expect(try minimal(numbers) { list in list.allSatisfy { $0 > -37 } } == [-37])
  }

  @Test func `a sum shrinks to one element that exceeds the bound`() throws {
    let list = try minimal(numbers) { list in list.reduce(0, +) < 700 }
    #expect(list == [700])
  }

  @Test func `a sum of bounded elements shrinks to as few of them as suffice`() throws {
    let generator = Generator.integer(in: 0...100).array(count: 0...30)
    let list = try minimal(generator) { list in list.reduce(0, +) < 150 }
    #expect(list == [50, 100])
  }

  @Test func `a list that is not its reverse shrinks to zero and one`() throws {
    #expect(try minimal(numbers) { list in list == list.reversed() } == [0, 1])
  }

  @Test func `a list with three distinct elements keeps the simplest three`() throws {
    let list = try minimal(numbers) { list in Set(list).count < 3 }
    #expect(Set(list) == [0, 1, -1])
    #expect(list.count == 3)
  }

  @Test func `two equal elements shrink together`() throws {
    let generator = Generator.integer(in: 10...60).array(count: 0...30)
    let list = try minimal(generator) { list in Set(list).count == list.count }
    #expect(list == [10, 10])
  }

  @Test func `three equal elements shrink together`() throws {
    let generator = Generator.integer(in: 10...20).array(count: 0...30)
    let list = try minimal(generator) { list in
      !list.contains { element in list.count { $0 == element } >= 3 }
    }
    #expect(list == [10, 10, 10])
  }

  @Test func `elements of many parts are deleted whole and sorted`() throws {
    let part = Generator.integer(in: 0...3)
    let days = Generator.zip(part, part, part, part, part).map { [$0, $1, $2, $3, $4] }
      .flatMap { first in
        Generator.zip(part, part, part, part, part).map { first + [$0, $1, $2, $3, $4] }
      }
    let list = try minimal(days.array(count: 0...40)) { list in
      !list.contains { $0[0] == 1 && $0[9] == 2 } || !list.contains { $0[0] == 2 && $0[9] == 1 }
    }
    #expect(list == [[1, 0, 0, 0, 0, 0, 0, 0, 0, 2], [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]])
  }

  @Test func `nested lists lose their empty and needless parts`() throws {
    let generator = Generator.integer(in: 0...9).array(count: 0...8).array(count: 0...8)
    let nested = try minimal(generator) { nested in nested.map(\.count).reduce(0, +) < 4 }
    #expect(nested == [[0, 0, 0, 0]])
  }

  @Test func `five lists whose sums overflow shrink to two numbers at most`() throws {
    let list = Generator<Int16>.integer().array(count: 0...10)
      .filter { $0.reduce(0, &+) < 256 }
    let five = Generator.zip(list, list, list, list, list)
    for seed in UInt64(1)...8 {
      let report = check("false", five, cases: 10_000, seed: seed << 32) { lists in
        let all = [lists.0, lists.1, lists.2, lists.3, lists.4]
        return all.flatMap { $0 }.reduce(0, &+) < 5 * 256
      }
      let minimal = try #require(report.counterExample?.minimal, "\(report)")
      let all = [minimal.0, minimal.1, minimal.2, minimal.3, minimal.4].flatMap { $0 }
      #expect(all.count <= 2, "\(minimal)")
    }
  }

  @Test func `a list of a drawn length loses length and elements together`() throws {
    let generator = Generator.integer(in: 0...20).flatMap { count in
      Generator.integer(in: 0...99).array(count: count...count)
    }
    #expect(try minimal(generator) { list in !list.contains { $0 > 42 } } == [43])
  }

  @Test func `a tree shrinks to one of its subtrees`() throws {
    indirect enum Tree: Equatable, Sendable {
      case leaf(Int)
      case node(Tree, Tree)

      var depth: Int {
        switch self {
        case .leaf: 0
        case .node(let left, let right): 1 + max(left.depth, right.depth)
        }
      }

      var holdsMany: Bool {
        switch self {
        case .leaf(let number): number >= 7
        case .node(let left, let right): left.holdsMany || right.holdsMany
        }
      }
    }
    let leaf = Generator.integer(in: 0...20).map { Tree.leaf($0) }
    let tree = Generator.recursive(leaf: leaf, depth: 5) { inner in
      Generator.zip(inner, inner).map { Tree.node($0, $1) }
    }
    #expect(try minimal(tree) { tree in !tree.holdsMany } == .leaf(7))
    let deep = try minimal(tree) { tree in tree.depth < 2 }
    #expect(deep == .node(.leaf(0), .node(.leaf(0), .leaf(0))))
    let pair = try minimal(tree.array(count: 2...2)) { trees in
      !trees.allSatisfy { $0.depth >= 1 && $0.holdsMany }
    }
    #expect(pair == [.node(.leaf(0), .leaf(7)), .node(.leaf(0), .leaf(7))])
  }

  @Test func `an outer value is replaced by one inside it`() throws {
    indirect enum Outline: Equatable, Sendable {
      case entry(Int)
      case section([Int], Outline, Outline)

      var holdsMany: Bool {
        switch self {
        case .entry(let number): number >= 7
        case .section(_, let first, let second): first.holdsMany || second.holdsMany
        }
      }
    }
    let title = Generator.integer(in: 1...9).array(count: 6...6)
    let outline = Generator.recursive(leaf: Generator.integer(in: 0...9).map { .entry($0) }) {
      inner in
      Generator.zip(title, inner, inner).map { Outline.section($0, $1, $2) }
    }
    let pair = try minimal(outline.array(count: 2...2)) { !$0.allSatisfy(\.holdsMany) }
    #expect(pair == [.entry(7), .entry(7)])
  }

  @Test func `integers of every width shrink to the edge of failure`() throws {
    #expect(try minimal(Generator<UInt64>.integer()) { $0 < 1_000_003 } == 1_000_003)
    #expect(try minimal(Generator<Int64>.integer()) { $0 > -70_000 } == -70_000)
    #expect(try minimal(Generator<Int8>.integer()) { $0 != .min } == .min)
    #expect(try minimal(Generator.integer(in: -90 ... -5)) { $0 > -20 } == -20)
  }

  @Test func `doubles shrink to whole numbers or few places`() throws {
    let generator = Generator<Double>.double(in: -1_000...1_000)
    #expect(try minimal(generator) { $0 < 500.25 } == 501)
    #expect(try minimal(generator) { $0 == $0.rounded() } == 0.5)
  }

  @Test func `text shrinks to its simplest characters`() throws {
    let ascii = Generator<String>.ascii(count: 0...20)
    #expect(try minimal(ascii) { $0.count < 3 } == "aaa")
    #expect(try minimal(ascii) { !$0.contains { $0.isUppercase } } == "A")
    let unicode = Generator<String>.unicode(count: 0...20)
    #expect(try minimal(unicode) { $0.unicodeScalars.count == $0.count } == "e\u{301}")
  }

  @Test func `a history drops the days that do not matter`() throws {
    enum Step: Equatable { case paused, resumed, done }
    let histories = Generator { source in
      var steps: [Step] = []
      var isPaused = false
      var days = source.repetition(0...60)
      while try source.more(&days) {
        if try source.draw(.bool(probability: 0.2)) {
          isPaused.toggle()
          steps.append(isPaused ? .paused : .resumed)
        } else if !isPaused {
          steps.append(.done)
        }
      }
      return steps
    }
    let steps = try minimal(histories) { steps in
      guard let resumed = steps.firstIndex(of: .resumed) else { return true }
      return !steps[resumed...].contains(.done)
    }
    #expect(steps == [.paused, .resumed, .done])
  }

  @Test func `shrinking never leaves the generator's range`() {
    // A property of properties: for any rule and threshold, the values shown to the body while shrinking are in
    // order, distinct and even, and the minimal value fails.
    let rules = Generator.zip(.integer(in: 0...60), Generator<UInt64>.bits())
    let lists = Generator.integer(in: 0...100).filter { $0.isMultiple(of: 2) }
      .distinct(count: 2...12).map { $0.sorted() }
    let report = check("invariants are kept", rules, cases: 200) { threshold, seed in
      var outside: [Int]?
      let inner = check("inner", lists, seed: seed) { list in
        let isInOrder = zip(list, list.dropFirst()).allSatisfy { $0 < $1 }
        let isEven = list.allSatisfy { $0.isMultiple(of: 2) && (0...100).contains($0) }
        if !isInOrder || !isEven || !(2...12).contains(list.count) { outside = list }
        return list.reduce(0, +) < threshold
      }
      try expect(outside == nil, "saw \(outside ?? [])")
      if let minimal = inner.counterExample?.minimal {
        try expect(minimal.reduce(0, +) >= threshold, "\(minimal) does not fail")
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `shrinking does not replace one failure by another`() throws {
    // Eight zeros are simpler than eleven, and fail too, but never occur by chance.
    struct TooLong: Error {}
    struct OnlyZeros: Error {}
    let lists = Generator.integer(in: -100...100).array(count: 8...30)
    let byType = check("two mistakes", lists, cases: 1_000) { list in
      if list.count > 10 { throw TooLong() }
      if list.allSatisfy({ $0 == 0 }) { throw OnlyZeros() }
    }
    let typed = try #require(byType.counterExample)
    #expect(typed.error is TooLong && typed.minimal == Array(repeating: 0, count: 11))

    let byLine = check("two mistakes", lists, cases: 1_000) { list in
      try expect(list.count <= 10, "too long")
      try expect(list.contains { $0 != 0 }, "only zeros")
    }
    let placed = try #require(byLine.counterExample)
    #expect("\(placed.error)".contains("too long") && placed.minimal.count == 11)
  }

  @Test func `values that a filter refused are not replayed`() throws {
    let even = Generator.integer(in: 0...100).filter { $0.isMultiple(of: 2) }
    #expect(try minimal(even.array(count: 0...9)) { $0.allSatisfy { $0 < 51 } } == [52])
  }

  @Test func `choices drawn without a repetition are deleted as well`() throws {
    let raw = Generator { source in
      var numbers: [UInt64] = []
      while try source.choose(upTo: 9) > 0 { numbers.append(try source.choose(upTo: 9)) }
      return numbers
    }
    #expect(try minimal(raw) { !$0.contains(7) || !$0.contains(5) } == [5, 7])
  }

  @Test func `a body that fails only once is reported as unreproducible`() throws {
    var runs = 0
    let report = check("once", numbers) { _ in
      runs += 1
      return runs != 3
    }
    let example = try #require(report.counterExample)
    #expect(!example.isReproducible)
    #expect(report.description.contains("a second run of the same case did not fail"))
  }

  @Test func `shrinking stops at its limit`() throws {
    var runs = 0
    let report = check("never", numbers, seed: 1, shrinkLimit: 10) { _ in
      runs += 1
      return false
    }
    #expect(report.counterExample?.isCutShort == false)
    #expect(runs <= 12)
  }

  @Test func `a report states that shrinking stopped at its limit`() throws {
    for (limit, isCutShort) in [(5, true), (10_000, false)] {
      let report = check("small sums", numbers, seed: 1, shrinkLimit: limit) {
        $0.reduce(0, +) < 700
      }
      #expect(try #require(report.counterExample).isCutShort == isCutShort)
      #expect("\(report)".contains("shrinking stopped at its limit") == isCutShort)
    }
  }
}
