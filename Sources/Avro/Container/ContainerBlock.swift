/// One block of a container: the number of values, and the location of their bytes.
///
///     long                   count of values
///     long                   byte count of what follows, without the marker
///     bytes                  the values, through the codec
///     16 bytes               the container's sync marker
public struct ContainerBlock: Sendable {
  /// The number of values in the block.
  public var count: Int
  /// The range of the (compressed) bytes, relative to the reader's first byte.
  public var payload: Range<Int>
  /// The offset after the block's sync marker.
  public var end: Int

  /// Takes the frame of a block from the reader, and skips its bytes.
  ///
  /// - Throws: ``AvroError/truncated`` when the block extends past the end, ``AvroError/syncMarkerMismatch``
  ///   when it does not end with the marker.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader, syncMarker: [UInt8]) throws(AvroError) {
    let byteCount: Int
    (count, byteCount) = try Self.takeHead(from: &reader)
    guard byteCount + 16 <= reader.remaining else { throw .truncated }
    payload = reader.offset..<reader.offset + byteCount
    try reader.skip(byteCount)
    for byte in syncMarker {
      guard try reader.takeByte() == byte else { throw .syncMarkerMismatch }
    }
    end = reader.offset
  }

  /// Takes the head of a block: the number of its values, and the length of their bytes up to the marker.
  ///
  /// - Throws: ``AvroError``, in particular ``AvroError/invalidLength`` when a number is negative or over 2³¹
  ///   − 1.
  package static func takeHead(
    from reader: inout BinaryReader
  ) throws(AvroError) -> (count: Int, byteCount: Int) {
    let count = try reader.takeLong()
    let byteCount = try reader.takeLong()
    guard count >= 0, count <= Int64(Int32.max), byteCount >= 0, byteCount <= Int64(Int32.max)
    else { throw .invalidLength }
    return (Int(count), Int(byteCount))
  }

  /// Encodes a whole block around an already compressed payload.
  public static func encode(count: Int, payload: [UInt8], syncMarker: [UInt8]) -> [UInt8] {
    var writer = BinaryWriter()
    writer.bytes.reserveCapacity(payload.count + 40)
    writer.put(Int64(count))
    writer.put(counted: payload)
    writer.put(raw: syncMarker)
    return writer.bytes
  }
}
