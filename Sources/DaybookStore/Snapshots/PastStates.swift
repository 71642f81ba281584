import Daybook
import Dispatch
import Journal
import Synchronization

/// A cache of the past states that were last asked for, kept by an open book for some seconds. A user
/// who looks at one moment makes many queries about it, and each would be a replay.
///
/// A state lies before the book's last entry, so only an erasure can change it, and an erasure clears
/// the cache. A reader of files without an open book keeps nothing, because it does not learn of
/// erasures.
final class PastStates: Sendable {
  /// How long a state is kept after it was first asked for.
  private let lifetime: DispatchTimeInterval
  /// How many states are kept: a whole one takes as much memory as the book's own.
  private let count: Int

  private struct Kept {
    let instant: Instant
    /// The account whose part of the book it is; nil for all of it.
    let account: Account.ID?
    let state: BookState
    let number: Int
  }

  private struct Contents {
    /// The last one asked for is the last.
    var kept: [Kept] = []
    /// The number of states kept so far.
    var number = 0
    /// How often the cache was cleared; a state that was read before the last time is not kept.
    var forgotten = 0
  }

  private let contents = Mutex(Contents())

  init(lifetime: DispatchTimeInterval = .seconds(5), keeping count: Int = 1) {
    self.lifetime = lifetime
    self.count = count
  }

  /// The state as of an instant.
  ///
  /// - Parameters:
  ///   - instant: An instant before the book's last entry.
  ///   - account: The account whose part of the book is read; nil for all of it.
  ///   - read: Reads the state.
  /// - Returns: The state.
  /// - Throws: what `read` throws.
  func state<Failure: Error>(
    asOf instant: Instant, of account: Account.ID? = nil, _ read: () throws(Failure) -> BookState
  ) throws(Failure) -> BookState {
    let (kept, forgotten) = contents.withLock { contents in
      (
        contents.kept.last { $0.instant == instant && $0.account == account }?.state,
        contents.forgotten
      )
    }
    if let kept { return kept }
    let state = try read()
    let (number, dropped) = contents.withLock { contents -> (Int?, Kept?) in
      guard contents.forgotten == forgotten else { return (nil, nil) }
      contents.number += 1
      contents.kept.append(
        Kept(instant: instant, account: account, state: state, number: contents.number))
      return (contents.number, contents.kept.count > count ? contents.kept.removeFirst() : nil)
    }
    // A state is released outside the lock, because it may be large.
    _ = dropped
    guard let number else { return state }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + lifetime) {
      [weak self] in
      self?.end(number)
    }
    return state
  }

  private func end(_ number: Int) {
    let ended = contents.withLock { contents in
      contents.kept.firstIndex { $0.number == number }.map { contents.kept.remove(at: $0) }
    }
    _ = ended
  }

  /// Clears the cache, because an erasure blanked entries.
  func forget() {
    contents.withLock { contents in
      contents.kept = []
      contents.forgotten += 1
    }
  }
}
