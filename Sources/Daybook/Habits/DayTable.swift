public import Calendar
import Streaks

/// What is known of a habit's days: one record a day, ascending.
///
/// Nearly every record is of the latest day or of a later one, which costs a look at the end. Any other day
/// is found by a scan over the habit's days (``PackedDays``).
public struct DayTable: Sendable, Hashable {
  /// One day's record.
  public struct Record: Sendable, Hashable {
    /// The day.
    public var day: Day
    /// Where the last log or skip came from.
    public var source: Source
    /// Whether the day was skipped; then the value is zero.
    public var isSkipped: Bool
    /// The logged value, as it counts (``DayTable/entered(on:)``).
    public var value: Amount
    /// When the day was first logged or skipped since it was last clear.
    public var created: Instant
    /// When it was last logged or skipped.
    public var updated: Instant
  }

  var days = PackedDays()
  var notes: [Day: String] = [:]
  /// What was entered on the days on which another value counts.
  var entered: [Day: Amount] = [:]

  /// The records, ascending by day, unpacked as they are asked for.
  public var records: Records { Records(days) }

  /// The record of a day, if it has one.
  public subscript(day: Day) -> Record? { days[day] }

  /// What the person wrote about a day.
  public func note(on day: Day) -> String? { notes.isEmpty ? nil : notes[day] }

  /// What the person entered on a day, when it is not the value that counts (HH-8).
  package func entered(on day: Day) -> Amount? { entered.isEmpty ? nil : entered[day] }

  /// Records what was done about a day, in place of what was known of it.
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

  /// Appends what a streak rule is given of the records.
  func appendHistory(to history: inout [HabitHistory.DayRecord]) {
    days.appendHistory(to: &history)
  }

  /// The last day of which something is known.
  var lastDay: Day? { days.count > 0 ? Day(clampingNumber: Int(days.last.day)) : nil }

  /// The place of the last record.
  var last: PackedDay.Place { days.last }

  /// Records days that were packed after the last one already, with nothing written or entered beside them.
  mutating func append(
    _ run: PackedRun, ending last: PackedDay.Place, _ bytes: ArraySlice<UInt8>
  ) {
    days.append(run, ending: last, bytes)
  }

  /// Takes back a record that was made of a day after the last one.
  mutating func rollBack(_ day: Day, to end: PackedDays.End) {
    days.cut(to: end)
    if !notes.isEmpty { notes[day] = nil }
    if !entered.isEmpty { entered[day] = nil }
  }

  /// Forgets what the person wrote.
  mutating func dropNotes() { notes.removeAll() }

  mutating func clear(_ day: Day) {
    days.remove(day)
    notes[day] = nil
    entered[day] = nil
  }
}

extension DayTable {
  /// Takes a log into account.
  @inline(__always)
  mutating func apply(_ event: HabitLogged, _ head: EntryHead) {
    record(Record(event, head), note: event.note, entered: event.entered)
  }

  /// Takes into account that a day was skipped.
  mutating func apply(_ event: HabitDaySkipped, at instant: Instant) {
    record(Record(event, at: instant), note: event.note)
  }

  /// Takes into account that what was done about a day was taken back.
  mutating func apply(_ event: HabitDayReverted) {
    // A record that is replaced keeps when it was made; this one brings that along.
    clear(event.day)
    record(Record(event), note: event.note, entered: event.entered)
  }

  /// Takes into account that a day was cleared.
  mutating func apply(_ event: HabitLogCleared) { clear(event.day) }
}

extension DayTable.Record {
  /// What a log says of its day.
  @inline(__always)
  init(_ logged: HabitLogged, _ head: EntryHead) {
    self.init(
      day: logged.day, source: logged.source, isSkipped: false, value: logged.value,
      created: head.at, updated: head.at)
  }

  /// What a skip says of its day.
  init(_ skipped: HabitDaySkipped, at instant: Instant) {
    self.init(
      day: skipped.day, source: skipped.source, isSkipped: true, value: .zero, created: instant,
      updated: instant)
  }

  /// What was known of a day, and is again.
  init(_ reverted: HabitDayReverted) {
    self.init(
      day: reverted.day, source: reverted.source, isSkipped: reverted.value == nil,
      value: reverted.value ?? .zero, created: reverted.created, updated: reverted.updated)
  }
}
