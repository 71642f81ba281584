import Daybook

/// Formats instants on the clock of the asking account, to the minute: `2026-03-01 21:00`.
///
/// Programs get them in UTC, to the millisecond, with `--json`.
struct LocalTimes {
  /// The clock; `nil` when nobody in particular asks, which means UTC.
  private let wall: WallClock?

  /// Formats for an account, or in UTC.
  init(of account: Account?, _ zones: any TimeZones) {
    wall = account.map { WallClock(timeZone: $0.dayClock.timeZone, zones: zones) }
  }

  /// The instant as text; `2026-03-01 21:00Z` in UTC.
  func callAsFunction(_ instant: Instant) -> String {
    guard let local = wall?.local(of: instant) else {
      return Self.words(instant.description) + "Z"
    }
    return Self.words(local.description)
  }

  private static func words(_ text: String) -> String {
    text.prefix(10) + " " + text.dropFirst(11).prefix(5)
  }
}

extension QueryContext {
  /// The clock of the asking account.
  var times: LocalTimes { times(of: account) }

  /// The clock of an account.
  func times(of account: Account.ID?) -> LocalTimes {
    LocalTimes(of: account.flatMap { state.viewer($0) ?? people.accounts[$0] }, query.zones)
  }
}
