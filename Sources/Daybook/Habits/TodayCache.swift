import Calendar

/// A cache of the actor, and of an account's day at an instant: time zone lookups are expensive, and the logs of a
/// batch need the same day a thousand times.
///
/// It is valid as long as the accounts do not change.
package struct TodayCache {
  private var actor: (number: Account.ID, place: Int)?
  private var known: (account: Int, at: Instant, day: Day)?

  /// An empty cache.
  package init() {}

  /// The index of the actor.
  ///
  /// - Throws: ``Rejection`` when there is no actor, or its account does not exist.
  @inline(__always)
  mutating func placeOfActor(
    in state: BookState, _ context: Context
  ) throws(Rejection) -> Int {
    if let actor, actor.number == context.actor { return actor.place }
    let place = try state.placeOfActor(context)
    if let number = context.actor { actor = (number, place) }
    return place
  }

  /// The day of the account at an index, at an instant.
  ///
  /// - Throws: ``Rejection`` when the account's time zone is unknown.
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
