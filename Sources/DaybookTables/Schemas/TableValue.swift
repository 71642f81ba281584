import Avro
import Calendar
import Daybook
import Streaks
import Values

/// What the book has in a place that is a column for clients: its type tells the column's.
protocol TableValue: SendableMetatype {
  /// The column's type.
  static var columnType: ColumnType { get }
  /// Whether there may be none.
  static var isNullable: Bool { get }
  /// What stands in the column.
  var tableValue: Value { get }
}

extension TableValue {
  static var isNullable: Bool { false }
}

extension Optional: TableValue where Wrapped: TableValue {
  static var columnType: ColumnType { Wrapped.columnType }
  static var isNullable: Bool { true }
  var tableValue: Value { map(\.tableValue) ?? .null }
}

extension Bool: TableValue {
  static var columnType: ColumnType { .bool }
  var tableValue: Value { .bool(self) }
}

extension Int: TableValue {
  static var columnType: ColumnType { .integer }
  var tableValue: Value { .integer(Int64(self)) }
}

extension String: TableValue {
  static var columnType: ColumnType { .text }
  var tableValue: Value { .text(self) }
}

extension Values.Key: TableValue {
  static var columnType: ColumnType { .uuid }
  var tableValue: Value { .uuid(self) }
}

extension Instant: TableValue {
  static var columnType: ColumnType { .timestamp }
  var tableValue: Value { .timestamp(self) }
}

extension Day: TableValue {
  static var columnType: ColumnType { .date }
  var tableValue: Value { .date(self) }
}

extension LocalTime: TableValue {
  static var columnType: ColumnType { .time }
  var tableValue: Value { .text(description) }
}

extension JSON: TableValue {
  static var columnType: ColumnType { .json }
  var tableValue: DaybookTables.Value { .json(self) }
}

extension [String]: TableValue {
  static var columnType: ColumnType { .textArray }
  var tableValue: Value { .array(self) }
}

/// A number with a fraction, as the text of a JSON number.
struct Decimal: TableValue {
  let text: String
  static var columnType: ColumnType { .decimal }
  var tableValue: Value { .decimal(text) }
}

extension TableValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  static var columnType: ColumnType { .enumeration(allCases.map(\.rawValue)) }
  var tableValue: Value { .text(rawValue) }
}

extension Theme: TableValue {}
extension HabitType: TableValue {}
extension Source: TableValue {}
extension HiveRule: TableValue {}
extension PushEnvironment: TableValue {}
extension HouseholdTaskPriority: TableValue {}
extension Activity.Kind: TableValue {}
