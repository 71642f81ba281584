public import Avro
public import Calendar
public import Values

/// A value of a row, of one of PostgreSQL's types.
public enum TableValue: Hashable, Sendable {
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
  /// Any JSON.
  case json(JSON)
  /// An array of texts.
  case array([String])
}

/// The type of a column, which decides how literals are read and values are written.
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
  /// `time`, as text: `07:30`, or with seconds.
  case time
  /// `jsonb`.
  case json
  /// `text[]`.
  case textArray
  /// An enumeration; any other value is an invalid literal (22P02).
  case enumeration([String])
}
