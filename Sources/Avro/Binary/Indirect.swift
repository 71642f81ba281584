/// A value in separate memory, so that a record may have a field of its own type. The encoding and the schema
/// are those of the value.
///
/// ```swift
/// struct Chain: AvroRecord {
///   var link = ""
///   var next: Indirect<Chain>?
///   …
/// }
/// ```
///
/// A list of the record's own type needs no indirection: `var children: [Branch]`.
public struct Indirect<Value: AvroValue>: AvroValue {
  private indirect enum Storage: Sendable { case value(Value) }
  private var storage: Storage

  /// The value.
  public var value: Value {
    get {
      switch storage {
      case .value(let value): value
      }
    }
    set { storage = .value(newValue) }
  }

  /// Wraps a value.
  public init(_ value: Value) { storage = .value(value) }

  /// The schema of the value.
  public static var schema: Schema { Value.schema }
  /// The absent value of the wrapped type.
  public static var absentValue: JSON? { Value.absentValue }

  /// Takes the value; at most ``AvroLimit/depth`` may be nested.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    try reader.enter()
    defer { reader.leave() }
    self.init(try Value(from: &reader))
  }

  /// Appends the value.
  public func write(to writer: inout BinaryWriter) { value.write(to: &writer) }
}

extension Indirect: Equatable where Value: Equatable {
  /// Whether the values are equal.
  public static func == (left: Indirect, right: Indirect) -> Bool { left.value == right.value }
}

extension Indirect: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
