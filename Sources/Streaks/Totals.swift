public import Calendar

/// A calendar period for statistics (DG-5).
public enum Period: String, Hashable, Sendable, CaseIterable {
  /// One day.
  case day
  /// Monday to Sunday.
  case week
  /// A calendar month.
  case month
  /// A calendar year.
  case year

  /// The first day of the period that contains the day.
  ///
  /// The week of 0001-01-01 and every other period start within the years 1…9999.
  public func start(of day: Day) -> Day {
    switch self {
    case .day: return day
    case .week: return day.advanced(by: -day.weekday)
    case .month: return day.advanced(by: 1 - day.parts.day)
    case .year: return Day(year: day.parts.year, month: 1, day: 1) ?? day
    }
  }

  /// The first day of the following period, or `nil` after the year 9999.
  package func next(after day: Day) -> Day? {
    let (year, month, _) = day.parts
    switch self {
    case .day: return Day(number: Int(day.number) + 1)
    case .week: return Day(number: Int(day.number) - day.weekday + 7)
    case .month: return Day(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
    case .year: return Day(year: year + 1, month: 1, day: 1)
    }
  }
}

/// The results of one day, week, month or year (DG-5, HH-14).
public struct Totals: Hashable, Sendable {
  /// The first day of the period.
  public var start: Day
  /// How many of its days were done, partly done and not done.
  public var completion: Completion
  /// The sum of the amounts entered on its days, in thousandths.
  public var sumThousandths: Int64

  /// Makes totals.
  public init(start: Day, completion: Completion = Completion(), sumThousandths: Int64 = 0) {
    self.start = start
    self.completion = completion
    self.sumThousandths = sumThousandths
  }
}

/// Counts judged days by period, oldest first, without gaps: a period without judged days is present and
/// empty.
package struct TotalsTally {
  private let period: Period
  package private(set) var totals: [Totals] = []
  /// The first day of the period after the last one.
  private var next: Day?
  /// The entered amounts, for days on which another value was judged.
  private let entered: [Day: Amount]

  package init(by period: Period, entered: [Day: Amount] = [:]) {
    self.period = period
    self.entered = entered
  }

  /// Moves to the period of a day that is not before the earlier ones.
  @inline(__always)
  package mutating func move(to day: Day) {
    if totals.isEmpty { return begin(period.start(of: day)) }
    while let start = next, start <= day { begin(start) }
  }

  /// Takes the next judged day.
  @inline(__always)
  package mutating func receive(_ day: JudgedDay) {
    move(to: day.day)
    totals[totals.count - 1].completion.add(day.mark)
    var value = day.value
    if !entered.isEmpty, value != nil { value = entered[day.day] ?? value }
    totals[totals.count - 1].sumThousandths += value?.thousandths ?? 0
  }

  /// Takes the next judged day, on which nothing was done, and the equal days after it through day number
  /// `last`.
  package mutating func receive(_ day: JudgedDay, through last: Int) {
    var first = day.day
    while Int(first.number) <= last {
      move(to: first)
      let end = next.map { min(last, Int($0.number) - 1) } ?? last
      totals[totals.count - 1].completion.add(day.mark, end - Int(first.number) + 1)
      first = first.advanced(by: end - Int(first.number) + 1)
      if end == last { return }
    }
  }

  private mutating func begin(_ start: Day) {
    totals.append(Totals(start: start))
    next = period.next(after: start)
  }
}

extension Judgement {
  /// Totals by period, oldest first, without gaps: a period without judged days is present and empty.
  ///
  /// - Parameters:
  ///   - period: The period to count by.
  ///   - span: The days to count. Its first and last period are present even if none of their days was
  ///     judged. Without it: from the first judged day to the last.
  /// - Returns: One entry a period; none when no day was judged and no span given.
  public func totals(by period: Period, over span: ClosedRange<Day>? = nil) -> [Totals] {
    guard let first = span?.lowerBound ?? days.first?.day,
      let last = span?.upperBound ?? days.last?.day
    else { return [] }
    var tally = TotalsTally(by: period)
    tally.move(to: first)
    for day in days where day.day >= first && day.day <= last { tally.receive(day) }
    tally.move(to: last)
    return tally.totals
  }
}
