import Calendar
import Synchronization

/// The value of `Date` headers (RFC 9110, section 5.6.7), formatted once a second.
final class DateHeader: Sendable {
  private struct Made {
    var second = Int64.min
    var text = ""
  }

  private let made = Mutex(Made())

  /// The value at an instant.
  func text(at instant: Instant) -> String {
    let second = DayClock.floorDivide(instant.milliseconds, 1000)
    return made.withLock { made in
      if made.second != second {
        made = Made(second: second, text: instant.internetDate + " GMT")
      }
      return made.text
    }
  }
}
