import Avro
import Calendar
import Daybook
import Streaks
import Values

/// A value of the book that is a column for clients; its type determines the column's.
protocol ColumnValue: SendableMetatype {
  /// The column's type.
  static var columnType: ColumnType { get }
  /// Whether the value may be missing.
  static var isNullable: Bool { get }
  /// The column's value.
  var columnValue: Value { get }
}

extension ColumnValue {
  static var isNullable: Bool { false }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  static var columnType: ColumnType { Wrapped.columnType }
  static var isNullable: Bool { true }
  var columnValue: Value { map(\.columnValue) ?? .null }
}

extension Bool: ColumnValue {
  static var columnType: ColumnType { .bool }
  var columnValue: Value { .bool(self) }
}

extension Int: ColumnValue {
  static var columnType: ColumnType { .integer }
  var columnValue: Value { .integer(Int64(self)) }
}

extension String: ColumnValue {
  static var columnType: ColumnType { .text }
  var columnValue: Value { .text(self) }
}

extension Values.Key: ColumnValue {
  static var columnType: ColumnType { .uuid }
  var columnValue: Value { .uuid(self) }
}

extension Instant: ColumnValue {
  static var columnType: ColumnType { .timestamp }
  var columnValue: Value { .timestamp(self) }
}

extension Day: ColumnValue {
  static var columnType: ColumnType { .date }
  var columnValue: Value { .date(self) }
}

extension LocalTime: ColumnValue {
  static var columnType: ColumnType { .time }
  var columnValue: Value { .text(description) }
}

extension JSON: ColumnValue {
  static var columnType: ColumnType { .json }
  var columnValue: DaybookTables.Value { .json(self) }
}

extension [String]: ColumnValue {
  static var columnType: ColumnType { .textArray }
  var columnValue: Value { .array(self) }
}

/// A number with a fraction, as the text of a JSON number.
struct Decimal: ColumnValue {
  let text: String
  static var columnType: ColumnType { .decimal }
  var columnValue: Value { .decimal(text) }
}

extension ColumnValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  static var columnType: ColumnType { .enumeration(allCases.map(\.rawValue)) }
  var columnValue: Value { .text(rawValue) }
}

extension Theme: ColumnValue {}
extension HabitType: ColumnValue {}
extension Source: ColumnValue {}
extension HiveRule: ColumnValue {}
extension PushEnvironment: ColumnValue {}
extension HouseholdTaskPriority: ColumnValue {}
extension Activity.Kind: ColumnValue {}
