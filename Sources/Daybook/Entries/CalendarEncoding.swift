public import Avro

extension Day: AvroValue {
  /// `int`, logical type `date`.
  public static var schema: Schema { .primitive(.int, logicalType: "date") }
  /// Takes a day.
  @inlinable
  @inline(__always)
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    let number = try reader.takeInt()
    guard number >= -719_162, number <= 2_932_896 else { throw .outOfRange("a day") }
    self.init(unchecked: number)
  }
  /// Appends a day.
  @inlinable
  public func write(to writer: inout BinaryWriter) { writer.put(Int64(number)) }

  /// What stands in a record before its fields are read.
  @inlinable
  static var blank: Day { Day(unchecked: 0) }
}

extension Instant: AvroValue {
  /// `long`, logical type `timestamp-millis`.
  public static var schema: Schema { .primitive(.long, logicalType: "timestamp-millis") }
  /// Takes an instant.
  @inlinable
  @inline(__always)
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    let milliseconds = try reader.takeLong()
    guard milliseconds >= -62_135_596_800_000, milliseconds <= 253_402_300_799_999 else {
      throw .outOfRange("an instant")
    }
    self.init(unchecked: milliseconds)
  }
  /// Appends an instant.
  @inlinable
  public func write(to writer: inout BinaryWriter) { writer.put(milliseconds) }

  /// What stands in a record before its fields are read.
  @inlinable
  static var blank: Instant { Instant(unchecked: 0) }
}

extension Amount: AvroValue {
  /// `long`, logical type `thousandths`: 2500 is 2.5.
  public static var schema: Schema { .primitive(.long, logicalType: "thousandths") }
  /// Takes an amount.
  @inlinable
  @inline(__always)
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    let thousandths = try reader.takeLong()
    guard thousandths >= 0, thousandths <= 1_000_000_000_000 else { throw .outOfRange("an amount") }
    self.init(unchecked: thousandths)
  }
  /// Appends an amount.
  @inlinable
  public func write(to writer: inout BinaryWriter) { writer.put(thousandths) }
}

extension Schedule: AvroRecord {
  /// "Schedule".
  public static var recordName: String { "Schedule" }
  /// Daily.
  public static var blank: Schedule { .daily }

  /// The weekday mask (127 for a quota), and the quota, 0 times in 0 days when there is none.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    var mask: Int32 = 127
    var times: Int32 = 0
    var days: Int32 = 0
    switch self {
    case .weekdays(let weekdays): mask = Int32(weekdays.bits)
    case .quota(let quotaTimes, let quotaDays):
      times = Int32(clamping: quotaTimes)
      days = Int32(clamping: quotaDays)
    }
    try visitor.visit("weekmask", &mask, doc: "bit 0 = Monday … bit 6 = Sunday")
    try visitor.visit("quota_times", &times, doc: "times due in quota_days days; 0: by weekmask")
    try visitor.visit("quota_days", &days)
    if times > 0, let quota = Schedule.quota(Int(times), in: Int(days)) {
      self = quota
    } else if let weekdays = WeekdayMask(bits: Int(mask)) {
      self = .weekdays(weekdays)
    }
  }
}

extension Target.Bound: AvroEnumeration {
  /// "Bound".
  public static var enumerationName: String { "Bound" }
}

extension Target: AvroRecord {
  /// "Target".
  public static var recordName: String { "Target" }
  /// At least one.
  public static var blank: Target { Target(.one) }

  /// The amount and its bound.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("amount", &amount)
    try visitor.visit("bound", &bound)
  }
}

extension LocalTime: AvroValue {
  /// `int`, logical type `time-minutes`.
  public static var schema: Schema { .primitive(.int, logicalType: "time-minutes") }
  /// Takes a time.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    guard let time = LocalTime(minutes: Int(try reader.takeInt())) else {
      throw .outOfRange("a time of day")
    }
    self = time
  }
  /// Appends a time.
  public func write(to writer: inout BinaryWriter) { writer.put(Int64(minutes)) }
}

extension HabitType: AvroEnumeration {
  /// "HabitType".
  public static var enumerationName: String { "HabitType" }
}
