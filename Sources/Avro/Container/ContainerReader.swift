/// Reads an Avro container file of any schema, one value after another, as JSON (``SchemaTranscoder`` defines
/// the JSON of each type). Only one block is in memory at a time.
///
/// ```swift
/// var reader = try ContainerReader(bytes)
/// while let value = try reader.next() { print(value.encoded) }
/// ```
public struct ContainerReader {
  /// The file's header: its metadata and its sync marker.
  public let header: ContainerHeader
  /// The schema with which the values were written.
  public let writerSchema: Schema
  /// The schema of the values that are read.
  public let schema: Schema
  private let bytes: [UInt8]
  private let codec: Codec
  private let format: any LogicalFormat
  private let transcoder: SchemaTranscoder
  private let resolution: SchemaResolution?
  private let decompressor: ZstandardDecompressor
  /// The offset in the file of the next block.
  private var nextBlock: Int
  /// The bytes of the current block: its values one after another.
  private var block: [UInt8] = []
  private var blockByteCount = 0
  private var offset = 0
  private var valuesLeft = 0
  private var valueCount = 0

  /// Reads the header of a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - schema: The schema that the values are converted to (``SchemaResolution``); the writer's own if
  ///     `nil`.
  ///   - format: The JSON of logical types; without one they are numbers and bytes.
  /// - Throws: ``AvroError`` when the header is damaged, its schema is not valid or does not fit, or its codec is unknown.
  public init(
    _ bytes: [UInt8], as schema: Schema? = nil, format: any LogicalFormat = PlainFormat()
  ) throws(AvroError) {
    var reader = unsafe BinaryReader(bytes.span.bytes)
    header = try ContainerHeader(from: &reader)
    nextBlock = reader.offset
    codec = try header.codec()
    writerSchema = try Schema(parsing: header.schemaText)
    self.schema = schema ?? writerSchema
    self.bytes = bytes
    self.format = format
    transcoder = SchemaTranscoder(self.schema)
    if let schema, schema.canonicalForm != writerSchema.canonicalForm {
      let resolution = try SchemaResolution(from: writerSchema, to: schema)
      self.resolution = resolution.changesNothing ? nil : resolution
    } else {
      resolution = nil
    }
    decompressor = try ZstandardDecompressor()
  }

  /// The next value; `nil` after the last one.
  ///
  /// - Throws: ``TranscodingError``, whose path begins with the number of the value from 0, when the file is
  ///   damaged or truncated there, or when a value does not fit the schema. Reading stops at that point.
  public mutating func next() throws(TranscodingError) -> JSON? {
    do throws(TranscodingError) {
      while valuesLeft == 0 {
        guard nextBlock < bytes.count else { return nil }
        do throws(AvroError) { try readBlock() } catch { throw TranscodingError(error) }
      }
      return try readValue()
    } catch {
      (nextBlock, valuesLeft) = (bytes.count, 0)
      throw error.inside(String(valueCount))
    }
  }

  private mutating func readBlock() throws(AvroError) {
    var reader = unsafe BinaryReader(bytes.span.bytes.extracting(nextBlock...))
    let found = try ContainerBlock(from: &reader, syncMarker: header.syncMarker)
    let payload = nextBlock + found.payload.lowerBound..<nextBlock + found.payload.upperBound
    nextBlock += found.end
    // The memory is reused.
    var values: [UInt8] = []
    swap(&values, &block)
    var byteCount = payload.count
    if codec == .zstandard {
      byteCount = try unsafe decompressor.decompress(
        bytes.span.bytes.extracting(payload), into: &values)
    } else {
      values = Array(bytes[payload])
    }
    if let resolution {
      var resolved: [UInt8] = []
      try unsafe resolution.resolve(
        found.count, in: values.span.bytes.extracting(first: byteCount), into: &resolved)
      (values, byteCount) = (resolved, resolved.count)
    }
    guard found.count > 0 || byteCount == 0 else { throw .trailingBytes }
    block = values
    (blockByteCount, offset, valuesLeft) = (byteCount, 0, found.count)
  }

  private mutating func readValue() throws(TranscodingError) -> JSON {
    let (values, end, start, left) = (block, blockByteCount, offset, valuesLeft)
    var reader = unsafe BinaryReader(values.span.bytes.extracting(start..<end))
    var count = 0
    let value = try transcoder.read(transcoder.schema, from: &reader, format, &count, depth: 0)
    do throws(AvroError) {
      // A block could claim any number of values that take no bytes, so their number is limited.
      if start == 0 { try reader.checkItems(left, firstFrom: 0) }
      guard left > 1 || start + reader.offset == end else { throw .trailingBytes }
    } catch { throw TranscodingError(error) }
    (offset, valuesLeft) = (start + reader.offset, left - 1)
    valueCount += 1
    return value
  }
}
