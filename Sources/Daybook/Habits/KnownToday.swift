import Calendar

/// The day that it is for an account at an instant, kept for who asks for it once more: time zones are dear to ask, and
/// the logs of a batch ask for the same day a thousand times.
///
/// It holds as long as the account's day clock stays as it is.
package struct KnownToday {
  private var known: (account: Int, at: Instant, day: Day)?

  /// Knows no day yet.
  package init() {}

  /// The day of the account at a place, at an instant.
  ///
  /// - Throws: ``Rejection`` when nobody knows the account's time zone.
  mutating func day(
    of account: Int, at instant: Instant, in state: BookState, _ zones: any TimeZones
  ) throws(Rejection) -> Day {
    if let known, known.account == account, known.at == instant { return known.day }
    let clock = state.accounts.elements[account].dayClock
    guard let day = clock.day(of: instant, in: zones) else {
      throw .unknownTimeZone(clock.timeZone)
    }
    known = (account, instant, day)
    return day
  }
}
