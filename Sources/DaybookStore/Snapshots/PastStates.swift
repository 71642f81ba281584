import Daybook
import Dispatch
import Journal
import Synchronization

/// The past state that was asked for last, of an open book and for some seconds: who looks at a moment asks many things of
/// it, and each would be a replay.
///
/// One is kept at most, for it takes as much memory as the book's own. It is one before the book's last entry, of which
/// nothing changes any more but by an erasure: that has all forgotten. Whoever only reads files keeps nothing, and hears of
/// no erasure.
final class PastStates: Sendable {
  /// For how long a state is kept, from when it was asked for first.
  private let lifetime: DispatchTimeInterval

  private struct Kept {
    let instant: Instant
    let state: BookState
    let number: Int
  }

  private struct Contents {
    var kept: Kept?
    /// How many states were kept so far.
    var number = 0
    /// How often all was forgotten: what was read before that is not kept after it.
    var forgotten = 0
  }

  private let contents = Mutex(Contents())

  init(lifetime: DispatchTimeInterval = .seconds(5)) { self.lifetime = lifetime }

  /// The state as of an instant.
  ///
  /// - Parameters:
  ///   - instant: Before the book's last entry.
  ///   - read: Reads it.
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
    // The state is let go outside the lock: it may be large.
    let ended = contents.withLock { contents in
      guard contents.kept?.number == number else { return nil as Kept? }
      return contents.kept.take()
    }
    _ = ended
  }

  /// Forgets everything: what entries say was blanked.
  func forget() {
    contents.withLock { contents in
      contents.kept = nil
      contents.forgotten += 1
    }
  }
}
