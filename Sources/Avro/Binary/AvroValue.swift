/// A type with an Avro schema, the matching binary encoding, and a JSON form.
public protocol AvroValue: JSONForm {
  /// The schema of every value of the type.
  static var schema: Schema { get }
  /// The value for a field that the writer did not have; `nil` when there is none.
  static var absentValue: JSON? { get }

  /// Takes a value from the reader.
  ///
  /// - Throws: ``AvroError`` when the bytes are not a value of this type.
  @_lifetime(reader: copy reader)
  init(from reader: inout BinaryReader) throws(AvroError)

  /// Appends the value to the writer.
  func write(to writer: inout BinaryWriter)
  /// Appends the value to an output span that has room for it. Checking for room takes longer than writing a
  /// byte, so code that writes millions of records checks once and then calls this method.
  func write(to output: inout OutputSpan<UInt8>)
}

extension AvroValue {
  /// Most types have no default, so their fields are required.
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

  /// Reads a value from bytes that contain nothing else.
  ///
  /// - Throws: ``AvroError`` when the bytes are not exactly one value of this type.
  public init(encoded bytes: [UInt8]) throws(AvroError) {
    var reader = unsafe BinaryReader(bytes.span.bytes)
    try self.init(from: &reader)
    guard reader.isAtEnd else { throw .trailingBytes }
  }
}

/// A record that states its fields once, in ``visitFields(_:)``; schema, reading and writing follow from
/// that.
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
  /// Former names of the record, which older segments use.
  static var recordAliases: [String] { get }
  /// The purpose of the record, for readers of the schema.
  static var recordDoc: String? { get }
  /// The value that reading starts from; every field is then overwritten.
  static var placeholder: Self { get }
  /// Passes each field to the visitor, in the order of the bytes.
  ///
  /// - Throws: what the visitor throws.
  @_lifetime(visitor: copy visitor)
  mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure)
}

/// Any kind of visitor, including one that cannot be copied and that lives no longer than the bytes it reads.
public typealias AnyFieldVisitor = FieldVisitor & ~Copyable & ~Escapable

/// A visitor of the fields of a record: the reader, the writer, or the builder of the schema.
public protocol FieldVisitor: ~Copyable, ~Escapable {
  /// The error that a visit can throw; `Never` except for the reader.
  associatedtype Failure: Error
  /// Visits one field: reads it, writes it, or adds it to the schema. The notes matter only for the schema.
  ///
  /// - Throws: when the field's bytes are damaged.
  @_lifetime(self: copy self)
  mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) throws(Failure)
}

/// Information about a field in addition to its name and type.
public enum FieldNote: Hashable, Sendable {
  /// The purpose of the field, with units, for readers of the schema.
  case doc(String)
  /// A former name of the field: data written under it is read into this field.
  case formerly(String)
  /// The value to read when the writer had no such field, instead of the type's ``AvroValue/absentValue``.
  case ifAbsent(JSON)
  /// The field holds personal data, and is blanked when that person's account is erased.
  case personal
  /// This personal text may be empty. Any other required personal text is a name, which only an erasure
  /// leaves empty.
  case mayBeEmpty
  /// Only an erasure leaves the field empty, although it is not a name.
  case neverEmpty
  /// The field is a secret that grants access, so no outsider may see it. The schema does not record this
  /// note.
  case credential
  /// The field's name in JSON, if it differs from the schema's.
  case column(String)
  /// A command must include the field.
  case needed
  /// Constraints for JSON Schema in addition to the type: bounds, a pattern.
  case bounds(JSON)
}

extension FieldVisitor where Self: ~Copyable & ~Escapable {
  /// Visits one field without notes.
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
  /// - Throws: ``AvroError`` when the bytes are not a value of its type.
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
  /// Writes the field to an output span that has room for it.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    value.write(to: &self)
  }
}

/// Builds the schema of a record. A record nested within itself is written as a reference to its name.
struct SchemaBuilder: FieldVisitor {
  /// The types of the records whose schemas are being built, each nested in the previous one. The set is
  /// task-local because a type's schema is a property, which takes no arguments.
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
      case .mayBeEmpty, .neverEmpty, .credential, .column, .needed, .bounds: break
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
  /// Most records were never renamed.
  public static var recordAliases: [String] { [] }
  /// The names of most records explain them.
  public static var recordDoc: String? { nil }

  /// The record's schema, built from its fields. A field of the record's own type, for example in a list,
  /// refers to it by name.
  public static var schema: Schema { SchemaBuilder.schema(of: Self.self) }

  /// Reads the fields in order.
  ///
  /// - Throws: ``AvroError`` when the bytes are not a record of this type.
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
