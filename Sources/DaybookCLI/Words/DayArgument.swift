import ArgumentParser
import Daybook
import DaybookStore

/// Parses a day that is not in the future; for future days see ``ComingDay``.
enum DayArgument {
  static let help = DayWords.pastHelp

  /// The day that a command refers to; today by default.
  static func choice(
    _ text: String?, for account: Account.ID, in state: BookState, _ query: Query
  ) throws -> DayChoice {
    guard let text else { return .today }
    return .day(try day(text, for: state.accounts[account], query))
  }

  static func day(_ text: String, for account: Account?, _ query: Query) throws -> Day {
    guard let day = try known(text, for: account, query) else {
      throw ValidationError("\"\(text)\" is not a day: give \(help)")
    }
    return day
  }

  /// The day that a text denotes, if any.
  static func known(_ text: String, for account: Account?, _ query: Query) throws -> Day? {
    if let day = Day(text) { return day }
    return DayWords(today: try today(for: account, query), direction: .past).day(text)
  }

  /// Whether a text denotes a day.
  static func isDay(_ text: String) -> Bool {
    Day(text) != nil || DayWords(today: Day(clampingNumber: 0), direction: .past).day(text) != nil
  }

  /// Today for the account; in UTC when nobody in particular asks.
  static func today(for account: Account?, _ query: Query) throws(Rejection) -> Day {
    let clock = account?.dayClock ?? DayClock(timeZone: "UTC", dayStartHour: 0)
    guard let today = clock.day(of: query.asOf, in: query.zones) else {
      throw .unknownTimeZone(clock.timeZone)
    }
    return today
  }
}
