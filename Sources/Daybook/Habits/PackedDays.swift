import Calendar
import Streaks

/// A habit's records as packed bytes, each relative to the one before (``PackedDay``), ascending by day.
///
/// Appending, and reading or replacing the last record, are O(1). Any other day is found by a scan from the first one,
/// and changed by packing it and its successor anew: O(records). Foreign bytes, such as those of a forged snapshot,
/// give wrong days, but never a trap.
struct PackedDays: Sendable, Hashable {
  private(set) var bytes: [UInt8] = []
  /// The place of the last record.
  private(set) var last = PackedDay.Predecessor.start
  /// The offset of the last record's bytes.
  private(set) var lastStart: Int32 = 0
  private(set) var count: Int32 = 0

  /// No days.
  init() {}

  /// The days of a snapshot.
  init(bytes: [UInt8], last: PackedDay.Predecessor, lastStart: Int32, count: Int32) {
    self.bytes = bytes
    self.last = last
    self.lastStart = max(0, lastStart)
    self.count = Int32(clamping: min(max(0, Int(count)), bytes.count))
  }

  /// Appends a record of a day after the last one.
  @inline(__always)
  mutating func append(_ record: DayTable.Record) {
    lastStart = Int32(truncatingIfNeeded: bytes.count)
    PackedDay(record, after: last).write(to: &bytes)
    last = PackedDay.Predecessor(of: record)
    count &+= 1
  }

  /// Appends records that were already packed relative to the last one.
  mutating func append(
    _ run: PackedRun, ending place: PackedDay.Predecessor, _ more: ArraySlice<UInt8>
  ) {
    lastStart = Int32(truncatingIfNeeded: bytes.count + Int(run.lastStart))
    bytes.append(contentsOf: more)
    last = place
    count &+= Int32(run.count)
  }

  /// The end of the records, for ``cut(to:)``.
  struct End: Sendable {
    fileprivate var byteCount: Int
    fileprivate var last: PackedDay.Predecessor
    fileprivate var lastStart: Int32
    fileprivate var count: Int32
  }

  /// The present end.
  var end: End { End(byteCount: bytes.count, last: last, lastStart: lastStart, count: count) }

  /// Removes the records appended since the given end; nothing else may have changed.
  mutating func cut(to end: End) {
    bytes.removeLast(max(0, bytes.count - end.byteCount))
    (last, lastStart, count) = (end.last, end.lastStart, end.count)
  }

  /// The record of a day.
  subscript(day: Day) -> DayTable.Record? {
    guard let found = spot(of: day).found, found.place.day == day.number else { return nil }
    return found.packed.record(at: found.place)
  }

  /// Inserts or replaces a record of a day that is not after the last one; a replaced record keeps its creation time.
  mutating func insertOrReplace(_ record: DayTable.Record) {
    let spot = spot(of: record.day)
    guard let found = spot.found else { return append(record) }
    if found.place.day == record.day.number, spot.range.upperBound == bytes.count {
      lastStart = Int32(truncatingIfNeeded: spot.range.lowerBound)
      return replaceLast(
        spot.range.count, by: found.packed.replaced(by: record, at: found.place))
    }
    var changed: [UInt8] = []
    if found.place.day == record.day.number {
      found.packed.replaced(by: record, at: found.place).write(to: &changed)
      replace(spot.range, by: changed, lastAt: 0)
    } else {
      PackedDay(record, after: spot.before).write(to: &changed)
      let first = changed.count
      found.packed.moved(to: found.place, after: .init(of: record)).write(to: &changed)
      replace(spot.range, by: changed, lastAt: first)
      count &+= 1
    }
  }

  /// Replaces the last record: today's record changes with every log, and usually keeps its length.
  private mutating func replaceLast(_ byteCount: Int, by packed: PackedDay) {
    var record = PackedRecord()
    packed.write(to: &record)
    guard record.count == byteCount else {
      bytes.removeLast(byteCount)
      return packed.write(to: &bytes)
    }
    let start = bytes.count - byteCount
    var all = bytes.mutableSpan
    for index in 0..<byteCount { all[start &+ index] = record.bytes[index] }
  }

  /// Removes a day's record.
  mutating func remove(_ day: Day) {
    guard day.number <= last.day else { return }
    let spot = scan(to: day.number)
    guard let found = spot.found, found.place.day == day.number else { return }
    count &-= 1
    var end = spot.range.upperBound
    guard let next = PackedDay(bytes.span, &end) else {
      bytes.removeSubrange(spot.range.lowerBound...)
      (last, lastStart) = (spot.before, Int32(truncatingIfNeeded: spot.beforeStart))
      return
    }
    var changed: [UInt8] = []
    next.moved(to: next.place(after: found.place), after: spot.before).write(to: &changed)
    replace(spot.range.lowerBound..<end, by: changed, lastAt: 0)
  }

  /// Replaces the bytes of one or two records. If the last record was among them, it is also the last one of the new
  /// bytes, and begins at `lastAt` in them.
  private mutating func replace(_ range: Range<Int>, by changed: [UInt8], lastAt: Int) {
    let isLast = range.upperBound == bytes.count
    bytes.replaceSubrange(range, with: changed)
    let start = isLast ? range.lowerBound + lastAt : Int(lastStart) + changed.count - range.count
    // Forged bytes may be fewer than the place of the last record implies.
    lastStart = Int32(truncatingIfNeeded: max(0, start))
  }
}

// MARK: Reading all days

extension PackedDays {
  /// Appends the days in the form that a streak rule reads: without their times and sources.
  func appendHistory(to history: inout [HabitHistory.DayRecord]) {
    let bytes = bytes.span
    var offset = 0
    var day = PackedDay.Predecessor.start.day
    let (first, last) = (Day.first.number, Day.last.number)
    let plain = HabitHistory.DayRecord(day: .first, value: .one)
    history.append(addingCapacity: Int(count)) { records in
      while !records.isFull {
        var record = plain
        if let gap = PackedDay.gapToPlainDay(bytes, &offset) {
          day = day &+ gap &+ 1
        } else if let packed = PackedDay(bytes, &offset) {
          day = packed.day(after: day)
          record.value = packed.value
        } else {
          // After invalid bytes there are no more records.
          offset = bytes.count
          break
        }
        record.day = Day(unchecked: min(max(day, first), last))
        records.append(record)
      }
    }
    // Forged bytes may hold more records than the count.
    while let packed = PackedDay(bytes, &offset) {
      day = packed.day(after: day)
      history.append(.init(day: Day(clampingNumber: Int(day)), value: packed.value))
    }
  }
}

// MARK: Finding a day

extension PackedDays {
  /// The spot of a day's record; if there is none, the spot before the next record.
  private struct RecordSlot {
    /// The place of the record before it.
    var before = PackedDay.Predecessor.start
    var beforeStart = 0
    /// The range of the bytes of the record that was found.
    var range = 0..<0
    /// The first record not before the day.
    var found: (packed: PackedDay, place: PackedDay.Predecessor)?
  }

  /// The spot of a day; for the last day, earlier records are not scanned.
  private func spot(of day: Day) -> RecordSlot {
    guard day.number >= last.day else { return scan(to: day.number) }
    var end = Int(lastStart)
    guard day.number == last.day, let packed = PackedDay(bytes.span, &end) else {
      return RecordSlot()
    }
    return RecordSlot(range: Int(lastStart)..<end, found: (packed, last))
  }

  private func scan(to day: Int32) -> RecordSlot {
    var spot = RecordSlot()
    var end = 0
    while let packed = PackedDay(bytes.span, &end) {
      let place = packed.place(after: spot.before)
      if place.day >= day {
        spot.range = spot.range.upperBound..<end
        spot.found = (packed, place)
        return spot
      }
      spot.beforeStart = spot.range.upperBound
      spot.range = end..<end
      spot.before = place
    }
    return spot
  }
}

extension DayTable {
  /// Records, unpacked one after another.
  public struct Records: Sequence, IteratorProtocol, Sendable {
    private let bytes: [UInt8]
    private var offset = 0
    private var place = PackedDay.Predecessor.start
    /// The number of remaining records.
    public private(set) var count: Int

    init(_ days: PackedDays) {
      bytes = days.bytes
      count = Int(days.count)
    }

    /// The next record.
    public mutating func next() -> Record? {
      var end = offset
      guard let packed = PackedDay(bytes.span, &end) else { return nil }
      offset = end
      count -= 1
      place = packed.place(after: place)
      return packed.record(at: place)
    }

    /// The first record.
    public var first: Record? { first { _ in true } }
  }
}
