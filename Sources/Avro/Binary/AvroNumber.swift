/// A whole number of one kind, within a range: a day, an amount, an entity number.
///
/// Schema, reading and writing follow from ``kind``.
public protocol AvroNumber: AvroValue {
  /// The kind of the number.
  static var kind: AvroNumberKind { get }
  /// The number in its encoded form.
  var avroNumber: Int64 { get }
  /// Makes the value of a number, which must be in the range of the kind.
  init(avroNumber: Int64)
}

/// The kind of a number: its primitive type, its logical type, and its range.
public struct AvroNumberKind: Sendable {
  /// Whether the type is `int`; otherwise it is `long`.
  @usableFromInline let isInt: Bool
  @usableFromInline let logicalType: StaticString
  @usableFromInline let range: ClosedRange<Int64>
  /// The name of the kind for error messages, with its article.
  @usableFromInline let words: StaticString

  /// A kind of `int`.
  @inlinable
  public static func int(
    _ logicalType: StaticString, _ range: ClosedRange<Int64>, _ words: StaticString
  ) -> AvroNumberKind {
    AvroNumberKind(isInt: true, logicalType: logicalType, range: range, words: words)
  }

  /// A kind of `long`.
  @inlinable
  public static func long(
    _ logicalType: StaticString, _ range: ClosedRange<Int64>, _ words: StaticString
  ) -> AvroNumberKind {
    AvroNumberKind(isInt: false, logicalType: logicalType, range: range, words: words)
  }

  @inlinable
  init(isInt: Bool, logicalType: StaticString, range: ClosedRange<Int64>, words: StaticString) {
    self.isInt = isInt
    self.logicalType = logicalType
    self.range = range
    self.words = words
  }

  var schema: Schema { .primitive(isInt ? .int : .long, logicalType: "\(logicalType)") }
}

extension AvroNumber {
  /// The kind's primitive type with its logical type.
  public static var schema: Schema { kind.schema }

  /// Takes a number of the kind.
  ///
  /// - Throws: ``AvroError/valueOutOfRange(_:)`` when it is out of the kind's range.
  @inlinable
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    // Not `@inline(__always)`: the compiler would then call such a witness through its table, and never
    // inline it.
    let number = try reader.takeLong()
    guard number >= Self.kind.range.lowerBound, number <= Self.kind.range.upperBound else {
      throw .outOfRange(Self.kind.words)
    }
    self.init(avroNumber: number)
  }

  /// Appends the number.
  @inlinable
  public func write(to writer: inout BinaryWriter) { writer.put(avroNumber) }

  /// Appends the number.
  @inlinable
  public func write(to output: inout OutputSpan<UInt8>) { output.put(avroNumber) }
}
