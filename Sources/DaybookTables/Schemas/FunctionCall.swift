import Calendar
import Daybook
import Streaks
import Values

extension TableWrite {
  /// Decides a command for a function, which says its refusals as functions of a database do: `invite expired`.
  ///
  /// - Throws: ``TableError``.
  @discardableResult
  mutating func call<C: Command>(_ command: C) throws -> C.Answer {
    try raising { write throws in try write.record(command) }
  }

  /// Does something for a function, which says its refusals as functions of a database do.
  ///
  /// - Throws: ``TableError``.
  mutating func raising<Result>(_ body: (inout TableWrite) throws -> Result) throws -> Result {
    do { return try body(&self) } catch let rejection as Rejection {
      var error = TableError.raised(rejection.code.split(separator: "_").joined(separator: " "))
      error.details = rejection.description
      throw error
    }
  }

  /// Which day a function is about: that of the client's instant, for what waited on a phone.
  func dayOf(_ instant: Instant?) -> DayChoice {
    guard let instant else { return .today }
    // A phone's clock may be a little fast.
    let isAlmostNow = instant > at && instant.milliseconds - at.milliseconds <= 300_000
    return isAlmostNow ? .today : .dayOf(instant)
  }
}

extension RowColumns {
  /// The amount of an argument: what is below one is one (R2).
  func loggedAmount(_ argument: String) -> Amount {
    Amount(Swift.max(integer(argument) ?? 1, 0)) ?? .last
  }
}
