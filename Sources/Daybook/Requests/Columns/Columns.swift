public import Avro

/// What states its columns once: a command, a part of one, a row.
///
/// Reading JSON, writing it, the tables of the documentation and JSON Schema all follow from ``visitColumns(_:)``. The
/// columns are the same whatever the values are.
public protocol Columns: Sendable {
  /// What it means when nothing is said: where a column is absent, its value stays as it is here.
  static var defaults: Self { get }
  /// Shows each column to the visitor, in the order in which they are documented.
  ///
  /// - Throws: what the visitor throws.
  mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure)
}

extension AvroRecord where Self: Columns {
  /// A record that is a placeholder says nothing.
  public static var defaults: Self { placeholder }

  /// The columns of a record are its fields.
  ///
  /// - Throws: what the visitor throws.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitFields(&visitor)
  }
}

/// What walks over columns: the reader, the writer, or what lists them. The fields of a record are columns, too.
public protocol ColumnVisitor: FieldVisitor {
  /// Visits one column: its name and its form in JSON follow from the value's type and the notes.
  ///
  /// - Throws: when what the column holds is not taken.
  mutating func column<Value: JSONForm>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) throws(Failure)

  /// Visits the columns of a value that says several, or is read with a look at another.
  ///
  /// - Throws: when what the columns hold is not taken.
  mutating func columns<Codec: ColumnCodec>(
    _ codec: Codec, _ value: inout Codec.Value
  ) throws(Failure)

  /// Visits the columns of what is changed by a patch: each may be absent, and is left alone then.
  ///
  /// - Throws: when what a column holds is not taken.
  mutating func columns<Content: Columns>(_ patch: inout Patch<Content>) throws(Failure)
}

extension ColumnVisitor {
  /// Visits a column of which nothing more is to be said.
  ///
  /// - Throws: when what the column holds is not taken.
  public mutating func column<Value: JSONForm>(
    _ name: StaticString, _ value: inout Value
  ) throws(Failure) {
    try column(name, &value, [])
  }

  /// Visits a field of a record, which is a column.
  ///
  /// - Throws: when what the column holds is not taken.
  public mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) throws(Failure) {
    try column(name, &value, notes())
  }
}

/// Reads and writes a value that stands in several columns, or is read with a look at another.
public protocol ColumnCodec {
  /// What is read and written.
  associatedtype Value: Sendable & Equatable
  /// The columns, in the order in which they are documented.
  var columns: [Column] { get }
  /// Two different values: every value differs from one of them at least.
  var examples: (Value, Value) { get }
  /// Reads the value; nothing when none of its columns is there.
  ///
  /// - Throws: a refusal that names the column.
  func read(_ reader: inout RequestReader) throws -> Value?
  /// The columns that say the value.
  func members(of value: Value, in state: BookState) -> [JSON.Member]
}

/// What is to be known of a column: for the documentation and for JSON Schema.
public struct Column: Hashable, Sendable {
  /// What it is called: snake_case.
  public var name: String
  /// What it holds, as JSON Schema (draft 2020-12) has it.
  public var schema: JSON
  /// Whether it must be there.
  public var isNeeded = false
  /// What it means when it is absent; nothing where that goes without saying.
  public var usual: JSON?
  /// What it is for, with units; empty where the name says it.
  public var doc = ""
  /// The column that must be there where this one is not; nothing where none must.
  public var orElse: String?

  /// A column that holds what a schema describes.
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
