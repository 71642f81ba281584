/// The Gregorian calendar, one day after the other, by the lengths of the months.
struct NaiveCalendar {
  private(set) var year = 1
  private(set) var month = 1
  private(set) var day = 1
  /// Days since 0001-01-01, a Monday.
  private(set) var count = 0

  var weekday: Int { count % 7 }

  /// `2026-03-01`.
  var text: String {
    func padded(_ number: Int, _ width: Int) -> String {
      String(String(number + 100_000).suffix(width))
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  var isLeap: Bool { year % 400 == 0 || year % 4 == 0 && year % 100 != 0 }

  var monthLength: Int {
    [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  mutating func step() {
    count += 1
    day += 1
    guard day > monthLength else { return }
    (day, month) = (1, month + 1)
    if month == 13 { (month, year) = (1, year + 1) }
  }

  mutating func skip(years: Int) {
    for _ in 0..<years {
      count += isLeap ? 366 : 365
      year += 1
    }
  }
}
