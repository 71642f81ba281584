import Calendar
import Daybook
import DaybookStore

/// Finds what falls due, one span after another, on a thread of its own: nobody waits for its disk.
actor DueWatch {
  private let executor = QueueExecutor(label: "daybook.due")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let reader: BookReader
  private var follower: DueFollower
  /// Up to where it has looked.
  var progress: DueProgress { DueProgress(position: follower.state.position, at: follower.at) }

  /// Begins where somebody stopped.
  ///
  /// - Parameters:
  ///   - reader: The book.
  ///   - progress: Up to where was looked; nothing begins now, with nothing missed.
  ///   - earliest: What fell due before it is nobody's concern any more.
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
      // What fell due at the earliest instant itself is in.
      let start = kept == nil ? now : earliest.advanced(byMilliseconds: -1)
      follower = DueFollower(
        reader, from: try reader.state(asOf: start), after: start, judgesFirst: true)
    }
  }

  /// What falls due after the last look, up to an instant.
  ///
  /// - Returns: The notifications, in the order of time.
  /// - Throws: ``JournalError``; then the next look sees the same.
  func look(through now: Instant) throws -> [DueNotification] {
    // A clock that was put back finds nothing until it is where it was.
    try follower.due(through: max(follower.at, now))
  }

  /// The state after an entry, as that is what was looked at: an entry behind it may have an earlier time.
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

/// Carries a state through the entries up to one, and no further.
private struct PrefixReplay: Projection {
  var state: BookState
  let last: Int64

  mutating func apply(_ entry: Entry) {
    if entry.head.position <= last { state.apply(entry) }
  }
}
