import Testing

@testable import PropertyTesting

/// A problem of the shrinking challenge (github.com/jlink/shrinking-challenge): a false property, and the simplest
/// value that breaks it.
struct ChallengeProblem: Sendable, CustomTestStringConvertible {
  /// The end of one run of a problem.
  struct Ending: Equatable, Sendable {
    /// The shrunk value, as text.
    var minimal: String
    /// The number of cases until one failed.
    var casesToFind: Int
    /// The number of runs of the body after that.
    var evaluations: Int
    var isCutShort: Bool
  }

  let name: String
  /// The simplest value, as text.
  let minimal: String
  let run: @Sendable (_ seed: UInt64, _ cases: Int) -> Ending?

  /// A problem whose body returns whether the value satisfies the property.
  init<Value>(
    _ name: String, _ generator: Generator<Value>, minimal: String,
    _ holds: @escaping @Sendable (Value) throws -> Bool
  ) {
    self.name = name
    self.minimal = minimal
    run = { seed, cases in
      var bodies = 0
      let report = checkUndisturbed(generator, cases: cases, seed: seed) { value in
        bodies += 1
        return try holds(value)
      }
      guard let example = report.counterExample else { return nil }
      return Ending(
        minimal: "\(example.minimal)", casesToFind: example.caseNumber,
        evaluations: bodies - example.caseNumber, isCutShort: example.isCutShort)
    }
  }

  var testDescription: String { name }
}

extension ChallengeProblem {
  /// All problems, in the order of their names.
  static let all: [ChallengeProblem] = [
    binaryHeap, bound5(listsOfUpTo: 10), bound5(listsOfUpTo: 1), calculator, coupling, deletion,
    difference("not be zero", minimal: "[10, 10]") { $0 != 0 },
    difference("not be small", minimal: "[10, 6]") { !(1...4).contains($0) },
    difference("not be one", minimal: "[10, 9]") { $0 != 1 },
    distinct, largeUnionList, lengthList, nestedLists, reverse,
  ]

  private static let anyInteger = Generator<Int32>.integer()

  private static let distinct = ChallengeProblem(
    "distinct", anyInteger.array(count: 0...50), minimal: "[0, 1, -1]"
  ) { list in Set(list).count < 3 }

  private static let reverse = ChallengeProblem(
    "reverse", anyInteger.array(count: 0...50), minimal: "[0, 1]"
  ) { list in list == list.reversed() }

  private static let largeUnionList = ChallengeProblem(
    "large union list", anyInteger.array(count: 0...20).array(count: 0...20),
    minimal: "[[0, 1, -1, 2, -2]]"
  ) { lists in Set(lists.joined()).count < 5 }

  private static let nestedLists = ChallengeProblem(
    "nested lists", anyInteger.array(count: 0...20).array(count: 0...20),
    minimal: "[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]"
  ) { lists in lists.map(\.count).reduce(0, +) <= 10 }

  private static let lengthList = ChallengeProblem(
    "length list",
    Generator.integer(in: 1...100).flatMap { count in
      Generator.integer(in: 0...1_000).array(count: count...count)
    }, minimal: "[900]"
  ) { list in list.allSatisfy { $0 < 900 } }

  private static let coupling = ChallengeProblem(
    "coupling", Generator.integer(in: 0...10).array(count: 0...50), minimal: "[1, 0]"
  ) { list in
    try assume(list.allSatisfy { $0 < list.count })
    return list.indices.allSatisfy { list[$0] == $0 || list[list[$0]] != $0 }
  }

  private static let deletion = ChallengeProblem(
    "deletion",
    Generator.zip(anyInteger.array(count: 0...50), Generator.integer(in: 0...10)),
    minimal: "([0, 0], 0)"
  ) { list, index in
    try assume(index < list.count)
    var rest = list
    if let first = rest.firstIndex(of: list[index]) { rest.remove(at: first) }
    return !rest.contains(list[index])
  }

  private static func difference(
    _ name: String, minimal: String, _ holds: @escaping @Sendable (Int) -> Bool
  ) -> ChallengeProblem {
    let positive = Generator.integer(in: 1...Int(Int32.max))
    return ChallengeProblem(
      "difference must \(name)", Generator.zip(positive, positive).map { [$0, $1] },
      minimal: minimal
    ) { pair in pair[0] < 10 || holds(abs(pair[0] - pair[1])) }
  }

  private static func bound5(listsOfUpTo count: Int) -> ChallengeProblem {
    let list = Generator<Int16>.integer().array(count: 0...count)
      .filter { $0.reduce(0, &+) < 256 }
    return ChallengeProblem(
      "bound5, lists of up to \(count)", list.array(count: 5...5),
      minimal: "[[], [], [], [-1], [-32768]]"
    ) { lists in lists.joined().reduce(0, &+) < 5 * 256 }
  }
}

// MARK: Calculator

extension ChallengeProblem {
  private indirect enum Expression: Sendable, CustomStringConvertible {
    case number(Int)
    case sum(Expression, Expression)
    case quotient(Expression, Expression)

    struct DivisionByZero: Error {}

    var dividesByZeroLiterally: Bool {
      switch self {
      case .number: false
      case .quotient(_, .number(0)): true
      case .sum(let left, let right), .quotient(let left, let right):
        left.dividesByZeroLiterally || right.dividesByZeroLiterally
      }
    }

    func evaluated() throws -> Int {
      switch self {
      case .number(let number): return number
      case .sum(let left, let right): return try left.evaluated() &+ right.evaluated()
      case .quotient(let left, let right):
        let (dividend, divisor) = (try left.evaluated(), try right.evaluated())
        if divisor == 0 { throw DivisionByZero() }
        return dividend.dividedReportingOverflow(by: divisor).partialValue
      }
    }

    var description: String {
      switch self {
      case .number(let number): "\(number)"
      case .sum(let left, let right): "(\(left) + \(right))"
      case .quotient(let left, let right): "(\(left) / \(right))"
      }
    }
  }

  private static let calculator: ChallengeProblem = {
    let number = Generator<Int32>.integer().map { Expression.number(Int($0)) }
    let expression = Generator.recursive(leaf: number, depth: 5) { inner in
      .oneOf(
        Generator.zip(inner, inner).map { Expression.sum($0, $1) },
        Generator.zip(inner, inner).map { Expression.quotient($0, $1) })
    }
    return ChallengeProblem("calculator", expression, minimal: "(0 / (0 + 0))") { expression in
      try assume(!expression.dividesByZeroLiterally)
      _ = try expression.evaluated()
      return true
    }
  }()
}

// MARK: Binary heap

extension ChallengeProblem {
  private indirect enum Heap: Sendable, CustomStringConvertible {
    case empty
    case node(Int, Heap, Heap)

    /// Both in one, like a skew heap.
    func merged(with other: Heap) -> Heap {
      switch (self, other) {
      case (.empty, _): other
      case (_, .empty): self
      case (.node(let mine, let left, let right), .node(let theirs, _, _)) where mine <= theirs:
        .node(mine, right.merged(with: other), left)
      case (_, .node(let theirs, let left, let right)):
        .node(theirs, right.merged(with: self), left)
      }
    }

    /// The numbers from the root on, the right subtree first.
    var numbers: [Int] {
      guard case .node(let number, let left, let right) = self else { return [] }
      return [number] + right.numbers + left.numbers
    }

    /// The numbers in order, by luck only: the rest is merged once, not again for each number.
    var numbersWronglySorted: [Int] {
      guard case .node(let number, let left, let right) = self else { return [] }
      return [number] + left.merged(with: right).numbers
    }

    var description: String {
      guard case .node(let number, let left, let right) = self else { return "None" }
      return "(\(number), \(left), \(right))"
    }

    static func generator(from minimum: Int, depth: Int) -> Generator<Heap> {
      guard depth > 0 else { return .oneOf(.constant(.empty)) }
      let node = Generator<Heap> { source in
        let number = try source.draw(.integer(in: minimum...Int(Int32.max)))
        let inner = generator(from: number, depth: depth - 1)
        return .node(number, try source.draw(inner), try source.draw(inner))
      }
      return .oneOf(.constant(.empty), node)
    }
  }

  private static let binaryHeap = ChallengeProblem(
    "binary heap", Heap.generator(from: 0, depth: 6),
    minimal: "(0, None, (0, (0, None, None), (1, None, None)))"
  ) { heap in
    let numbers = heap.numbersWronglySorted
    return numbers == numbers.sorted() && numbers == heap.numbers.sorted()
  }
}
