/// Reads and writes whole containers in memory: snapshots, tests, and exchange with other programs.
public enum Container {
  /// Encodes values as a container with at most `blockCount` of them in a block.
  ///
  /// - Throws: ``AvroError`` when memory is short.
  public static func encode<Value: AvroValue>(
    _ values: [Value], codec: Codec = .zstandard, metadata: [ContainerHeader.Entry] = [],
    syncMarker: [UInt8], blockCount: Int = 1000
  ) throws(AvroError) -> [UInt8] {
    let header = ContainerHeader(
      schema: Value.schema.json.encoded, codec: codec, metadata: metadata, syncMarker: syncMarker)
    var bytes = header.encoded
    let compressor = try ZstandardCompressor()
    var index = 0
    repeat {
      let slice = values[index..<min(values.count, index + max(1, blockCount))]
      var writer = BinaryWriter()
      for value in slice { value.write(to: &writer) }
      let payload = codec == .null ? writer.bytes : try compressor.compress(writer.bytes)
      bytes += ContainerBlock.encode(count: slice.count, payload: payload, syncMarker: syncMarker)
      index += slice.count
    } while index < values.count
    return bytes
  }

  /// Decodes the values of a container whose blocks together do not exceed ``AvroLimit/byteCount``.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - bytes: The whole container.
  ///   - resolving: Whether another schema is accepted if ``SchemaResolution`` can convert it to this one;
  ///     otherwise another schema is an error.
  /// - Returns: The values, in order.
  /// - Throws: ``AvroError`` when the container is damaged or has another schema.
  public static func decode<Value: AvroValue>(
    _ type: Value.Type, from bytes: [UInt8], resolving: Bool = false
  ) throws(AvroError) -> [Value] {
    var reader = unsafe BinaryReader(bytes.span.bytes)
    let header = try ContainerHeader(from: &reader)
    let codec = try header.codec()
    let resolution = try resolution(from: header, to: Value.schema, resolving: resolving)
    let decompressor = try ZstandardDecompressor()
    var buffer: [UInt8] = []
    var resolved: [UInt8] = []
    var values: [Value] = []
    var byteCount = 0
    while !reader.isAtEnd {
      let block = try ContainerBlock(from: &reader, syncMarker: header.syncMarker)
      let span = unsafe bytes.span.bytes.extracting(block.payload)
      var count = span.byteCount
      if codec == .zstandard {
        count = try decompressor.decompress(span, into: &buffer)
      } else {
        buffer = Array(bytes[block.payload])
      }
      byteCount += count
      try AvroLimit.byteCount.check(byteCount)
      if let resolution {
        try unsafe resolution.resolve(
          block.count, in: buffer.span.bytes.extracting(first: count), into: &resolved)
        swap(&buffer, &resolved)
        count = buffer.count
      }
      var payload = unsafe BinaryReader(buffer.span.bytes.extracting(first: count))
      for number in 0..<block.count {
        let start = payload.offset
        values.append(try Value(from: &payload))
        if number == 0 { try payload.checkItems(block.count, firstFrom: start) }
      }
      guard payload.isAtEnd else { throw .trailingBytes }
    }
    return values
  }

  /// The resolution from the writer's schema to the reader's; `nil` when the bytes are already the same.
  private static func resolution(
    from header: ContainerHeader, to reader: Schema, resolving: Bool
  ) throws(AvroError) -> SchemaResolution? {
    let writer = try Schema(parsing: header.schemaText)
    if writer.canonicalForm == reader.canonicalForm { return nil }
    guard resolving else {
      throw .invalidSchema("the container was written with another schema")
    }
    let resolution = try SchemaResolution(from: writer, to: reader)
    return resolution.changesNothing ? nil : resolution
  }
}
