public import Avro

/// A type that declares its columns once: a command, a part of one, a row.
///
/// Reading JSON, writing it, the tables of the documentation and JSON Schema are all derived from ``visitColumns(_:)``.
/// The columns do not depend on the values.
public protocol Columns: Sendable {
  /// The default values: where a column is absent, its value stays as it is here.
  static var defaults: Self { get }
  /// Visits each column, in the order of the documentation.
  ///
  /// - Throws: what the visitor throws.
  mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure)
}

extension AvroRecord where Self: Columns {
  /// A record's placeholder holds its defaults.
  public static var defaults: Self { placeholder }

  /// The columns of a record are its fields.
  ///
  /// - Throws: what the visitor throws.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitFields(&visitor)
  }
}

/// A visitor of columns: the reader, the writer, or the one that lists them. The fields of a record are columns, too.
public protocol ColumnVisitor: FieldVisitor {
  /// Visits one column: its name and its JSON form are derived from the value's type and the notes.
  ///
  /// - Throws: when the column's value is not accepted.
  mutating func column<Value: JSONForm>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) throws(Failure)

  /// Visits the columns of a value that has several, or whose reading depends on another column.
  ///
  /// - Throws: when the columns' values are not accepted.
  mutating func columns<Codec: ColumnCodec>(
    _ codec: Codec, _ value: inout Codec.Value
  ) throws(Failure)

  /// Visits the columns of a patch's content: any of them may be absent, and is then left alone.
  ///
  /// - Throws: when a column's value is not accepted.
  mutating func columns<Content: Columns>(_ patch: inout Patch<Content>) throws(Failure)
}

extension ColumnVisitor {
  /// Visits a column without notes.
  ///
  /// - Throws: when the column's value is not accepted.
  public mutating func column<Value: JSONForm>(
    _ name: StaticString, _ value: inout Value
  ) throws(Failure) {
    try column(name, &value, [])
  }

  /// Visits a field of a record as a column.
  ///
  /// - Throws: when the column's value is not accepted.
  public mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) throws(Failure) {
    try column(name, &value, notes())
  }
}

/// Reads and writes a value that has several columns, or whose reading depends on another column.
public protocol ColumnCodec {
  /// The value that is read and written.
  associatedtype Value: Sendable & Equatable
  /// The columns, in the order of the documentation.
  var columns: [Column] { get }
  /// Two different values, so that every value differs from at least one of them.
  var examples: (Value, Value) { get }
  /// Reads the value; nothing when all of its columns are absent.
  ///
  /// - Throws: a rejection that names the column.
  func read(_ reader: inout RequestReader) throws -> Value?
  /// The columns that hold the value.
  func members(of value: Value, in state: BookState) -> [JSON.Member]
}

/// The description of a column, for the documentation and for JSON Schema.
public struct Column: Hashable, Sendable {
  /// The name, in snake_case.
  public var name: String
  /// The JSON Schema (draft 2020-12) of its value.
  public var schema: JSON
  /// Whether it is required.
  public var isNeeded = false
  /// The default when it is absent; nothing where that is obvious.
  public var usual: JSON?
  /// The purpose, with units; empty where the name is enough.
  public var doc = ""
  /// The column that is required when this one is absent; nothing when none is.
  public var orElse: String?

  /// A column with the schema of its value.
  init(_ name: String, schema: JSON, isNeeded: Bool, _ doc: String = "") {
    self.name = name
    self.schema = schema
    self.isNeeded = isNeeded
    self.doc = doc
  }

  /// A column that holds values of a type.
  public init<Value: JSONForm>(
    _ name: String, _ type: Value.Type, isNeeded: Bool = false, usual: JSON? = nil,
    _ doc: String = ""
  ) {
    self.name = name
    schema = type.jsonSchema
    self.isNeeded = isNeeded
    self.usual = usual
    self.doc = doc
  }
}
