import Avro
import DaybookAuth
import DaybookStore
import HTTPTypes
import CoreMetrics
import Daybook
import Wire

/// Tells whether a server can answer, and how large its book is.
struct Health: Sendable {
  let book: Book
  let database: ServerDatabase
  let hub: ChangeHub
  let figures: FigureRegistry

  /// How far the book may be ahead of this machine's clock, seconds: writes of an account may get ahead of it by one.
  static let tolerance: Int64 = 60

  /// By how many seconds the book's last entry is ahead of this machine's clock, where that is more than it may be. Then all
  /// that is recorded has the time of that entry, and the days of it.
  var secondsAhead: Int64? {
    let seconds = (book.read { $0.at.milliseconds } - BookClock.system.now().milliseconds) / 1000
    return seconds > Self.tolerance ? seconds : nil
  }

  /// 200 when the book takes commands, by a clock that is right, and the database can be read and written, all of it; else
  /// 503, and which of them fails.
  func answer() async -> WireResponse {
    let bookIsWell = book.refusal == nil
    var failure: DatabaseFailure?
    do throws(DatabaseFailure) { try await database.check() } catch { failure = error }
    let clockIsWell = secondsAhead == nil
    var members: [JSON.Member] = [
      .init("book", bookIsWell ? "ok" : "failed"),
      .init("database", failure == nil ? "ok" : "failed"),
      .init("clock", clockIsWell ? "ok" : "behind the book"),
      // What is not sealed or indexed makes answers slower, and fails none.
      .init("maintenance", book.maintenanceFailure == nil ? "ok" : "failed"),
      .init("position", .number(book.read { $0.position })),
    ]
    if let failure { members.append(.init("reason", .string(failure.description))) }
    let isReady = bookIsWell && failure == nil && clockIsWell
    return WireResponse(isReady ? .ok : .serviceUnavailable, .object(members))
  }

  /// Notes the figures that are looked up when somebody asks.
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
