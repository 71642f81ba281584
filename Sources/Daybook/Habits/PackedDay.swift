import Calendar

/// One day's record as it is stored in memory and in snapshots: relative to the record before it.
///
///     head         gap × 64 + together × 32 + source × 8 + what × 2 + later
///     created      unless together
///     value        if what is 2
///     updated      if later
///
/// - `gap`: the days between the record before and this one; 0 on the day after it.
/// - `together`: created at the same instant as the record before, as an import's days are.
/// - `what`: 0 one, 1 skipped, 2 another value, in thousandths.
/// - `later`: updated after it was created, by this many milliseconds.
/// - `created`: the milliseconds from the expected creation time, which assumes that a day passes between the records
///   of consecutive days.
///
/// Numbers are variable-length as in Avro, those that may be negative zigzagged. The first record follows 0000-12-31,
/// created at its midnight. A day logged at its usual time takes two to five bytes, where the record itself takes 32:
/// the cost of a replay is the memory that it touches for the first time.
struct PackedDay {
  var gap: UInt64
  var source: LogSource
  var what: ValueKind
  /// `nil` when created together with the record before.
  var created: Int64?
  var thousandths: UInt64
  var later: Int64

  enum ValueKind: UInt64 {
    case one = 0
    case skipped = 1
    case value = 2
  }

  /// The known fields of the record before: a day's place in the table.
  struct Predecessor: Hashable, Sendable {
    // In this order a byte or two more fit behind them (``StateReplay``).
    var created: Int64
    var day: Int32

    /// The place before the first record.
    @inline(__always)
    static var start: Predecessor {
      Predecessor(
        day: Day.first.number - 1, created: Instant.first.milliseconds - millisecondsADay)
    }

    @inline(__always)
    init(of record: DayTable.Record) {
      self.init(day: record.day.number, created: record.created.milliseconds)
    }

    @inline(__always)
    init(day: Int32, created: Int64) {
      self.created = created
      self.day = day
    }
  }

  /// Packs a record that follows a place.
  @inline(__always)
  init(_ record: DayTable.Record, after before: Predecessor) {
    let place = Predecessor(of: record)
    gap = Self.gap(to: place, after: before)
    created = Self.step(to: place, after: before)
    source = record.source
    later = record.updated.milliseconds &- record.created.milliseconds
    thousandths = UInt64(bitPattern: record.value.thousandths)
    what = record.isSkipped ? .skipped : record.value == .one ? .one : .value
  }

  /// Reads the record at an offset and moves past it; `nil` at the end, and for invalid bytes.
  @inline(__always)
  init?(_ bytes: Span<UInt8>, _ offset: inout Int) {
    guard offset < bytes.count, let head = Self.number(bytes, &offset),
      let source = LogSource(symbolNumber: Int(head >> 3 & 3)),
      let what = ValueKind(rawValue: head >> 1 & 3)
    else { return nil }
    gap = head >> 6
    self.source = source
    self.what = what
    (created, thousandths, later) = (nil, 0, 0)
    if head & 32 == 0 {
      guard let raw = Self.number(bytes, &offset) else { return nil }
      created = Self.unzigzag(raw)
    }
    if what == .value {
      guard let raw = Self.number(bytes, &offset) else { return nil }
      thousandths = raw
    }
    if head & 1 == 1 {
      guard let raw = Self.number(bytes, &offset) else { return nil }
      later = Self.unzigzag(raw)
    }
  }

  /// Skips a plain record: of a day that was logged once with the value one, soon after the day before it, as nearly
  /// every day is.
  ///
  /// - Returns: The gap to the day; `nil` for any other record, which is not skipped.
  @inline(__always)
  static func gapToPlainDay(_ bytes: Span<UInt8>, _ offset: inout Int) -> Int32? {
    guard offset < bytes.count else { return nil }
    let head = bytes[offset]
    // The gap takes one byte, and the record is neither another value nor a skip, nor updated later. All combinations
    // of the two source bits are valid.
    guard head & 0b1000_0111 == 0 else { return nil }
    var end = offset &+ 1
    if head & 32 == 0 {
      // The creation time is not needed. A number that is too long is not skipped here.
      let most = min(bytes.count, end &+ 9)
      while end < most, bytes[end] >= 0x80 { end &+= 1 }
      guard end < most else { return nil }
      end &+= 1
    }
    offset = end
    return Int32(head &>> 6)
  }

  /// Writes the bytes into a sink.
  @inline(__always)
  func write(to sink: inout some PackedSink) {
    let together: UInt64 = created == nil ? 32 : 0
    let flags = together | UInt64(source.symbolNumber) &<< 3 | what.rawValue &<< 1
    sink.put(gap &<< 6 | flags | (later == 0 ? 0 : 1))
    if let created { sink.put(Self.zigzag(created)) }
    if what == .value { sink.put(thousandths) }
    if later != 0 { sink.put(Self.zigzag(later)) }
  }

  /// The record at a place.
  @inline(__always)
  func record(at place: Predecessor) -> DayTable.Record {
    let created = Instant(clamping: place.created)
    return DayTable.Record(
      day: Day(clampingNumber: Int(place.day)), source: source, isSkipped: what == .skipped,
      value: value ?? .zero, created: created,
      updated: later == 0 ? created : Instant(clamping: place.created &+ later))
  }

  /// The logged value; nothing for a skip.
  @inline(__always)
  var value: Amount? {
    switch what {
    case .one: .one
    case .skipped: nil
    case .value: Amount(unchecked: Int64(min(thousandths, UInt64(Amount.last.thousandths))))
    }
  }

  /// The same day with the content of another record, but its own creation time.
  func replaced(by record: DayTable.Record, at place: Predecessor) -> PackedDay {
    var packed = PackedDay(record, after: .start)
    (packed.gap, packed.created) = (gap, created)
    packed.later = record.updated.milliseconds &- place.created
    return packed
  }

  /// The same record at a place, packed relative to another one.
  func moved(to place: Predecessor, after before: Predecessor) -> PackedDay {
    var packed = self
    packed.gap = Self.gap(to: place, after: before)
    packed.created = Self.step(to: place, after: before)
    return packed
  }

  /// The place of the record.
  @inline(__always)
  func place(after before: Predecessor) -> Predecessor {
    let day = day(after: before.day)
    guard let created else { return Predecessor(day: day, created: before.created) }
    return Predecessor(day: day, created: before.created &+ Self.usual(gap) &+ created)
  }

  /// The number of the day, following that of the record before.
  @inline(__always)
  func day(after before: Int32) -> Int32 { before &+ Int32(truncatingIfNeeded: gap &+ 1) }

  @inline(__always)
  private static func gap(to place: Predecessor, after before: Predecessor) -> UInt64 {
    UInt64(bitPattern: Int64(place.day &- before.day &- 1))
  }

  @inline(__always)
  private static func step(to place: Predecessor, after before: Predecessor) -> Int64? {
    if place.created == before.created { return nil }
    return place.created &- before.created &- usual(gap(to: place, after: before))
  }

  /// The expected time between the creations of two records, if a day passes between consecutive days.
  @inline(__always)
  private static func usual(_ gap: UInt64) -> Int64 {
    Int64(bitPattern: gap &+ 1) &* millisecondsADay
  }

  @inline(__always)
  private static func zigzag(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: (number &<< 1) ^ (number &>> 63))
  }

  @inline(__always)
  private static func unzigzag(_ raw: UInt64) -> Int64 {
    Int64(bitPattern: raw &>> 1) ^ (0 &- Int64(bitPattern: raw & 1))
  }

  @inline(__always)
  private static func number(_ bytes: Span<UInt8>, _ offset: inout Int) -> UInt64? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 64 {
      let byte = bytes[offset]
      offset &+= 1
      number |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return number }
      shift &+= 7
    }
    return nil
  }
}

private let millisecondsADay: Int64 = 86_400_000

/// A destination of packed days.
protocol PackedSink {
  mutating func put(byte: UInt8)
}

extension PackedSink {
  /// Writes a variable-length number.
  @inline(__always)
  mutating func put(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      put(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    put(byte: UInt8(truncatingIfNeeded: rest))
  }
}

extension [UInt8]: PackedSink {
  @inline(__always)
  mutating func put(byte: UInt8) { append(byte) }
}
