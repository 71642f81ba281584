import Calendar
import Synchronization
import Values

/// Gives each request that writes its instant: whoever pulls what changed since their last look must not miss a row, so
/// no account writes twice in one millisecond.
final class WriteClock: Sendable {
  private let last = Mutex<[Key: Instant]>([:])

  /// The instant of an account's next write: now, but after its last one, and never before the book's last entry.
  ///
  /// What is not written after all takes no instant: ``note(_:of:)`` says which was.
  ///
  /// - Parameters:
  ///   - account: Who writes.
  ///   - now: The machine's time.
  ///   - head: When the book's last entry was recorded. Of an account that did not write here before it is not known
  ///     whether it was its own.
  /// - Returns: The instant.
  func next(for account: Key, now: Instant, after head: Instant) -> Instant {
    let former = last.withLock { $0[account] } ?? head
    return max(now, head, former.advanced(byMilliseconds: 1))
  }

  /// Notes the instant of a write of an account.
  func note(_ instant: Instant, of account: Key) { last.withLock { $0[account] = instant } }
}
