public import Values
public import Calendar
public import Kitchen
public import Streaks
public import Avro

// The JSON forms of the domain's numbers, names and dates. A column of such a type has the same form in commands and in
// rows.

extension Key: TextForm {
  /// "a UUID".
  public static var jsonWords: String { "a UUID" }
  /// A UUID (RFC 9562).
  public static var jsonSchema: JSON { ["type": "string", "format": "uuid"] }
  /// Two keys.
  public static var examples: (Key, Key) {
    (Key(high: 0x4000, low: 1 << 63 | 1), Key(high: 0x4000, low: 1 << 63 | 2))
  }
  /// Reads a UUID.
  public init?(formText: String) { self.init(formText) }
  /// The UUID in lower case.
  public var formText: String { description }
}

extension Day: TextForm {
  /// "a date such as 2026-03-01".
  public static var jsonWords: String { "a date such as 2026-03-01" }
  /// A full-date (RFC 3339, section 5.6).
  public static var jsonSchema: JSON { ["type": "string", "format": "date"] }
  /// Two days.
  public static var examples: (Day, Day) {
    (Day(clampingNumber: 20_513), Day(clampingNumber: 20_514))
  }
  /// Reads a date.
  public init?(formText: String) { self.init(formText) }
  /// ISO 8601.
  public var formText: String { description }
}

extension Instant: TextForm {
  /// "a time such as 2026-03-01T12:00:00Z".
  public static var jsonWords: String { "a time such as 2026-03-01T12:00:00Z" }
  /// A date-time (RFC 3339, section 5.6).
  public static var jsonSchema: JSON { ["type": "string", "format": "date-time"] }
  /// Two instants.
  public static var examples: (Instant, Instant) {
    (Instant(clamping: 1_772_366_400_000), Instant(clamping: 1_772_370_000_000))
  }
  /// Reads a time.
  public init?(formText: String) { self.init(formText) }
  /// RFC 3339, in UTC.
  public var formText: String { description }
}

extension LocalTime: TextForm {
  /// "a time of day such as 18:30".
  public static var jsonWords: String { "a time of day such as 18:30" }
  /// Hours and minutes.
  public static var jsonSchema: JSON {
    ["type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"]
  }
  /// Half past seven, and eight.
  public static var examples: (LocalTime, LocalTime) {
    (LocalTime(unchecked: 450), LocalTime(unchecked: 480))
  }
  /// Reads hours and minutes.
  public init?(formText: String) { self.init(formText) }
  /// Hours and minutes.
  public var formText: String { description }
}

extension Period: TextForm {
  /// "day, week, month or year".
  public static var jsonWords: String { "day, week, month or year" }
  /// One of the periods.
  public static var jsonSchema: JSON {
    ["type": "string", "enum": .array(allCases.map { .string($0.rawValue) })]
  }
  /// A day, and a week.
  public static var examples: (Period, Period) { (.day, .week) }
  /// Reads the name of a period.
  public init?(formText: String) { self.init(rawValue: formText) }
  /// Its name.
  public var formText: String { rawValue }
}

extension Amount: JSONForm {
  /// "a number from 0 to 1000000000 with at most three fraction digits".
  public static var jsonWords: String { words }
  /// A number in thousandths.
  public static var jsonSchema: JSON {
    ["type": "number", "minimum": 0, "maximum": 1_000_000_000, "multipleOf": .number("0.001")]
  }
  /// One and two.
  public static var examples: (Amount, Amount) {
    (Amount(unchecked: 1000), Amount(unchecked: 2000))
  }
  /// Reads a number.
  ///
  /// - Throws: ``JSONFault/form`` for anything else.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    guard let amount = json.amount else { throw .form }
    self = amount
  }
  /// The number, as short as possible.
  public func json(_ keys: some EntityKeys) -> JSON { .number(self) }
}

extension Rational {
  /// "a number such as 1.5 or "3/2"".
  public static var jsonWords: String { "a number such as 1.5 or \"3/2\"" }
  /// A number, or the text of one.
  public static var jsonSchema: JSON {
    [
      "anyOf": [
        ["type": "number"], ["type": "string", "pattern": "^[0-9]+([.][0-9]+|/[1-9][0-9]*)?$"],
      ]
    ]
  }
  /// One and a half, and a third.
  public static var examples: (Rational, Rational) {
    (Rational("3/2") ?? .zero, Rational("1/3") ?? .zero)
  }
  /// Reads a number, or the text of one.
  ///
  /// - Throws: ``JSONFault/form`` for anything else.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    guard let value = Rational(json: json) else { throw .form }
    self = value
  }
  /// The number when a decimal is exact, otherwise the fraction.
  public func json(_ keys: some EntityKeys) -> JSON { json }
}

extension Rank: TextForm {
  /// "a rank".
  public static var jsonWords: String { "a rank" }
  /// Digits and letters.
  public static var jsonSchema: JSON { ["type": "string", "minLength": 1] }
  /// Two ranks.
  public static var examples: (Rank, Rank) { (.first, Rank("a1") ?? .first) }
  /// Reads a rank.
  public init?(formText: String) { self.init(formText) }
  /// Its digits.
  public var formText: String { text }
}

extension RecurrenceRule: TextForm {
  /// "a recurrence rule such as FREQ=WEEKLY".
  public static var jsonWords: String { "a recurrence rule such as FREQ=WEEKLY" }
  /// An RRULE (RFC 5545, section 3.3.10).
  public static var jsonSchema: JSON { ["type": "string", "pattern": "FREQ="] }
  /// Daily and weekly.
  public static var examples: (RecurrenceRule, RecurrenceRule) {
    (
      RecurrenceRule(frequency: .daily, interval: 1),
      RecurrenceRule(frequency: .weekly, interval: 1)
    )
  }
  /// Reads a rule.
  public init?(formText: String) {
    guard let rule = try? RecurrenceRule(parsing: formText) else { return nil }
    self = rule
  }
  /// The rule in RRULE syntax.
  public var formText: String { description }
}

extension IdentityHash: TextForm {
  /// "64 hexadecimal digits".
  public static var jsonWords: String { "64 hexadecimal digits" }
  /// A SHA-256.
  public static var jsonSchema: JSON { ["type": "string", "pattern": "^[0-9a-fA-F]{64}$"] }
  /// Two hashes.
  public static var examples: (IdentityHash, IdentityHash) {
    (IdentityHash(padding: [1]), IdentityHash(padding: [2]))
  }
  /// Reads 64 digits.
  public init?(formText: String) { self.init(formText) }
  /// 64 digits in lower case.
  public var formText: String { description }
}

extension PersistentArray: JSONForm where Element: AvroValue {
  /// The same as a list's.
  public static var jsonWords: String { [Element].jsonWords }
  /// The same as a list's.
  public static var jsonSchema: JSON { [Element].jsonSchema }
  /// The same as a list's.
  public static var examples: (PersistentArray, PersistentArray) {
    (PersistentArray([Element].examples.0), PersistentArray([Element].examples.1))
  }
  /// Reads a list.
  ///
  /// - Throws: ``JSONFault``.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    self.init(try [Element](json: json, keys))
  }
  /// The list.
  public func json(_ keys: some EntityKeys) -> JSON { Array(self).json(keys) }
}
