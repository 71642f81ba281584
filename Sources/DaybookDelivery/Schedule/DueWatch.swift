import Calendar
import Daybook
import DaybookStore

/// Finds what falls due, one span of time after another, on a thread of its own, so that nobody
/// waits for its disk reads.
actor DueWatch {
  private let executor = QueueExecutor(label: "daybook.due")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let reader: BookReader
  private var follower: DueFollower
  var progress: DueProgress { DueProgress(position: follower.state.position, at: follower.at) }

  /// Starts from a saved progress.
  ///
  /// - Parameters:
  ///   - reader: The book.
  ///   - progress: The saved progress; `nil` starts now, with nothing missed.
  ///   - earliest: The instant before which anything due is dropped.
  ///   - now: The time now.
  /// - Returns: The watch.
  /// - Throws: ``JournalError``.
  static func open(
    _ reader: BookReader, after progress: DueProgress?, notBefore earliest: Instant, at now: Instant
  ) async throws -> DueWatch {
    let watch = DueWatch(reader, at: now)
    try await watch.begin(after: progress, notBefore: earliest, at: now)
    return watch
  }

  private init(_ reader: BookReader, at now: Instant) {
    self.reader = reader
    follower = DueFollower(reader, from: BookState(), after: now)
  }

  private func begin(
    after kept: DueProgress?, notBefore earliest: Instant, at now: Instant
  ) throws {
    if let kept, kept.at >= earliest {
      follower = DueFollower(
        reader, from: try state(at: kept), after: kept.at, judgesFirst: true)
    } else {
      // Whatever falls due at the earliest instant itself is included.
      let start = kept == nil ? now : earliest.advanced(byMilliseconds: -1)
      follower = DueFollower(
        reader, from: try reader.state(asOf: start), after: start, judgesFirst: true)
    }
  }

  /// The notifications that fall due after the last look, up to an instant.
  ///
  /// - Returns: The notifications, in order of time.
  /// - Throws: ``JournalError``; then the next look covers the same span.
  func advance(through now: Instant) throws -> [DueNotification] {
    // If the clock was set back, nothing falls due until it catches up.
    try follower.due(through: max(follower.at, now))
  }

  /// The state up to the position of a saved progress; a later entry may have an earlier time.
  private func state(at kept: DueProgress) throws -> BookState {
    var found = BookState()
    for milliseconds: Int64 in [0, 1000, 60_000, 3_600_000, 86_400_000] {
      let past = try reader.state(asOf: kept.at.advanced(byMilliseconds: -milliseconds))
      guard past.position > kept.position else {
        found = past
        break
      }
    }
    guard found.position < kept.position else { return found }
    var prefix = PrefixReplay(state: found, last: kept.position)
    try reader.replay(
      into: &prefix, from: found.position + 1, through: kept.position, until: kept.at)
    return prefix.state
  }
}

/// Replays entries up to a position.
private struct PrefixReplay: Projection {
  var state: BookState
  let last: Int64

  mutating func apply(_ entry: Entry) {
    if entry.head.position <= last { state.apply(entry) }
  }
}
