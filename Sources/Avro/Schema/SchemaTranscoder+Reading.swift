extension SchemaTranscoder {
  @_lifetime(reader: copy reader)
  func read(
    _ schema: Schema, from reader: inout BinaryReader, _ format: some LogicalFormat, depth: Int
  ) throws(TranscodingError) -> JSON {
    guard depth < Self.largestDepth else { throw TranscodingError("it is nested too deep") }
    switch schema {
    case .primitive(let primitive, let logicalType):
      return try read(primitive, logicalType, from: &reader, format)
    case .reference(let name):
      return try read(try resolve(name), from: &reader, format, depth: depth + 1)
    case .record(let record):
      var members: [JSON.Member] = []
      members.reserveCapacity(record.fields.count)
      for field in record.fields {
        do throws(TranscodingError) {
          let value = try read(field.schema, from: &reader, format, depth: depth + 1)
          members.append(JSON.Member(field.name, value))
        } catch { throw error.inside(field.name) }
      }
      return .object(members)
    case .enumeration(let enumeration):
      let number = Int(try taking { () throws(AvroError) in try reader.takeInt() })
      guard enumeration.symbols.indices.contains(number) else {
        throw TranscodingError(AvroError.unknownSymbol(number).description)
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
      let number = Int(long)
      guard branches.indices.contains(number) else {
        throw TranscodingError(AvroError.unknownBranch(number).description)
      }
      let branch = branches[number]
      if branch == .primitive(.null) { return .null }
      let value = try read(branch, from: &reader, format, depth: depth + 1)
      if Self.optional(branches) != nil { return value }
      return .object([.init(Self.name(of: branch), value)])
    case .array(let items):
      var elements: [JSON] = []
      while let block = try takeBlock(from: &reader) {
        for _ in 0..<block.count {
          let start = reader.offset
          do throws(TranscodingError) {
            elements.append(try read(items, from: &reader, format, depth: depth + 1))
          } catch { throw error.inside(String(elements.count)) }
          // No bytes bound how many there are.
          guard reader.offset > start || elements.count <= Self.largestEmptyCount else {
            throw TranscodingError(AvroError.invalidLength.description)
          }
        }
        try check(block.end, reader.offset)
      }
      return .array(elements)
    case .map(let values):
      var members: [JSON.Member] = []
      // Byte by byte, as the parser of JSON tells them apart.
      var names: Set<[UInt8]> = []
      while let block = try takeBlock(from: &reader) {
        for _ in 0..<block.count {
          let name = try taking { () throws(AvroError) in try reader.takeText() }
          guard names.insert(Array(name.utf8)).inserted else {
            throw TranscodingError("the name \"\(name)\" comes twice")
          }
          let value = try read(values, from: &reader, format, depth: depth + 1)
          members.append(JSON.Member(name, value))
        }
        try check(block.end, reader.offset)
      }
      return .object(members)
    }
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
      let bytes = try taking { () throws(AvroError) in try reader.takeBytes(4) }
      let bits = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return .floating(Double(Float(bitPattern: bits)), "\(Float(bitPattern: bits))")
    case .double:
      let value = try taking { () throws(AvroError) in try Double(from: &reader) }
      return .floating(value, "\(value)")
    case .bytes:
      return .codePoints(
        try taking { () throws(AvroError) in try reader.takeBytes(try reader.takeLength()) })
    case .string: return .string(try taking { () throws(AvroError) in try reader.takeText() })
    }
  }

  /// The next block of an array or map: how many elements, and if it says so, where it ends; `nil` at the end.
  @_lifetime(reader: copy reader)
  private func takeBlock(
    from reader: inout BinaryReader
  ) throws(TranscodingError) -> (count: Int, end: Int?)? {
    let block = try taking { () throws(AvroError) in try reader.takeBlock() }
    guard let block else { return nil }
    guard block.count <= Self.largestArrayBlock else {
      throw TranscodingError(AvroError.invalidLength.description)
    }
    return (block.count, block.byteCount.map { reader.offset + $0 })
  }

  /// A block that says how long it is must be as long.
  private func check(_ end: Int?, _ offset: Int) throws(TranscodingError) {
    guard end == nil || end == offset else {
      throw TranscodingError(AvroError.invalidLength.description)
    }
  }
}

/// Takes a value; damaged bytes become an error about the value at hand.
private func taking<Value>(
  _ take: () throws(AvroError) -> Value
) throws(TranscodingError) -> Value {
  do throws(AvroError) { return try take() } catch { throw TranscodingError(error.description) }
}

extension JSON {
  /// Bytes as the code points 0…255.
  fileprivate static func codePoints(_ bytes: [UInt8]) -> JSON {
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return .string(text)
  }

  /// A number, or the name of what JSON has no number for.
  fileprivate static func floating(_ value: Double, _ digits: String) -> JSON {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    return .number(digits)
  }
}
