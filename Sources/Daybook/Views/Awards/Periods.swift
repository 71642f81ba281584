import Calendar

/// The weeks, or the months, of a habit's life, and which of them are over.
struct Periods: Sendable {
  /// A way to divide days into periods.
  struct Division: Sendable {
    /// The first day of the period that includes a day.
    let start: @Sendable (Day) -> Day
    /// The number of days of the period that begins on a day.
    let dayCount: @Sendable (Day) -> Int

    /// The days of the period that begins on a day.
    func period(_ first: Day) -> ClosedRange<Day> {
      first...first.advanced(by: dayCount(first) - 1)
    }
  }

  /// Monday to Sunday.
  static let week = Division(start: { $0.advanced(by: -$0.weekday) }, dayCount: { _ in 7 })

  /// The months of the calendar.
  static let month = Division(
    start: { $0.advanced(by: 1 - $0.parts.day) },
    dayCount: { Day.dayCount(year: $0.parts.year, month: $0.parts.month) })

  private let division: Division
  /// The first period that lies entirely in the habit's life.
  private var first = Day.last
  /// The first period that was not over at the last query.
  private var open = Day.last

  init(_ division: Division) { self.division = division }

  /// Begins the habit's life on a day.
  mutating func begin(from day: Day) {
    let start = division.start(day)
    first = start == day ? start : after(start)
    open = first
  }

  /// Whether there is another period that ends before a day.
  func hasOver(by day: Day) -> Bool {
    open < .last && division.period(open).upperBound < day
  }

  /// The next period that ends before a day.
  mutating func next(by day: Day) -> ClosedRange<Day>? {
    guard hasOver(by: day) else { return nil }
    let period = division.period(open)
    open = after(open)
    return period
  }

  /// The period that includes a day, or all periods, as far as they are over.
  func over(holding day: Day?) -> [ClosedRange<Day>] {
    if let day {
      let start = division.start(day)
      return start >= first && start < open ? [division.period(start)] : []
    }
    var periods: [ClosedRange<Day>] = []
    var start = first
    while start < open {
      periods.append(division.period(start))
      start = after(start)
    }
    return periods
  }

  private func after(_ start: Day) -> Day { start.advanced(by: division.dayCount(start)) }
}
