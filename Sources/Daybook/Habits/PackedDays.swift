import Calendar
import Streaks

/// A habit's records as packed bytes, each relative to the one before (``PackedDay``), ascending by day.
///
/// Appending, looking at the last record and replacing it are O(1). Any other day is found by a scan from
/// the first one, and changed by packing it and its successor anew: O(records). Bytes that were not packed
/// here, as those of a forged snapshot, give odd days, never a trap.
struct PackedDays: Sendable, Hashable {
  private(set) var bytes: [UInt8] = []
  /// The place of the last record.
  private(set) var last = PackedDay.Place.start
  /// Where the bytes of the last record begin.
  private(set) var lastStart: Int32 = 0
  private(set) var count: Int32 = 0

  /// No days.
  init() {}

  /// The days of a snapshot.
  init(bytes: [UInt8], last: PackedDay.Place, lastStart: Int32, count: Int32) {
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
    last = PackedDay.Place(of: record)
    count &+= 1
  }

  /// Appends records that were packed after the last one already.
  mutating func append(_ run: PackedRun, ending place: PackedDay.Place, _ more: ArraySlice<UInt8>) {
    lastStart = Int32(truncatingIfNeeded: bytes.count + Int(run.lastStart))
    bytes.append(contentsOf: more)
    last = place
    count &+= Int32(run.count)
  }

  /// How the records end, for ``cut(to:)``.
  struct End: Sendable {
    fileprivate var byteCount: Int
    fileprivate var last: PackedDay.Place
    fileprivate var lastStart: Int32
    fileprivate var count: Int32
  }

  /// How they end now.
  var end: End { End(byteCount: bytes.count, last: last, lastStart: lastStart, count: count) }

  /// Takes back what was appended since they ended so; nothing else may have changed.
  mutating func cut(to end: End) {
    bytes.removeLast(max(0, bytes.count - end.byteCount))
    (last, lastStart, count) = (end.last, end.lastStart, end.count)
  }

  /// The record of a day.
  subscript(day: Day) -> DayTable.Record? {
    guard let found = spot(of: day).found, found.place.day == day.number else { return nil }
    return found.packed.record(at: found.place)
  }

  /// Records a day that is not after the last one; one that is there keeps when it was created.
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

  /// Puts a record in the place of the last one: today's changes log after log, and most often keeps its length.
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

  /// Forgets a day.
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

  /// Puts other bytes in the place of a record, or of two. If the last record was among them, it is also
  /// the last one of the new bytes, and begins at `lastAt` in them.
  private mutating func replace(_ range: Range<Int>, by changed: [UInt8], lastAt: Int) {
    let isLast = range.upperBound == bytes.count
    bytes.replaceSubrange(range, with: changed)
    let start = isLast ? range.lowerBound + lastAt : Int(lastStart) + changed.count - range.count
    // Forged bytes may be fewer than the place of the last record says.
    lastStart = Int32(truncatingIfNeeded: max(0, start))
  }
}

// MARK: Reading all days

extension PackedDays {
  /// Appends what a streak rule is given of the days: not when they were recorded, and not from where.
  func appendHistory(to history: inout [HabitHistory.DayRecord]) {
    let bytes = bytes.span
    var offset = 0
    var day = PackedDay.Place.start.day
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
          // Where bytes are no record, none follows.
          offset = bytes.count
          break
        }
        record.day = Day(unchecked: min(max(day, first), last))
        records.append(record)
      }
    }
    // Forged bytes may hold more than they say.
    while let packed = PackedDay(bytes, &offset) {
      day = packed.day(after: day)
      history.append(.init(day: Day(clampingNumber: Int(day)), value: packed.value))
    }
  }
}

// MARK: Finding a day

extension PackedDays {
  /// Where a day's record is, or would be: then before the one found.
  private struct Spot {
    /// The place of the record before, and where its bytes begin.
    var before = PackedDay.Place.start
    var beforeStart = 0
    /// Where the bytes of the record found are.
    var range = 0..<0
    /// The first record not before the day.
    var found: (packed: PackedDay, place: PackedDay.Place)?
  }

  /// The spot of a day; what stands before the last day is not looked at.
  private func spot(of day: Day) -> Spot {
    guard day.number >= last.day else { return scan(to: day.number) }
    var end = Int(lastStart)
    guard day.number == last.day, let packed = PackedDay(bytes.span, &end) else { return Spot() }
    return Spot(range: Int(lastStart)..<end, found: (packed, last))
  }

  private func scan(to day: Int32) -> Spot {
    var spot = Spot()
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
    private var place = PackedDay.Place.start
    /// How many records there are to come.
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
