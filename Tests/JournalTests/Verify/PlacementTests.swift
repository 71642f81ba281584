import PropertyTesting
import Testing

@testable import Journal

/// The entries reported as lost, against those that were removed.
@Suite(.tags(.law)) struct PlacementTests {
  /// Runs of whole blocks, with gaps between them; a gap may state how many entries it held.
  struct World {
    var runs: [Int]
    var gaps: [(count: Int, isClaimed: Bool)]
    var isEndKnown: Bool
  }

  static let worlds = Generator { source in
    let count = try source.draw(Generator<Int>.integer(in: 1...4))
    let numbers = Generator<Int>.integer(in: 0...5)
    return World(
      runs: try source.draw(numbers.array(count: count + 1...count + 1)),
      gaps: try source.draw(
        Generator.zip(numbers, Generator<Bool>.bool()).array(count: count...count)
      ).map { ($0.0, $0.1) },
      isEndKnown: try source.draw(.bool()))
  }

  @Test func `reported losses contain the real ones, and equal them where that can be known`() {
    let report = check("placement", Self.worlds, cases: 750) { world, statistics in
      let first: Int64 = 100
      let total = world.runs.reduce(0, +) + world.gaps.reduce(0) { $0 + $1.count }
      let losses = Placement.place(
        from: Position(first),
        to: world.isEndKnown ? Position(first + Int64(total) - 1) : nil, runs: world.runs,
        claims: world.gaps.map { $0.isClaimed ? $0.count : nil })
      let silent = world.gaps.filter { !$0.isClaimed }.count
      statistics.cover("several that say nothing", atLeast: 20, silent > 1)
      var next = first
      for (index, loss) in losses.enumerated() {
        next += Int64(world.runs[index])
        let count = world.gaps[index].count
        if let told = loss.count { try expectEqual(told, count) }
        try expect(loss.first.number <= next, "\(loss) begins too late")
        if let last = loss.last {
          try expect(last.number >= next + Int64(count) - 1, "\(loss) ends too early")
        }
        if silent == 0 || (silent == 1 && world.isEndKnown) {
          try expectEqual(loss.count, count)
          try expectEqual(loss.first.number, next)
          try expectEqual(loss.last?.number, next + Int64(count) - 1)
        }
        next += Int64(count)
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a block's own count is ignored if it contradicts the segment's end`() {
    let losses = Placement.place(
      from: Position(1), to: Position(10), runs: [2, 2], claims: [99])
    #expect(losses == [.init(count: 6, first: Position(3), last: Position(8))])
    let two = Placement.place(
      from: Position(1), to: Position(10), runs: [2, 2, 2], claims: [9, 9])
    #expect(two.map(\.count) == [nil, nil])
    #expect(two.map(\.first) == [Position(3), Position(5)])
    #expect(two.map(\.last) == [Position(6), Position(8)])
    let none = Placement.place(from: Position(1), to: Position(4), runs: [2, 2], claims: [nil])
    #expect(none.first?.count == 0 && none.first?.span == nil)
  }
}
