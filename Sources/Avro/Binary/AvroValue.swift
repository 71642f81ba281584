/// A type with one Avro schema, bytes that follow from it, and one form in JSON.
public protocol AvroValue: JSONForm {
  /// The schema of every value of the type.
  static var schema: Schema { get }
  /// What a reader takes when the writer had no such field; `nil` when there is none.
  static var absentValue: JSON? { get }

  /// Takes a value off the reader.
  ///
  /// - Throws: ``AvroError`` when the bytes are not such a value.
  @_lifetime(reader: copy reader)
  init(from reader: inout BinaryReader) throws(AvroError)

  /// Appends the value to the writer.
  func write(to writer: inout BinaryWriter)
  /// Appends the value to bytes that have room for it. A writer looks for room at every byte, which takes longer than to
  /// write it: this is for records that come by the million.
  func write(to output: inout OutputSpan<UInt8>)
}

extension AvroValue {
  /// Fields of most types must be given.
  public static var absentValue: JSON? { nil }

  /// Appends the value's bytes.
  public func write(to output: inout OutputSpan<UInt8>) {
    for byte in encoded { output.append(byte) }
  }

  /// The value's bytes.
  public var encoded: [UInt8] {
    var writer = BinaryWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Reads a value from bytes that hold nothing else.
  ///
  /// - Throws: ``AvroError`` when the bytes are not exactly one such value.
  public init(encoded bytes: [UInt8]) throws(AvroError) {
    var reader = unsafe BinaryReader(bytes.span.bytes)
    try self.init(from: &reader)
    guard reader.isAtEnd else { throw .trailingBytes }
  }
}

/// A record whose fields are stated once: schema, reading and writing all follow from
/// ``visitFields(_:)``.
///
/// ```swift
/// struct Walk: AvroRecord {
///   var steps: Int32 = 0
///   var note: String?
///   static let recordName = "Walk"
///   static var placeholder: Self { Self() }
///   mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
///     try visitor.visit("steps", &steps)
///     try visitor.visit("note", &note)
///   }
/// }
/// ```
public protocol AvroRecord: AvroValue {
  /// The record's name in the schema.
  static var recordName: String { get }
  /// Names that the record had before; segments written then know it by them.
  static var recordAliases: [String] { get }
  /// What the record is for, for readers of the schema.
  static var recordDoc: String? { get }
  /// What reading begins with, before any field is set: it says nothing, and every field is read over it.
  static var placeholder: Self { get }
  /// Shows each field to the visitor, in the order of the bytes.
  ///
  /// - Throws: what the visitor throws.
  @_lifetime(visitor: copy visitor)
  mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure)
}

/// A visitor of any kind: also one that cannot be copied, and lives no longer than the bytes that it reads.
public typealias AnyFieldVisitor = FieldVisitor & ~Copyable & ~Escapable

/// What walks over the fields of a record: the reader, the writer, or the schema's builder.
public protocol FieldVisitor: ~Copyable, ~Escapable {
  /// What a visit can throw; `Never` except for the reader.
  associatedtype Failure: Error
  /// Visits one field: reads it, writes it, or notes its schema. The notes are made for the schema alone.
  ///
  /// - Throws: when the field's bytes are damaged.
  @_lifetime(self: copy self)
  mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) throws(Failure)
}

/// What a field says of itself, beside its name and its type.
public enum FieldNote: Hashable, Sendable {
  /// What it is for, with units, for readers of the schema.
  case doc(String)
  /// A name that it had before: what was written under it is read into this field.
  case formerly(String)
  /// What is read when the writer had no such field, instead of the type's own ``AvroValue/absentValue``.
  case ifAbsent(JSON)
  /// It says something about a person, and is blanked when that person's account is erased.
  case personal
  /// Whoever knows it is let in somewhere by it: it is shown to nobody who is outside. It stands in no schema.
  case credential
  /// What it is called in JSON, where that is not its name.
  case column(String)
  /// A command must say it.
  case needed
  /// What JSON Schema is to say of it besides its type: bounds, a pattern.
  case bounds(JSON)
}

extension FieldVisitor where Self: ~Copyable & ~Escapable {
  /// Visits one field of which nothing more is to be said.
  ///
  /// - Throws: when the field's bytes are damaged.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value
  ) throws(Failure) {
    try visit(name, &value, [])
  }
}

extension BinaryReader: FieldVisitor {
  /// Reads the field.
  ///
  /// - Throws: ``AvroError`` when the bytes are not such a value.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) throws(AvroError) {
    value = try Value(from: &self)
  }
}

extension BinaryWriter: FieldVisitor {
  /// Writes the field.
  @inlinable
  public mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    value.write(to: &self)
  }
}

extension OutputSpan: FieldVisitor where Element == UInt8 {
  /// Writes the field where there is room for it.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    value.write(to: &self)
  }
}

/// Builds the schema of a record. A record that it meets again within itself goes by its name.
struct SchemaBuilder: FieldVisitor {
  /// The types of the records whose schemas are being built, each within the one before: a type's schema is
  /// asked for without arguments.
  @TaskLocal private static var enclosing: Set<ObjectIdentifier> = []
  var fields: [Schema.Field] = []

  mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    var field = Schema.Field(
      name: "\(name)", schema: Value.schema, defaultValue: Value.absentValue)
    for note in notes() {
      switch note {
      case .doc(let text): field.doc = text
      case .formerly(let name): field.aliases.append(name)
      case .ifAbsent(let value): field.defaultValue = value
      case .personal: field.isPersonal = true
      case .credential, .column, .needed, .bounds: break
      }
    }
    fields.append(field)
  }

  static func schema<Record: AvroRecord>(of type: Record.Type) -> Schema {
    let identity = ObjectIdentifier(type)
    guard !enclosing.contains(identity) else { return .reference(type.recordName) }
    var builder = SchemaBuilder()
    $enclosing.withValue(enclosing.union([identity])) {
      var record = type.placeholder
      record.visitFields(&builder)
    }
    return .record(
      .init(
        name: type.recordName, aliases: type.recordAliases, doc: type.recordDoc,
        fields: builder.fields))
  }
}

extension AvroRecord {
  /// Most records have kept their name.
  public static var recordAliases: [String] { [] }
  /// Most records say what they are by their name.
  public static var recordDoc: String? { nil }

  /// The record's schema, from its fields; a field of the record's own type, in a list say, refers to it by name.
  public static var schema: Schema { SchemaBuilder.schema(of: Self.self) }

  /// Reads the fields in order.
  ///
  /// - Throws: ``AvroError`` when the bytes are not such a record.
  @inlinable
  @inline(__always)
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    self = Self.placeholder
    try visitFields(&reader)
  }

  /// Writes the fields in order.
  @inlinable
  public func write(to writer: inout BinaryWriter) {
    var record = self
    record.visitFields(&writer)
  }
}
