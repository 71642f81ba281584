/// Takes Avro values from the front of bytes (Avro specification, "Binary Encoding").
///
/// Every operation checks bounds: damaged bytes end in an error, never in a trap. Taking a variable-length
/// number costs about a nanosecond.
public struct BinaryReader: ~Escapable {
  @usableFromInline let bytes: RawSpan
  /// The number of bytes taken.
  @inlinable
  public var offset: Int { position }
  @usableFromInline var position: Int
  /// The number of items taken that have no bytes.
  @usableFromInline var emptyItemCount = 0
  /// The number of values enclosing the next one whose types may contain themselves.
  @usableFromInline var depth = 0

  /// Reads from the first byte.
  @inlinable
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan) {
    self.bytes = bytes
    self.position = 0
  }

  /// Whether every byte has been taken.
  @inlinable
  public var isAtEnd: Bool { position == bytes.byteCount }

  /// The number of bytes left.
  @inlinable
  public var remaining: Int { bytes.byteCount &- position }

  /// Takes a variable-length number of up to 64 bits.
  ///
  /// - Throws: ``AvroError/truncated`` or ``AvroError/numberTooLarge``.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func takeVariableLength() throws(AvroError) -> UInt64 {
    let count = bytes.byteCount
    guard position < count else { throw .truncated }
    var byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
    position &+= 1
    if byte < 0x80 { return UInt64(byte) }
    var number = UInt64(byte & 0x7F)
    var shift: UInt64 = 7
    while true {
      guard position < count else { throw .truncated }
      byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
      position &+= 1
      number |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 {
        guard shift < 63 || byte <= 1 else { throw .numberTooLarge }
        return number
      }
      shift &+= 7
      guard shift < 64 else { throw .numberTooLarge }
    }
  }

  /// Takes a `long`.
  ///
  /// - Throws: ``AvroError/truncated`` or ``AvroError/numberTooLarge``.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func takeLong() throws(AvroError) -> Int64 {
    let raw = try takeVariableLength()
    return Int64(bitPattern: raw &>> 1) ^ (0 &- Int64(bitPattern: raw & 1))
  }

  /// Takes an `int`.
  ///
  /// - Throws: ``AvroError/truncated`` or ``AvroError/numberTooLarge``.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func takeInt() throws(AvroError) -> Int32 {
    let long = try takeLong()
    guard let int = Int32(exactly: long) else { throw .numberTooLarge }
    return int
  }

  /// Takes one byte.
  ///
  /// - Throws: ``AvroError/truncated``.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func takeByte() throws(AvroError) -> UInt8 {
    guard position < bytes.byteCount else { throw .truncated }
    let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
    position &+= 1
    return byte
  }

  /// Takes a length or count that cannot exceed the `remaining` bytes.
  ///
  /// - Throws: ``AvroError/invalidLength`` when it is negative or larger than that.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func takeLength() throws(AvroError) -> Int {
    let length = try takeLong()
    guard length >= 0, length <= Int64(remaining) else { throw .invalidLength }
    return Int(length)
  }

  /// Takes `count` raw bytes.
  ///
  /// - Throws: ``AvroError/truncated`` when there are fewer.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func takeBytes(_ count: Int) throws(AvroError) -> [UInt8] {
    guard count >= 0, count <= remaining else { throw .truncated }
    let slice = bytes.extracting(position..<position &+ count)
    position &+= count
    return unsafe slice.withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// Takes a string: its length in bytes, then UTF-8.
  ///
  /// - Throws: ``AvroError/invalidText`` when it is not valid UTF-8.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func takeText() throws(AvroError) -> String {
    let count = try takeLength()
    let slice = bytes.extracting(position..<position &+ count)
    position &+= count
    let text = unsafe slice.withUnsafeBytes { bytes in
      String(valid: unsafe bytes.bindMemory(to: UInt8.self).span)
    }
    guard let text else { throw .invalidText }
    return text
  }

  /// Skips `count` bytes.
  ///
  /// - Throws: ``AvroError/truncated`` when there are fewer.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func skip(_ count: Int) throws(AvroError) {
    guard count >= 0, count <= remaining else { throw .truncated }
    position &+= count
  }
}
