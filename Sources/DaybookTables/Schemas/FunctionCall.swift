import Calendar
import Daybook
import Streaks
import Values

extension TableWrite {
  /// Decides a command for a function. Rejections are raised as a database function does: `invite expired`.
  ///
  /// - Throws: ``TableError``.
  @discardableResult
  mutating func call<C: Command>(_ command: C) throws -> C.Answer {
    try raising { write throws in try write.record(command) }
  }

  /// Runs a body for a function. Rejections are raised as a database function does.
  ///
  /// - Throws: ``TableError``.
  mutating func raising<Result>(_ body: (inout TableWrite) throws -> Result) throws -> Result {
    do { return try body(&self) } catch let rejection as Rejection {
      var error = TableError.raised(rejection.code.split(separator: "_").joined(separator: " "))
      error.details = rejection.description
      throw error
    }
  }

  /// The day that a call is about: that of the client's instant, for a call that waited on a phone.
  func dayOf(_ instant: Instant?) -> DayChoice {
    guard let instant else { return .today }
    // A phone's clock may run slightly fast.
    let isAlmostNow = instant > at && instant.milliseconds - at.milliseconds <= 300_000
    return isAlmostNow ? .today : .dayOf(instant)
  }
}

extension RowColumns {
  /// The amount in an argument; less than one counts as one (R2).
  func loggedAmount(_ argument: String) -> Amount {
    Amount(Swift.max(integer(argument) ?? 1, 0)) ?? .last
  }
}
