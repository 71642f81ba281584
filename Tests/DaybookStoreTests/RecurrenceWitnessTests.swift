import Daybook
import Foundation
import PropertyTesting
import Testing

/// Compares with Foundation's `Calendar.RecurrenceRule`, for the kinds of rule on which it is right
/// (Docs/Decisions/0012-own-recurrence.md lists the others).
@Suite(.tags(.law)) struct RecurrenceWitnessTests {
  private static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
  private static let weekdays = list("BYDAY", .element(of: names))
  private static let hours = list("BYHOUR", Generator<Int>.integer(in: 0...23).map(String.init))
  private static let minutes = list("BYMINUTE", Generator<Int>.integer(in: 0...59).map(String.init))

  /// The kinds, each with an interval.
  private static let rules = Generator.zip(
    Generator<String>.oneOf(
      .constant("FREQ=DAILY"), weekdays.map { "FREQ=DAILY;\($0)" },
      hours.map { "FREQ=DAILY;\($0)" },
      Generator.zip(weekdays, Generator<String>.element(of: names))
        .map { "FREQ=WEEKLY;\($0);WKST=\($1)" },
      list("BYMONTHDAY", Generator<Int>.integer(in: 1...31).map(String.init))
        .map { "FREQ=MONTHLY;\($0)" },
      list("BYMONTH", Generator<Int>.integer(in: 1...12).map(String.init))
        .map { "FREQ=YEARLY;\($0)" },
      minutes.map { "FREQ=HOURLY;\($0)" }, .constant("FREQ=MINUTELY")),
    Generator<Int>.element(of: [1, 2, 3, 5])
  ).map { "\($0);INTERVAL=\($1)" }

  private static func list(_ name: String, _ item: Generator<String>) -> Generator<String> {
    item.array(count: 1...3).map { "\(name)=\($0.joined(separator: ","))" }
  }

  @Test func `Foundation finds the same occurrences, where it is right (DM-4)`() {
    let starts = Generator.zip(
      Generator<Int>.integer(in: 9_131...13_000), Generator<Int>.element(of: [0, 32_400, 45_296]))
    let report = check("witness", Generator.zip(Self.rules, starts), cases: 20) { text, start in
      let rule = try RecurrenceRule(parsing: text)
      let day = try Day(number: start.0) ?? { throw MissingDay() }()
      // Foundation moves to a smaller day where a month lacks the start's; every month has the 28th.
      try assume(rule.frequency != .yearly || day.parts.day <= 28)
      let first = try LocalDateTime(day: day, second: start.1) ?? { throw MissingDay() }()
      let own = Recurrence(start: first, rules: [rule]).occurrences().prefix(8).map(Self.date)
      guard let last = own.last else { return }
      let other = Self.foundation(rule).recurrences(
        of: Self.date(first), in: Self.date(first)..<last.addingTimeInterval(1))
      try expectEqual(Array(other.prefix(9)), own)
    }
    #expect(report.passed, "\(report)")
  }

  private struct MissingDay: Error {}

  private static func date(_ local: LocalDateTime) -> Date {
    Date(timeIntervalSince1970: Double(Int(local.day.number) * 86_400 + Int(local.second)))
  }

  private static func foundation(_ rule: RecurrenceRule) -> Calendar.RecurrenceRule {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    calendar.firstWeekday = (rule.weekStart + 1) % 7 + 1
    calendar.minimumDaysInFirstWeek = 4
    let frequencies: [RecurrenceRule.Frequency: Calendar.RecurrenceRule.Frequency] = [
      .minutely: .minutely, .hourly: .hourly, .daily: .daily, .weekly: .weekly,
      .monthly: .monthly, .yearly: .yearly,
    ]
    var found = Calendar.RecurrenceRule(
      calendar: calendar, frequency: frequencies[rule.frequency] ?? .daily,
      interval: rule.interval, matchingPolicy: .strict)
    let weekdays: [Locale.Weekday] = [
      .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday,
    ]
    found.months = rule.months.map { Calendar.RecurrenceRule.Month($0) }
    found.daysOfTheMonth = rule.monthDays
    found.weekdays = rule.weekdays.map { .every(weekdays[$0.weekday]) }
    (found.hours, found.minutes) = (rule.hours, rule.minutes)
    return found
  }
}
