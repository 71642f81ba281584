extension SchemaTranscoder {
  func write(
    _ json: JSON, as schema: Schema, to writer: inout BinaryWriter, _ format: some LogicalFormat,
    depth: Int
  ) throws(TranscodingError) {
    guard depth < Self.largestDepth else { throw TranscodingError("it is nested too deep") }
    switch schema {
    case .primitive(let primitive, let logicalType):
      try write(json, as: primitive, logicalType, to: &writer, format)
    case .reference(let name):
      try write(json, as: try resolve(name), to: &writer, format, depth: depth + 1)
    case .record(let record): try write(json, as: record, to: &writer, format, depth: depth)
    case .enumeration(let enumeration):
      guard let text = json.text, let number = enumeration.symbols.firstIndex(of: text) else {
        throw .mismatch(json, "one of \(enumeration.symbols.joined(separator: ", "))")
      }
      writer.put(Int64(number))
    case .fixed(let fixed):
      var bytes: [UInt8]?
      if let type = fixed.logicalType { bytes = try format.bytes(of: json, as: type) }
      guard let bytes = bytes ?? json.codePoints, bytes.count == fixed.byteCount else {
        throw .mismatch(json, "\(fixed.byteCount) bytes")
      }
      writer.put(raw: bytes)
    case .union(let branches): try write(json, as: branches, to: &writer, format, depth: depth)
    case .array(let items):
      guard let elements = json.elements else { throw .mismatch(json, "an array") }
      for (index, element) in elements.enumerated() {
        if index % Self.largestArrayBlock == 0 {
          writer.put(Int64(min(Self.largestArrayBlock, elements.count - index)))
        }
        do throws(TranscodingError) {
          try write(element, as: items, to: &writer, format, depth: depth + 1)
        } catch { throw error.inside(String(index)) }
      }
      writer.put(0)
    case .map(let values):
      guard let members = json.members else { throw .mismatch(json, "an object") }
      for (index, member) in members.enumerated() {
        if index % Self.largestArrayBlock == 0 {
          writer.put(Int64(min(Self.largestArrayBlock, members.count - index)))
        }
        writer.put(counted: member.name.utf8)
        do throws(TranscodingError) {
          try write(member.value, as: values, to: &writer, format, depth: depth + 1)
        } catch { throw error.inside(member.name) }
      }
      writer.put(0)
    }
  }

  private func write(
    _ json: JSON, as record: Schema.Record, to writer: inout BinaryWriter,
    _ format: some LogicalFormat, depth: Int
  ) throws(TranscodingError) {
    guard let members = json.members else { throw .mismatch(json, "an object") }
    let sources = SchemaMatch.sources(of: record, among: members.map(\.name))
    for (number, member) in members.enumerated() where !sources.contains(number) {
      throw TranscodingError("\(record.name) has no such field").inside(member.name)
    }
    for (field, source) in zip(record.fields, sources) {
      do throws(TranscodingError) {
        if let source {
          let value = members[source].value
          try write(value, as: field.schema, to: &writer, format, depth: depth + 1)
        } else if let value = field.defaultValue {
          try write(value, as: field.schema, to: &writer, DefaultFormat(), depth: depth + 1)
        } else {
          throw TranscodingError("it is missing")
        }
      } catch { throw error.inside(field.name) }
    }
  }

  private func write(
    _ json: JSON, as branches: [Schema], to writer: inout BinaryWriter,
    _ format: some LogicalFormat, depth: Int
  ) throws(TranscodingError) {
    if format is DefaultFormat {
      guard let number = branches.firstIndex(where: { isDefault(json, of: $0) }) else {
        throw .mismatch(json, "of any of the union's types")
      }
      writer.put(Int64(number))
      return try write(json, as: branches[number], to: &writer, format, depth: depth + 1)
    }
    if json == .null, let null = branches.firstIndex(of: .primitive(.null)) {
      return writer.put(Int64(null))
    }
    if let (wrapped, null) = Self.optional(branches) {
      writer.put(Int64(1 - null))
      return try write(json, as: wrapped, to: &writer, format, depth: depth + 1)
    }
    guard let members = json.members, members.count == 1, let member = members.first else {
      throw .mismatch(json, "an object with one member, named for its type")
    }
    let branch =
      branches.firstIndex { Self.name(of: $0) == member.name }
      ?? branches.firstIndex { $0.aliases.contains(member.name) }
    guard let number = branch else {
      throw TranscodingError("there is no type \"\(member.name)\" here")
    }
    writer.put(Int64(number))
    try write(member.value, as: branches[number], to: &writer, format, depth: depth + 1)
  }

  private func write(
    _ json: JSON, as primitive: Schema.Primitive, _ logicalType: String?,
    to writer: inout BinaryWriter, _ format: some LogicalFormat
  ) throws(TranscodingError) {
    switch primitive {
    case .null: guard json == .null else { throw .mismatch(json, "null") }
    case .boolean:
      guard let value = json.boolean else { throw .mismatch(json, "true or false") }
      value.write(to: &writer)
    case .int, .long:
      var number: Int64?
      if let logicalType { number = try format.number(of: json, as: logicalType) }
      let isInt = primitive == .int
      guard let number = number ?? json.integer.map(Int64.init),
        !isInt || Int32(exactly: number) != nil
      else { throw .mismatch(json, isInt ? "a whole number of 32 bits" : "a whole number") }
      writer.put(number)
    case .float:
      guard let value = json.floating else { throw .mismatch(json, "a number") }
      let bits = Float(value).bitPattern
      writer.put(raw: (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) })
    case .double:
      guard let value = json.floating else { throw .mismatch(json, "a number") }
      value.write(to: &writer)
    case .bytes:
      guard let bytes = json.codePoints else { throw .mismatch(json, "a string of bytes") }
      writer.put(counted: bytes)
    case .string:
      guard let text = json.text else { throw .mismatch(json, "a string") }
      writer.put(counted: text.utf8)
    }
  }
}

extension TranscodingError {
  /// Something else stands where a value should be.
  public static func mismatch(_ json: JSON, _ wanted: String) -> TranscodingError {
    let scalar: Bool
    switch json {
    case .number, .string: scalar = true
    default: scalar = false
    }
    let text = json.encoded
    return TranscodingError(
      "\(scalar && text.utf8.count <= 80 ? text : json.kind) is not \(wanted)")
  }
}

extension JSON {
  /// The bytes that a string of code points 0…255 stands for.
  var codePoints: [UInt8]? {
    guard let text else { return nil }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// The number, if this is one or the name of what JSON has no number for.
  var floating: Double? {
    switch self {
    case .number(let digits): Double(digits)
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default: nil
    }
  }
}
