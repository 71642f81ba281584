import Calendar
import Synchronization
import Values

/// Gives each write its instant. A client that pulls the changes since its last pull must not miss a row, so no
/// account writes twice in one millisecond.
///
/// An account that writes more than a thousand times a second for long would move the book's clock, which everybody
/// shares, into the future. So it gets ahead by at most ``lead``; from then on it writes several times in a
/// millisecond.
final class WriteClock: Sendable {
  /// How far an account's clock may run ahead of the machine's, in milliseconds.
  static let lead: Int64 = 1000

  /// The instant of the last entry that existed at the start; if it lies ahead, no caller here caused that.
  private let beginning: Instant
  private let last = Mutex<[Key: Instant]>([:])

  init(after beginning: Instant) { self.beginning = beginning }

  /// The instant of an account's next write: now, but after its last write, and never before the book's last entry.
  ///
  /// A write that is not recorded uses up no instant: ``note(_:of:)`` reports those that were.
  ///
  /// - Parameters:
  ///   - account: The account that writes.
  ///   - now: The machine's time.
  ///   - head: The instant of the book's last entry. For an account that has not written here before, that entry
  ///     may be its own.
  /// - Returns: The instant.
  func next(for account: Key, now: Instant, after head: Instant) -> Instant {
    let former = last.withLock { $0[account] } ?? head
    let latest = max(now, beginning).advanced(byMilliseconds: Self.lead)
    return max(now, head, min(former.advanced(byMilliseconds: 1), latest))
  }

  /// Notes the instant of a write of an account.
  func note(_ instant: Instant, of account: Key) { last.withLock { $0[account] = instant } }
}
