import Calendar
import Synchronization
import Values

/// Gives each request that writes its instant: whoever pulls what changed since their last look must not miss a row, so
/// no account writes twice in one millisecond.
///
/// An account that writes more than a thousand times a second for long would take the book's clock, which is everybody's,
/// into the future: it gets ahead by ``lead`` at most, and writes several times in a millisecond from then on.
final class WriteClock: Sendable {
  /// How far an account gets ahead of the machine's clock, in milliseconds.
  static let lead: Int64 = 1000

  /// When the last entry was recorded that was there already: what it is ahead nobody here is to blame for.
  private let beginning: Instant
  private let last = Mutex<[Key: Instant]>([:])

  init(after beginning: Instant) { self.beginning = beginning }

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
    let latest = max(now, beginning).advanced(byMilliseconds: Self.lead)
    return max(now, head, min(former.advanced(byMilliseconds: 1), latest))
  }

  /// Notes the instant of a write of an account.
  func note(_ instant: Instant, of account: Key) { last.withLock { $0[account] = instant } }
}
