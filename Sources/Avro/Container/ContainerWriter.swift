/// Writes an Avro container file of any schema from JSON values (``SchemaTranscoder`` defines the JSON of
/// each type).
///
/// ```swift
/// var writer = try ContainerWriter(Schema(parsing: text))
/// try writer.append(["mood": "calm"])
/// let bytes = try writer.finish()
/// ```
public struct ContainerWriter: ~Copyable {
  /// The number of value bytes after which a block ends; a larger single value makes a larger block.
  public static let usualBlockByteCount = 64 << 10

  private let codec: Codec
  private let format: any LogicalFormat
  private let transcoder: SchemaTranscoder
  private let syncMarker: [UInt8]
  private let blockByteCount: Int
  private let compressor: ZstandardCompressor
  private var bytes: [UInt8]
  private var block: [UInt8] = []
  private var blockCount = 0

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - schema: The schema of the values.
  ///   - codec: The compression of blocks.
  ///   - metadata: Further metadata for the header.
  ///   - syncMarker: The sixteen bytes that end each block; random if `nil`.
  ///   - blockByteCount: The number of value bytes after which a block ends.
  ///   - format: The JSON of logical types; without one they are numbers and bytes.
  /// - Throws: ``AvroError/invalidLength`` when the sync marker does not have sixteen bytes,
  ///   ``AvroError/invalidSchema(_:)`` when no reader would accept the schema, or ``AvroError`` when memory
  ///   is short.
  public init(
    _ schema: Schema, codec: Codec = .zstandard, metadata: [ContainerHeader.Entry] = [],
    syncMarker: [UInt8]? = nil, blockByteCount: Int = usualBlockByteCount,
    format: any LogicalFormat = PlainFormat()
  ) throws(AvroError) {
    let marker = syncMarker ?? (0..<16).map { _ in UInt8.random(in: 0...255) }
    guard marker.count == 16 else { throw .invalidLength }
    let text = schema.json.encoded
    _ = try Schema(parsing: text)
    let compressor = try ZstandardCompressor()
    self.syncMarker = marker
    self.codec = codec
    self.format = format
    self.blockByteCount = max(1, blockByteCount)
    transcoder = SchemaTranscoder(schema)
    self.compressor = compressor
    bytes =
      ContainerHeader(schema: text, codec: codec, metadata: metadata, syncMarker: marker).encoded
  }

  /// Appends a value.
  ///
  /// - Throws: ``TranscodingError`` when it is not a value of the schema; the file is then unchanged.
  public mutating func append(_ value: JSON) throws(TranscodingError) {
    block += try transcoder.encode(value, format)
    blockCount += 1
    guard block.count >= blockByteCount || blockCount >= AvroLimit.emptyItemCount.maximum else {
      return
    }
    do throws(AvroError) { try closeBlock() } catch { throw TranscodingError(error) }
  }

  /// Ends the file.
  ///
  /// - Returns: The bytes of the file.
  /// - Throws: ``AvroError`` when memory is short.
  public consuming func finish() throws(AvroError) -> [UInt8] {
    if blockCount > 0 { try closeBlock() }
    return bytes
  }

  private mutating func closeBlock() throws(AvroError) {
    let payload = codec == .null ? block : try compressor.compress(block)
    bytes += ContainerBlock.encode(count: blockCount, payload: payload, syncMarker: syncMarker)
    block.removeAll(keepingCapacity: true)
    blockCount = 0
  }
}
