/// One block of a container: how many values, and where their bytes stand.
///
///     long                   count of values
///     long                   byte count of what follows, without the marker
///     bytes                  the values, through the codec
///     16 bytes               the container's sync marker
public struct ContainerBlock: Sendable {
  /// How many values the block holds.
  public var count: Int
  /// Where the (compressed) bytes begin, from the reader's first byte.
  public var payload: Range<Int>
  /// Where the block ends, after its sync marker.
  public var end: Int

  /// Takes a block's frame off the reader, and passes over its bytes.
  ///
  /// - Throws: ``AvroError/truncated`` when the block goes on past the end,
  ///   ``AvroError/syncMarkerMismatch`` when it does not end with the marker.
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

  /// Takes off what a block begins with: how many values it says it holds, and how long their bytes are, which the marker
  /// follows.
  ///
  /// - Throws: ``AvroError``, ``AvroError/invalidLength`` when a number is negative or over 2³¹ − 1.
  package static func takeHead(
    from reader: inout BinaryReader
  ) throws(AvroError) -> (count: Int, byteCount: Int) {
    let count = try reader.takeLong()
    let byteCount = try reader.takeLong()
    guard count >= 0, count <= Int64(Int32.max), byteCount >= 0, byteCount <= Int64(Int32.max)
    else { throw .invalidLength }
    return (Int(count), Int(byteCount))
  }

  /// The bytes of a whole block around an already compressed payload.
  public static func encode(count: Int, payload: [UInt8], syncMarker: [UInt8]) -> [UInt8] {
    var writer = BinaryWriter()
    writer.bytes.reserveCapacity(payload.count + 40)
    writer.put(Int64(count))
    writer.put(counted: payload)
    writer.put(raw: syncMarker)
    return writer.bytes
  }
}
