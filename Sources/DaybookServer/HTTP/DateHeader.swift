import Calendar
import Synchronization

/// The value of `Date` headers (RFC 9110, section 5.6.7), made once a second.
final class DateHeader: Sendable {
  private struct Made {
    var second = Int64.min
    var text = ""
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private let made = Mutex(Made())

  /// The value at an instant.
  func text(at instant: Instant) -> String {
    let second = (Double(instant.milliseconds) / 1000).rounded(.down)
    return made.withLock { made in
      if made.second != Int64(second) {
        made = Made(second: Int64(second), text: Self.text(second))
      }
      return made.text
    }
  }

  private static func text(_ seconds: Double) -> String {
    let days = (seconds / 86_400).rounded(.down)
    let (day, rest) = (Day(clampingNumber: Int(days)), Int(seconds - days * 86_400))
    let (year, month, date) = day.parts
    let time = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }
    return "\(weekdays[day.weekday]), \(padded(date, 2)) \(months[month - 1]) \(padded(year, 4)) "
      + "\(time.joined(separator: ":")) GMT"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
