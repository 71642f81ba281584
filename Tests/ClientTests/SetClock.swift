import Daybook
import DaybookStore
import Synchronization

/// A clock that a test sets, using only public declarations.
final class SetClock: Sendable {
  private let time: Mutex<Instant>

  init(_ text: String) throws(NoInstant) {
    guard let start = Instant(text) else { throw NoInstant() }
    time = Mutex(start)
  }

  func set(_ text: String) throws(NoInstant) {
    guard let next = Instant(text) else { throw NoInstant() }
    time.withLock { $0 = next }
  }

  var bookClock: BookClock { BookClock(now: { self.time.withLock { $0 } }) }

  struct NoInstant: Error {}
}
