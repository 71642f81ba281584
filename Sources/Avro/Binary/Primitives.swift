extension Int32: AvroValue {
  /// `int`.
  public static var schema: Schema { .primitive(.int) }
  /// Takes an `int`.
  @inlinable
  @inline(__always)
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) { self = try reader.takeInt() }
  /// Appends an `int`.
  @inlinable
  public func write(to writer: inout BinaryWriter) { writer.put(Int64(self)) }
}

extension Int64: AvroValue {
  /// `long`.
  public static var schema: Schema { .primitive(.long) }
  /// Takes a `long`.
  @inlinable
  @inline(__always)
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) { self = try reader.takeLong() }
  /// Appends a `long`.
  @inlinable
  public func write(to writer: inout BinaryWriter) { writer.put(self) }
}

extension Bool: AvroValue {
  /// `boolean`.
  public static var schema: Schema { .primitive(.boolean) }
  /// Takes a `boolean`.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    switch try reader.takeByte() {
    case 0: self = false
    case 1: self = true
    default: throw .invalidBoolean
    }
  }
  /// Appends a `boolean`.
  public func write(to writer: inout BinaryWriter) { writer.put(raw: [self ? 1 : 0]) }
}

extension Double: AvroValue {
  /// `double`.
  public static var schema: Schema { .primitive(.double) }
  /// Takes a `double`: eight bytes, little-endian.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    var bits: UInt64 = 0
    guard reader.remaining >= 8 else { throw .truncated }
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bits |= UInt64(try reader.takeByte()) << shift
    }
    self.init(bitPattern: bits)
  }
  /// Appends a `double`.
  public func write(to writer: inout BinaryWriter) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      writer.bytes.append(UInt8(truncatingIfNeeded: bitPattern >> shift))
    }
  }
}

extension String: AvroValue {
  /// `string`.
  public static var schema: Schema { .primitive(.string) }
  /// Takes a `string`.
  @inlinable
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) { self = try reader.takeText() }
  /// Appends a `string`.
  @inlinable
  public func write(to writer: inout BinaryWriter) { writer.put(counted: utf8) }
  /// Appends a `string`.
  @inlinable
  public func write(to output: inout OutputSpan<UInt8>) {
    output.put(Int64(utf8.count))
    for byte in utf8 { output.append(byte) }
  }
}

/// A sequence of bytes; `[UInt8]` itself would be an array of numbers.
public struct AvroBytes: AvroValue, Hashable {
  /// The bytes.
  public var bytes: [UInt8]
  /// Wraps bytes.
  public init(_ bytes: [UInt8] = []) { self.bytes = bytes }
  /// `bytes`.
  public static var schema: Schema { .primitive(.bytes) }
  /// Takes `bytes`.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    bytes = try reader.takeBytes(try reader.takeLength())
  }
  /// Appends `bytes`.
  public func write(to writer: inout BinaryWriter) { writer.put(counted: bytes) }
}

extension Optional: AvroValue where Wrapped: AvroValue {
  /// `["null", …]` with null first, so that null can be the default.
  public static var schema: Schema { .union([.primitive(.null), Wrapped.schema]) }
  /// Null.
  public static var absentValue: JSON? { .null }
  /// Takes the branch, then the value.
  @inlinable
  @inline(__always)
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    switch try reader.takeLong() {
    case 0: self = nil
    case 1: self = .some(try Wrapped(from: &reader))
    case let branch: throw .unknownBranch(Int(truncatingIfNeeded: branch))
    }
  }
  /// Appends the branch, then the value.
  @inlinable
  public func write(to writer: inout BinaryWriter) {
    guard let value = self else { return writer.put(0) }
    writer.put(1)
    value.write(to: &writer)
  }
  /// Appends the branch, then the value.
  @inlinable
  public func write(to output: inout OutputSpan<UInt8>) {
    guard let value = self else { return output.put(0) }
    output.put(1)
    value.write(to: &output)
  }
}

extension Array: AvroValue where Element: AvroValue {
  /// `array`.
  public static var schema: Schema { .array(Element.schema) }
  /// The empty list.
  public static var absentValue: JSON? { .array([]) }
  /// Takes the blocks of an array up to the empty one.
  @inlinable
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    self = []
    try reader.enter()
    defer { reader.leave() }
    while let block = try reader.takeBlock() {
      let start = reader.offset
      append(try Element(from: &reader))
      try reader.checkItems(block.count, firstFrom: start)
      for _ in 1..<block.count { append(try Element(from: &reader)) }
      guard block.byteCount == nil || block.byteCount == reader.offset - start else {
        throw .invalidLength
      }
    }
  }
  /// Appends blocks of up to 65 536 elements, then the empty block.
  public func write(to writer: inout BinaryWriter) {
    var start = 0
    while start < count {
      let end = Swift.min(count, start + ArrayBlock.largestCount)
      writer.put(Int64(end - start))
      for element in self[start..<end] { element.write(to: &writer) }
      start = end
    }
    writer.put(0)
  }
}

private enum ArrayBlock {
  static let largestCount = 1 << 16
}

/// An enumeration whose symbols are its cases, in order; new cases are only ever appended.
public protocol AvroEnumeration: AvroValue, CaseIterable, RawRepresentable, Hashable
where RawValue == String {
  /// The enumeration's name in the schema.
  static var enumerationName: String { get }
  /// Former names of the enumeration, under which older segments know it.
  static var enumerationAliases: [String] { get }
  /// The case that replaces an unknown symbol of a newer writer; without one, such a symbol is an error.
  static var defaultSymbol: Self? { get }
  /// The number of the case, from 0.
  var symbolNumber: Int { get }
  /// Makes the case with a number, if there is one.
  init?(symbolNumber: Int)
}

extension AvroEnumeration {
  /// Most enumerations were never renamed.
  public static var enumerationAliases: [String] { [] }
  /// Most symbols mean too much to be replaced by another.
  public static var defaultSymbol: Self? { nil }
  /// An `enum` whose symbols are the raw values.
  public static var schema: Schema {
    .enumeration(
      .init(
        name: enumerationName, aliases: enumerationAliases, symbols: allCases.map(\.rawValue),
        defaultSymbol: defaultSymbol?.rawValue))
  }
  /// The number of the case, which is its index.
  @inlinable
  public var symbolNumber: Int {
    var number = 0
    for value in Self.allCases {
      if value == self { return number }
      number += 1
    }
    return number
  }
  /// Makes the case with a number, which is its index.
  @inlinable
  public init?(symbolNumber: Int) {
    guard symbolNumber >= 0, symbolNumber < Self.allCases.count else { return nil }
    self = Self.allCases[Self.allCases.index(Self.allCases.startIndex, offsetBy: symbolNumber)]
  }
  /// Takes the number of a symbol.
  @inlinable
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    let number = Int(try reader.takeInt())
    guard let value = Self(symbolNumber: number) else { throw .unknownSymbol(number) }
    self = value
  }
  /// Appends the number of the symbol.
  public func write(to writer: inout BinaryWriter) { writer.put(Int64(symbolNumber)) }
  /// Appends the number of the symbol.
  @inlinable
  public func write(to output: inout OutputSpan<UInt8>) { output.put(Int64(symbolNumber)) }
}
