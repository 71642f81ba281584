extension SchemaTranscoder {
  @_lifetime(reader: copy reader)
  func read(
    _ schema: Schema, from reader: inout BinaryReader, _ format: some LogicalFormat,
    _ count: inout Int, depth: Int
  ) throws(TranscodingError) -> JSON {
    // Nested records of one field make many values from one byte.
    count += 1
    try check(.jsonValueCount, count)
    try check(.depth, depth + 1)
    switch schema {
    case .primitive(let primitive, let annotations):
      return try read(primitive, annotations.logicalType, from: &reader, format)
    case .reference(let name):
      return try read(try resolve(name), from: &reader, format, &count, depth: depth)
    case .record(let record):
      var members: [JSON.Member] = []
      members.reserveCapacity(record.fields.count)
      for field in record.fields {
        do throws(TranscodingError) {
          let value = try read(field.schema, from: &reader, format, &count, depth: depth + 1)
          members.append(JSON.Member(field.name, value))
        } catch { throw error.inside(field.name) }
      }
      return .object(members)
    case .enumeration(let enumeration):
      let number = Int(try taking { () throws(AvroError) in try reader.takeInt() })
      guard enumeration.symbols.indices.contains(number) else {
        throw TranscodingError(.unknownSymbol(number))
      }
      return .string(enumeration.symbols[number])
    case .fixed(let fixed):
      let bytes = try taking { () throws(AvroError) in try reader.takeBytes(fixed.byteCount) }
      if let type = fixed.logicalType, let json = try format.json(of: bytes, as: type) {
        return json
      }
      return .codePoints(bytes)
    case .union(let branches):
      let long = try taking { () throws(AvroError) in try reader.takeLong() }
      let number = Int(truncatingIfNeeded: long)
      guard branches.indices.contains(number) else {
        throw TranscodingError(.unknownBranch(number))
      }
      let branch = branches[number]
      let value = try read(branch, from: &reader, format, &count, depth: depth + 1)
      if branch.isNull || Self.optional(branches) != nil { return value }
      return .object([.init(Self.name(of: branch), value)])
    case .array(let items, _):
      var elements: [JSON] = []
      try readBlocks(from: &reader) { (reader) throws(TranscodingError) in
        do throws(TranscodingError) {
          elements.append(try read(items, from: &reader, format, &count, depth: depth + 1))
        } catch { throw error.inside(String(elements.count)) }
      }
      return .array(elements)
    case .map(let values, _):
      var members: [JSON.Member] = []
      // Names are compared byte by byte, as in the JSON parser.
      var names: Set<[UInt8]> = []
      try readBlocks(from: &reader) { (reader) throws(TranscodingError) in
        let name = try taking { () throws(AvroError) in try reader.takeText() }
        guard names.insert(Array(name.utf8)).inserted else {
          throw TranscodingError("the name \"\(name)\" comes twice")
        }
        do throws(TranscodingError) {
          let value = try read(values, from: &reader, format, &count, depth: depth + 1)
          members.append(JSON.Member(name, value))
        } catch { throw error.inside(name) }
      }
      return .object(members)
    }
  }

  /// Reads the items of an array's or map's blocks.
  @_lifetime(reader: copy reader)
  private func readBlocks(
    from reader: inout BinaryReader,
    _ readItem: (inout BinaryReader) throws(TranscodingError) -> Void
  ) throws(TranscodingError) {
    while let block = try taking({ () throws(AvroError) in try reader.takeBlock() }) {
      let start = reader.offset
      try readItem(&reader)
      try taking { () throws(AvroError) in
        try reader.checkItems(block.count, firstFrom: start)
      }
      for _ in 1..<block.count { try readItem(&reader) }
      // A block that gives its length must have that length.
      guard block.byteCount == nil || block.byteCount == reader.offset - start else {
        throw TranscodingError(.invalidLength)
      }
    }
  }

  private func check(_ limit: AvroLimit, _ number: Int) throws(TranscodingError) {
    guard number <= limit.maximum else { throw TranscodingError(.limitExceeded(limit)) }
  }

  @_lifetime(reader: copy reader)
  private func read(
    _ primitive: Schema.Primitive, _ logicalType: String?, from reader: inout BinaryReader,
    _ format: some LogicalFormat
  ) throws(TranscodingError) -> JSON {
    switch primitive {
    case .null: return .null
    case .boolean: return .bool(try taking { () throws(AvroError) in try Bool(from: &reader) })
    case .int, .long:
      let number = try taking { () throws(AvroError) in
        primitive == .int ? Int64(try reader.takeInt()) : try reader.takeLong()
      }
      if let logicalType, let json = try format.json(of: number, as: logicalType) { return json }
      return .number(number)
    case .float:
      let value = try taking { () throws(AvroError) in try reader.takeFloat() }
      return .floating(Double(value), "\(value)")
    case .double:
      let value = try taking { () throws(AvroError) in try Double(from: &reader) }
      return .floating(value, "\(value)")
    case .bytes:
      return .codePoints(
        try taking { () throws(AvroError) in try reader.takeBytes(try reader.takeLength()) })
    case .string: return .string(try taking { () throws(AvroError) in try reader.takeText() })
    }
  }
}

/// Takes a value; damaged bytes become an error about the current value.
private func taking<Value>(
  _ take: () throws(AvroError) -> Value
) throws(TranscodingError) -> Value {
  do throws(AvroError) { return try take() } catch { throw TranscodingError(error) }
}

extension JSON {
  /// Bytes as the code points 0…255.
  fileprivate static func codePoints(_ bytes: [UInt8]) -> JSON {
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return .string(text)
  }

  /// The JSON of a number, or its name if JSON cannot express it.
  fileprivate static func floating(_ value: Double, _ digits: String) -> JSON {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    return .number(digits)
  }
}
