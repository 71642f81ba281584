import Avro
import DaybookAuth
import DaybookStore
import HTTPTypes
import CoreMetrics
import Daybook
import Wire

/// Reports whether a server can answer, and how large its book is.
struct Health: Sendable {
  let book: Book
  let database: ServerDatabase
  let hub: ChangeHub
  let figures: FigureRegistry

  /// How far the book may be ahead of this machine's clock, in seconds: an account's writes may run ahead by one.
  static let tolerance: Int64 = 60

  /// How far the book's last entry is ahead of this machine's clock, in seconds, if that exceeds the tolerance. New
  /// entries then get the time and the day of that entry.
  var secondsAhead: Int64? {
    let seconds = (book.read { $0.at.milliseconds } - BookClock.system.now().milliseconds) / 1000
    return seconds > Self.tolerance ? seconds : nil
  }

  /// Answers 200 if the book accepts commands, its clock is right, and the whole database can be read and written;
  /// otherwise 503, with the check that failed.
  func answer() async -> WireResponse {
    let bookIsWell = book.refusal == nil
    var failure: DatabaseFailure?
    do throws(DatabaseFailure) { try await database.check() } catch { failure = error }
    let clockIsWell = secondsAhead == nil
    var members: [JSON.Member] = [
      .init("book", bookIsWell ? "ok" : "failed"),
      .init("database", failure == nil ? "ok" : "failed"),
      .init("clock", clockIsWell ? "ok" : "behind the book"),
      // A failed sealing or indexing slows answers, but fails none.
      .init("maintenance", book.maintenanceFailure == nil ? "ok" : "failed"),
      .init("position", .number(book.read { $0.position })),
    ]
    if let failure { members.append(.init("reason", .string(failure.description))) }
    let isReady = bookIsWell && failure == nil && clockIsWell
    return WireResponse(isReady ? .ok : .serviceUnavailable, .object(members))
  }

  /// Records the metrics that are computed on demand.
  func noteFigures() {
    let state = book.read { $0 }
    note("daybook_position", state.position)
    note("daybook_maintenance_failed", book.maintenanceFailure == nil ? 0 : 1)
    note("daybook_channels", Int64(hub.channelCount))
    note("daybook_change_lag_milliseconds", hub.lag.milliseconds)
    for (table, count) in [
      ("profiles", state.accounts.elements.count), ("habits", state.habits.elements.count),
      ("goals", state.goals.elements.count), ("hives", state.hives.elements.count),
      ("tasks", state.tasks.elements.count), ("labels", state.labels.elements.count),
      ("households", state.households.elements.count),
      ("recipes", state.recipes.elements.count),
      ("calendar_events", state.calendarEvents.elements.count),
    ] {
      note("daybook_rows", Int64(count), [("table", table)])
    }
  }

  private func note(_ label: String, _ value: Int64, _ dimensions: [(String, String)] = []) {
    figures.makeRecorder(label: label, dimensions: dimensions, aggregate: false).record(value)
  }
}
