public import Calendar
import Streaks

/// The records of a habit's days: one a day, ascending.
///
/// Nearly every record is for the latest day or a later one, which costs a look at the end. Any other day is found by a
/// scan of the habit's days (``PackedDays``).
public struct DayTable: Sendable, Hashable {
  /// One day's record.
  public struct Record: Sendable, Hashable {
    /// The day.
    public var day: Day
    /// The source of the last log or skip.
    public var source: LogSource
    /// Whether the day was skipped; then the value is zero.
    public var isSkipped: Bool
    /// The logged value that counts (``DayTable/entered(on:)``).
    public var value: Amount
    /// When the day was first logged or skipped since it was last cleared.
    public var created: Instant
    /// When it was last logged or skipped.
    public var updated: Instant
  }

  var days = PackedDays()
  var notes: [Day: String] = [:]
  /// The entered values, for the days on which another value counts.
  var entered: [Day: Amount] = [:]

  /// The records, ascending by day, unpacked on demand.
  public var records: Records { Records(days) }

  /// The record of a day, if it has one.
  public subscript(day: Day) -> Record? { days[day] }

  /// The person's note about a day.
  public func note(on day: Day) -> String? { notes.isEmpty ? nil : notes[day] }

  /// The value that the person entered for a day, when another value counts (HH-8).
  package func entered(on day: Day) -> Amount? { entered.isEmpty ? nil : entered[day] }

  /// Sets the record of a day, in place of an earlier one.
  @inline(__always)
  mutating func record(_ record: Record, note: String?, entered: Amount? = nil) {
    if record.day.number > days.last.day {
      days.append(record)
    } else {
      days.insertOrReplace(record)
    }
    if note != nil || !notes.isEmpty { notes[record.day] = note }
    if entered != nil || !self.entered.isEmpty { self.entered[record.day] = entered }
  }

  /// Appends the records in the form that a streak rule reads.
  func appendHistory(to history: inout [HabitHistory.DayRecord]) {
    days.appendHistory(to: &history)
  }

  /// The last day that has a record.
  var lastDay: Day? { days.count > 0 ? Day(clampingNumber: Int(days.last.day)) : nil }

  /// The place of the last record.
  var last: PackedDay.Predecessor { days.last }

  /// Appends days that are packed already and come after the last one, without notes or entered values.
  mutating func append(
    _ run: PackedRun, ending last: PackedDay.Predecessor, _ bytes: ArraySlice<UInt8>
  ) {
    days.append(run, ending: last, bytes)
  }

  /// Removes a record of a day that was appended after the last one.
  mutating func rollBack(_ day: Day, to end: PackedDays.End) {
    days.cut(to: end)
    if !notes.isEmpty { notes[day] = nil }
    if !entered.isEmpty { entered[day] = nil }
  }

  mutating func dropNotes() { notes.removeAll() }

  mutating func clear(_ day: Day) {
    days.remove(day)
    notes[day] = nil
    entered[day] = nil
  }
}

extension DayTable {
  /// Applies a log.
  @inline(__always)
  mutating func apply(_ event: HabitLogged, _ head: EntryHead) {
    record(Record(event, head), note: event.note, entered: event.entered)
  }

  /// Applies the skip of a day.
  mutating func apply(_ event: HabitDaySkipped, at instant: Instant) {
    record(Record(event, at: instant), note: event.note)
  }

  /// Applies the undo of what was recorded for a day.
  mutating func apply(_ event: HabitDayReverted) {
    // A record that is replaced keeps its creation time; this one brings its own.
    clear(event.day)
    record(Record(event), note: event.note, entered: event.entered)
  }

  /// Applies the clearing of a day.
  mutating func apply(_ event: HabitLogCleared) { clear(event.day) }
}

extension DayTable.Record {
  /// The record that a log makes of its day.
  @inline(__always)
  init(_ logged: HabitLogged, _ head: EntryHead) {
    self.init(
      day: logged.day, source: logged.source, isSkipped: false, value: logged.value,
      created: head.at, updated: head.at)
  }

  /// The record that a skip makes of its day.
  init(_ skipped: HabitDaySkipped, at instant: Instant) {
    self.init(
      day: skipped.day, source: skipped.source, isSkipped: true, value: .zero, created: instant,
      updated: instant)
  }

  /// The record of a day that is restored to an earlier one.
  init(_ reverted: HabitDayReverted) {
    self.init(
      day: reverted.day, source: reverted.source, isSkipped: reverted.value == nil,
      value: reverted.value ?? .zero, created: reverted.created, updated: reverted.updated)
  }
}
