public import Calendar
public import Streaks
public import Avro

extension Day: AvroNumber {
  /// `int`, logical type `date`.
  @inlinable
  public static var kind: AvroNumberKind {
    .int("date", -719_162...2_932_896, "a day")
  }
  /// The number in its written form.
  @inlinable
  public var avroNumber: Int64 { Int64(number) }
  /// The value of a number that is in the range.
  @inlinable
  public init(avroNumber number: Int64) { self.init(unchecked: Int32(truncatingIfNeeded: number)) }

  /// The value before any field is read.
  @inlinable
  static var placeholder: Day { Day(unchecked: 0) }
}

extension Instant: AvroNumber {
  /// `long`, logical type `timestamp-millis`.
  @inlinable
  public static var kind: AvroNumberKind {
    .long("timestamp-millis", -62_135_596_800_000...253_402_300_799_999, "an instant")
  }
  /// The number in its written form.
  @inlinable
  public var avroNumber: Int64 { milliseconds }
  /// The value of a number that is in the range.
  @inlinable
  public init(avroNumber number: Int64) { self.init(unchecked: number) }

  /// The value before any field is read.
  @inlinable
  static var placeholder: Instant { Instant(unchecked: 0) }
}

extension Amount: AvroNumber {
  /// `long`, logical type `thousandths`: 2500 is 2.5.
  @inlinable
  public static var kind: AvroNumberKind {
    .long("thousandths", 0...1_000_000_000_000, "an amount")
  }
  /// The number in its written form.
  @inlinable
  public var avroNumber: Int64 { thousandths }
  /// The value of a number that is in the range.
  @inlinable
  public init(avroNumber number: Int64) { self.init(unchecked: number) }
}

extension LocalTime: AvroNumber {
  /// `int`, logical type `time-minutes`.
  @inlinable
  public static var kind: AvroNumberKind {
    .int("time-minutes", 0...1439, "a time of day")
  }
  /// The number in its written form.
  @inlinable
  public var avroNumber: Int64 { Int64(minutes) }
  /// The value of a number that is in the range.
  @inlinable
  public init(avroNumber number: Int64) { self.init(unchecked: Int32(truncatingIfNeeded: number)) }
}

extension Schedule: AvroRecord {
  public static var recordName: String { "Schedule" }
  /// Daily.
  public static var placeholder: Schedule { .daily }

  /// The weekday mask (127 for a quota), and the quota, 0 times in 0 days when there is none.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    var mask: Int32 = 127
    var times: Int32 = 0
    var days: Int32 = 0
    switch self {
    case .weekdays(let weekdays): mask = Int32(weekdays.bits)
    case .quota(let quotaTimes, let quotaDays):
      times = Int32(clamping: quotaTimes)
      days = Int32(clamping: quotaDays)
    }
    try visitor.visit("weekmask", &mask, [.doc("bit 0 = Monday … bit 6 = Sunday")])
    try visitor.visit("quota_times", &times, [.doc("times due in quota_days days; 0: by weekmask")])
    try visitor.visit("quota_days", &days)
    if times > 0, let quota = Schedule.quota(Int(times), in: Int(days)) {
      self = quota
    } else if let weekdays = WeekdayMask(bits: Int(mask)) {
      self = .weekdays(weekdays)
    }
  }
}

extension Target.Bound: AvroEnumeration {
  public static var enumerationName: String { "Bound" }
}

extension Target: AvroRecord {
  public static var recordName: String { "Target" }
  /// At least one.
  public static var placeholder: Target { Target(.one) }

  /// The amount and its bound.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("amount", &amount)
    try visitor.visit("bound", &bound)
  }
}

extension HabitType: AvroEnumeration {
  public static var enumerationName: String { "HabitType" }
}
