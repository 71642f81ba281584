import Daybook
import DaybookStore
import Journal

extension Bench {
  /// Measures snapshots: opening a sealed book with and without them, and its whole state as of instants
  /// throughout its life.
  func open(_ path: String) throws -> [Figure] {
    let reader = try book(path)
    let snapshots = Snapshots(journal: reader.journal)
    do { try Book(opening: reader).seal() }
    try snapshots.removeAll()
    let keeper = SnapshotKeeper(reader)
    var written = 0
    let writing = try Self.seconds { written = try keeper.update(isThorough: false).count }
    let sizes = try snapshots.positions.map { position in
      try reader.journal.storage.open(snapshots.path(of: position), .read).byteCount()
    }
    var state = BookState()
    var replays: [Double] = []
    var openings: [Double] = []
    for _ in 0..<5 {
      replays.append(try Self.seconds { try Self.replay(reader) })
      openings.append(try Self.seconds { state = try reader.state() })
    }
    let writers = try (0..<3).map { _ in try Self.seconds { _ = try Book(opening: reader) } }
    let begin = state.accounts.elements.first?.created.milliseconds ?? 0
    let length = max(1, state.at.milliseconds - begin)
    var random: UInt64 = 0x5EED
    let pasts = try (0..<16).map { _ in
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let instant = Instant(clamping: begin + Int64(random >> 33) % length)
      return try Self.seconds { try reader.state(asOf: instant) }
    }
    let replay = Self.median(replays)
    let past = Self.median(pasts)
    return [
      ("entries", Double(state.position)), ("snapshots", Double(written)),
      ("snapshot_bytes", Double(sizes.last ?? 0)),
      ("all_snapshots_bytes", Double(sizes.reduce(0, +))),
      ("journal_bytes", Double(try Self.byteCount(path))),
      ("all_snapshots_written_milliseconds", writing * 1000),
      ("replay_from_zero_milliseconds", replay * 1000),
      ("open_milliseconds", Self.median(openings) * 1000),
      ("open_first_round_milliseconds", openings[0] * 1000),
      ("open_for_writing_milliseconds", Self.median(writers) * 1000),
      ("as_of_milliseconds", past * 1000),
      ("as_of_slowest_milliseconds", (pasts.max() ?? 0) * 1000),
      ("as_of_by_replay", past / replay),
      ("as_of_slowest_by_replay", (pasts.max() ?? 0) / replay),
    ]
  }

  private static func replay(_ reader: BookReader) throws -> BookState {
    var replay = StateReplay()
    try reader.replay(into: &replay)
    replay.finish()
    return replay.state
  }
}
