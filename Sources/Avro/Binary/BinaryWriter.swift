/// Appends Avro values to bytes (Avro specification, "Binary Encoding").
public struct BinaryWriter: Sendable {
  /// The bytes written so far.
  public var bytes: [UInt8] = []

  /// Begins with no bytes.
  public init() {}

  /// Discards the bytes and keeps the memory.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends a `long` or an `int`.
  @inlinable
  public mutating func put(_ number: Int64) {
    var raw = UInt64(bitPattern: (number &<< 1) ^ (number &>> 63))
    while raw >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: raw) | 0x80)
      raw &>>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: raw))
  }

  /// Appends the bytes that a closure writes, in room reserved once.
  ///
  /// - Parameters:
  ///   - byteCount: The largest number of bytes it may write.
  ///   - body: Writes the bytes.
  @inlinable
  @inline(__always)
  public mutating func put(upTo byteCount: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
    bytes.append(addingCapacity: byteCount, initializingWith: body)
  }

  /// Appends raw bytes.
  @inlinable
  public mutating func put(raw more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Appends a length, then the bytes: the encoding of `bytes`, and of a `string` in UTF-8.
  @inlinable
  public mutating func put(counted more: some Collection<UInt8>) {
    put(Int64(more.count))
    bytes.append(contentsOf: more)
  }
}

extension OutputSpan where Element == UInt8 {
  /// Appends a `long` or an `int`: ten bytes at most.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func put(_ number: Int64) {
    var raw = UInt64(bitPattern: (number &<< 1) ^ (number &>> 63))
    while raw >= 0x80 {
      append(UInt8(truncatingIfNeeded: raw) | 0x80)
      raw &>>= 7
    }
    append(UInt8(truncatingIfNeeded: raw))
  }
}
