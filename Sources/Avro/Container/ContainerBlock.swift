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
    let count = try reader.takeLong()
    let byteCount = try reader.takeLong()
    guard count >= 0, count <= Int64(Int32.max), byteCount >= 0, byteCount <= Int64(Int32.max)
    else { throw .invalidLength }
    guard Int(byteCount) + 16 <= reader.remaining else { throw .truncated }
    self.count = Int(count)
    payload = reader.offset..<reader.offset + Int(byteCount)
    try reader.skip(Int(byteCount))
    for byte in syncMarker {
      guard try reader.takeByte() == byte else { throw .syncMarkerMismatch }
    }
    end = reader.offset
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
