import Calendar

/// Who asks, and the day that it is for an account at an instant, kept for who asks for it once more: time zones are dear to
/// ask, and the logs of a batch ask for the same day a thousand times.
///
/// It holds as long as the accounts stay as they are.
package struct KnownToday {
  private var actor: (number: Account.ID, place: Int)?
  private var known: (account: Int, at: Instant, day: Day)?

  /// Knows no day yet.
  package init() {}

  /// Where the one who asks stands.
  ///
  /// - Throws: ``Rejection`` when nobody asks, or an account that is not there.
  @inline(__always)
  mutating func placeOfActor(
    in state: BookState, _ context: Context
  ) throws(Rejection) -> Int {
    if let actor, actor.number == context.actor { return actor.place }
    let place = try state.placeOfActor(context)
    if let number = context.actor { actor = (number, place) }
    return place
  }

  /// The day of the account at a place, at an instant.
  ///
  /// - Throws: ``Rejection`` when nobody knows the account's time zone.
  @inline(__always)
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
