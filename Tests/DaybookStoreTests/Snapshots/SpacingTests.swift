import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// The choice of snapshots that a book keeps.
@Suite(.tags(.law)) struct SpacingTests {
  @Test func `no gap exceeds its share, if segments allow, and few snapshots are kept`() {
    let report = check("spacing", Self.books, cases: 600) { book, statistics in
      let plan = book.spacing.plan(ends: book.ends, kept: book.kept)
      let after = book.after(plan)
      statistics.cover("writes", atLeast: 20, !plan.write.isEmpty)
      statistics.cover("removes", atLeast: 10, !plan.remove.isEmpty)
      try expect(plan.write.allSatisfy(book.ends.contains), "a snapshot is not at a segment's end")
      try expect(!plan.write.contains(where: book.kept.contains), "an existing snapshot is written")
      try expect(plan.remove.allSatisfy(book.kept.contains), "a missing snapshot is removed")
      try expect(after.last ?? .start >= book.kept.last ?? .start, "the newest was removed")
      guard let last = book.ends.last else { return try expectEqual(after, []) }
      let gap = max(book.spacing.smallestGap, last.number / book.spacing.share)
      for (before, next) in zip([.start] + after, after) where next.number - before.number > gap {
        let between = book.ends.contains { $0 > before && $0 < next }
        try expect(!between, "a gap after \(before) could be filled")
      }
      try expect(last.number - (after.last?.number ?? 0) < max(gap / 2, book.spacing.smallestGap))
      for (one, next) in zip([.start] + after, after.dropFirst()) {
        try expect(next.number - one.number > gap, "one more than needed before \(next)")
      }
      let again = book.spacing.plan(ends: book.ends, kept: after)
      try expect(again.write.isEmpty && again.remove.isEmpty, "a second round changes something")
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a growing book keeps few snapshots, however long it gets`() {
    let spacing = SnapshotSpacing.standard
    var kept: [Position] = []
    var ends: [Position] = []
    var written = 0
    for segment in 1...300 {
      ends.append(Position(Int64(segment) * 100_000))
      let plan = spacing.plan(ends: ends, kept: kept)
      kept = (kept.filter { !plan.remove.contains($0) } + plan.write).sorted()
      written += plan.write.count
      #expect(kept.count <= 16)
    }
    #expect(written < 100)
  }

  @Test func `a small book has no snapshots`() {
    let ends = [100, 4000, 8000].map { Position($0) }
    #expect(SnapshotSpacing.standard.plan(ends: ends, kept: []).write == [])
  }

  struct World {
    var spacing: SnapshotSpacing
    var ends: [Position]
    var kept: [Position]

    func after(_ plan: (write: [Position], remove: [Position])) -> [Position] {
      (kept.filter { !plan.remove.contains($0) } + plan.write).sorted()
    }
  }

  static let books = Generator { source in
    let lengths = try source.draw(Generator<Int64>.integer(in: 1...30).array(count: 0...20))
    var ends: [Position] = []
    for length in lengths { ends.append(Position((ends.last?.number ?? 0) + length)) }
    return World(
      spacing: SnapshotSpacing(
        smallestGap: try source.draw(.integer(in: 1...40)),
        share: try source.draw(.integer(in: 1...10))),
      ends: ends, kept: try source.draw(.subsequence(of: ends)))
  }
}
