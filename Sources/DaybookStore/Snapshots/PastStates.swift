import Daybook
import Dispatch
import Journal
import Synchronization

/// A cache of the past state that was last asked for, kept by an open book for some seconds. A user
/// who looks at one moment makes many queries about it, and each would be a replay.
///
/// At most one state is kept, because it takes as much memory as the book's own. It lies before the
/// book's last entry, so only an erasure can change it, and an erasure clears the cache. A reader
/// of files without an open book keeps nothing, because it does not learn of erasures.
final class PastStates: Sendable {
  /// How long a state is kept after it was first asked for.
  private let lifetime: DispatchTimeInterval

  private struct Kept {
    let instant: Instant
    let state: BookState
    let number: Int
  }

  private struct Contents {
    var kept: Kept?
    /// The number of states kept so far.
    var number = 0
    /// How often the cache was cleared; a state that was read before the last time is not kept.
    var forgotten = 0
  }

  private let contents = Mutex(Contents())

  init(lifetime: DispatchTimeInterval = .seconds(5)) { self.lifetime = lifetime }

  /// The state as of an instant.
  ///
  /// - Parameters:
  ///   - instant: An instant before the book's last entry.
  ///   - read: Reads the state.
  /// - Returns: The state.
  /// - Throws: what `read` throws.
  func state(
    asOf instant: Instant, _ read: () throws(JournalError) -> BookState
  ) throws(JournalError) -> BookState {
    let (kept, forgotten) = contents.withLock { ($0.kept, $0.forgotten) }
    if let kept, kept.instant == instant { return kept.state }
    let state = try read()
    let number: Int? = contents.withLock { contents in
      guard contents.forgotten == forgotten else { return nil }
      contents.number += 1
      contents.kept = Kept(instant: instant, state: state, number: contents.number)
      return contents.number
    }
    guard let number else { return state }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + lifetime) {
      [weak self] in
      self?.end(number)
    }
    return state
  }

  private func end(_ number: Int) {
    // The state is released outside the lock, because it may be large.
    let ended = contents.withLock { contents in
      guard contents.kept?.number == number else { return nil as Kept? }
      return contents.kept.take()
    }
    _ = ended
  }

  /// Clears the cache, because an erasure blanked entries.
  func forget() {
    contents.withLock { contents in
      contents.kept = nil
      contents.forgotten += 1
    }
  }
}
