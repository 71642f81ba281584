public import Avro
public import Calendar
public import Values

/// A value of a row, as PostgreSQL's types have it.
public enum Value: Hashable, Sendable {
  /// SQL's NULL.
  case null
  /// A truth value.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction, as the text of a JSON number.
  case decimal(String)
  /// A text, or a value of an enumeration.
  case text(String)
  /// A UUID.
  case uuid(Key)
  /// An instant, in whole milliseconds.
  case timestamp(Instant)
  /// A calendar date.
  case date(Day)
  /// JSON, whatever it is.
  case json(JSON)
  /// An array of texts.
  case array([String])
}

/// What a column holds: by it literals are read, and values are written.
public enum ColumnType: Hashable, Sendable {
  /// `boolean`.
  case bool
  /// `integer`: 32 bits.
  case integer
  /// `numeric`.
  case decimal
  /// `text`.
  case text
  /// `uuid`.
  case uuid
  /// `timestamptz`.
  case timestamp
  /// `date`.
  case date
  /// `time`, as text: `07:30`, with seconds where it has some.
  case time
  /// `jsonb`.
  case json
  /// `text[]`.
  case textArray
  /// An enumeration: another value is no literal of it (22P02).
  case enumeration([String])
}
