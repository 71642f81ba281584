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
  var columnValue: TableValue { get }
}

extension ColumnValue {
  static var isNullable: Bool { false }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  static var columnType: ColumnType { Wrapped.columnType }
  static var isNullable: Bool { true }
  var columnValue: TableValue { map(\.columnValue) ?? .null }
}

extension Bool: ColumnValue {
  static var columnType: ColumnType { .bool }
  var columnValue: TableValue { .bool(self) }
}

extension Int: ColumnValue {
  static var columnType: ColumnType { .integer }
  var columnValue: TableValue { .integer(Int64(self)) }
}

extension String: ColumnValue {
  static var columnType: ColumnType { .text }
  var columnValue: TableValue { .text(self) }
}

extension Values.Key: ColumnValue {
  static var columnType: ColumnType { .uuid }
  var columnValue: TableValue { .uuid(self) }
}

extension Instant: ColumnValue {
  static var columnType: ColumnType { .timestamp }
  var columnValue: TableValue { .timestamp(self) }
}

extension Day: ColumnValue {
  static var columnType: ColumnType { .date }
  var columnValue: TableValue { .date(self) }
}

extension LocalTime: ColumnValue {
  static var columnType: ColumnType { .time }
  var columnValue: TableValue { .text(description) }
}

extension JSON: ColumnValue {
  static var columnType: ColumnType { .json }
  var columnValue: TableValue { .json(self) }
}

extension [String]: ColumnValue {
  static var columnType: ColumnType { .textArray }
  var columnValue: TableValue { .array(self) }
}

/// A number with a fraction, as the text of a JSON number.
struct Decimal: ColumnValue {
  let text: String
  static var columnType: ColumnType { .decimal }
  var columnValue: TableValue { .decimal(text) }
}

extension ColumnValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  static var columnType: ColumnType { .enumeration(allCases.map(\.rawValue)) }
  var columnValue: TableValue { .text(rawValue) }
}

extension Theme: ColumnValue {}
extension HabitType: ColumnValue {}
extension LogSource: ColumnValue {}
extension HiveRule: ColumnValue {}
extension PushEnvironment: ColumnValue {}
extension HouseholdTaskPriority: ColumnValue {}
extension Activity.Kind: ColumnValue {}
