import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// A book has the same state with its snapshots, without them, and with any damage to them.
@Suite(.tags(.law)) struct SnapshotLawTests {
  @Test func `law 1: a book has the same state with and without snapshots (ES-2)`() throws {
    let report = check("with or without", Self.worlds, cases: 12) { world, statistics in
      var ledger = try JournalLawTests.play(world.history, snapshots: world.spacing)
      let snapshots = Snapshots(journal: ledger.book.reader.journal)
      let positions = snapshots.positions
      statistics.cover("snapshots", atLeast: 60, positions.count > 1)
      statistics.cover("keys", atLeast: 30, ledger.keyed.count > 1 && !positions.isEmpty)
      let entries = try ledger.entries()
      for position in positions {
        var state = BookState()
        for entry in entries.prefix(Int(position.number)) { state.apply(entry) }
        var opening = snapshots.opening(before: position.number + 1)
        try expect(opening.finish().isSame(as: state), "the state as of \(position)")
        try expectEqual(opening.replay.state.digest, state.digest, "as of \(position)")
        // The same state follows from later entries, one by one, and with logs applied in groups.
        var resumed = opening.replay.state
        for entry in entries.dropFirst(Int(position.number)) {
          resumed.apply(entry)
          opening.apply(entry)
        }
        try expect(resumed.isSame(as: ledger.state), "resumed after \(position)")
        try expect(opening.finish().isSame(as: ledger.state), "replayed after \(position)")
      }
      try expect(try ledger.book.reader.state().isSame(as: ledger.state), "the reader's state")
      try ledger.reopen()
      try ledger.repeatAll("after reopening")
      try expectEqual(ledger.complaints, [])
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `law 2: the state as of an instant is a prefix, whatever happens to snapshots (ES-4)`()
    throws
  {
    let report = check("damaged", Self.worlds, cases: 6) { world, statistics in
      var ledger = try JournalLawTests.play(world.history, snapshots: world.spacing)
      let entries = try ledger.entries()
      let snapshots = Snapshots(journal: ledger.book.reader.journal)
      let paths = snapshots.positions.map(snapshots.path)
      statistics.cover("damage", atLeast: 40, paths.count > 1)
      for (path, damage) in zip(paths, world.damages) {
        try damage.come(over: path, others: paths, ledger.storage)
      }
      let instants = Set(ledger.states.map(\.at)).sorted().suffix(8)
      for instant in instants.flatMap({ [$0.advanced(byMilliseconds: -1), $0] }) {
        var prefix = BookState()
        for entry in entries where entry.head.at <= instant { prefix.apply(entry) }
        let found = try ledger.book.reader.state(asOf: instant)
        try expect(found.isSame(as: prefix), "as of \(instant)")
      }
      try expect(try ledger.book.reader.state().isSame(as: ledger.state), "the reader's state")
      try ledger.reopen()
      try expect(ledger.state.isSame(as: JournalLawTests.replayed(entries)), "reopened")
      try ledger.repeatAll("after reopening")
      try expectEqual(ledger.complaints, [])
      // Opening found the newest one damaged, if it was; a thorough pass finds all damaged ones.
      try expect(snapshots.positions.suffix(1).allSatisfy(snapshots.isWhole), "the newest")
      try ledger.book.seal()
      try expect(snapshots.positions.allSatisfy(snapshots.isWhole), "a damaged snapshot is left")
    }
    #expect(report.passed, "\(report)")
  }

  // MARK: Worlds

  struct World {
    var history: History
    var spacing: SnapshotSpacing
    var damages: [Damage]
  }

  static let worlds = Generator { source in
    World(
      history: try source.draw(.histories(12...50)),
      spacing: SnapshotSpacing(
        smallestGap: try source.draw(.integer(in: 1...9)),
        share: try source.draw(.integer(in: 1...12))),
      damages: try source.draw(damages.array(count: 12...12)))
  }

  static let damages = Generator<Damage>.oneOf(
    .constant(.none), .constant(.removed), .constant(.empty),
    Generator<Int>.integer(in: 1...9000).map { .cut($0) },
    Generator<Int>.integer(in: 0...72_000).map { .flipped($0) },
    Generator<Int>.integer(in: 0...9).map { .replaced($0) })

  /// What happens to a snapshot.
  enum Damage {
    case none, removed, empty
    /// It is shorter by this many bytes.
    case cut(Int)
    /// One bit differs.
    case flipped(Int)
    /// It is replaced by another snapshot.
    case replaced(Int)

    func come(over path: String, others: [String], _ storage: MemoryStorage) throws {
      var bytes = try storage.bytes(path)
      switch self {
      case .none: return
      case .removed: return try storage.remove(path)
      case .empty: bytes = []
      case .cut(let count): bytes.removeLast(min(count, bytes.count))
      case .flipped(let bit): bytes[bit / 8 % bytes.count] ^= 1 << UInt8(bit % 8)
      case .replaced(let index):
        bytes = (try? storage.bytes(others[index % others.count])) ?? []
      }
      try storage.replace(path, with: bytes)
    }
  }
}

extension JournalLawTests {
  static func replayed(_ entries: some Sequence<Entry>) -> BookState {
    var state = BookState()
    for entry in entries { state.apply(entry) }
    return state
  }
}

extension Snapshots {
  func isWhole(_ position: Position) -> Bool {
    guard let reader = open(position) else { return false }
    return (try? reader.read()) != nil
  }
}
