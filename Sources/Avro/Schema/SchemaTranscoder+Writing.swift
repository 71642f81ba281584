extension SchemaTranscoder {
  /// The amount of work done, including failed attempts.
  struct Work {
    /// The limit that applies to the number of values.
    private let limit: AvroLimit
    private var valueCount = 0
    private var emptyItemCount = 0
    private var exceeded: AvroLimit?

    init(_ limit: AvroLimit) { self.limit = limit }

    /// Counts a value at its start.
    mutating func begin(after byteCount: Int, depth: Int) throws(TranscodingError) {
      valueCount += 1
      if valueCount > limit.maximum { exceeded = limit }
      if byteCount > AvroLimit.byteCount.maximum { exceeded = .byteCount }
      try check()
      // A wrong branch of a union does not count as exceeding the limit.
      let limit = AvroLimit.depth
      guard depth < limit.maximum else { throw TranscodingError(.limitExceeded(limit)) }
    }

    /// Counts an item that has no bytes.
    mutating func countEmptyItem() throws(TranscodingError) {
      emptyItemCount += 1
      if emptyItemCount > AvroLimit.emptyItemCount.maximum { exceeded = .emptyItemCount }
      try check()
    }

    /// Throws once the limit is exceeded.
    func check() throws(TranscodingError) {
      if let exceeded { throw TranscodingError(.limitExceeded(exceeded)) }
    }
  }

  func write(
    _ json: JSON, as schema: Schema, to writer: inout BinaryWriter, _ format: some LogicalFormat,
    _ work: inout Work, depth: Int
  ) throws(TranscodingError) {
    try work.begin(after: writer.bytes.count, depth: depth)
    switch schema {
    case .primitive(let primitive, let annotations):
      try write(json, as: primitive, annotations.logicalType, to: &writer, format)
    case .reference(let name):
      try write(json, as: try resolve(name), to: &writer, format, &work, depth: depth)
    case .record(let record): try write(json, as: record, to: &writer, format, &work, depth: depth)
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
    case .union(let branches):
      if let format = format as? DefaultFormat {
        return try writeDefault(json, as: branches, to: &writer, format, &work, depth: depth)
      }
      try write(json, as: branches, to: &writer, format, &work, depth: depth)
    case .array(let items, _):
      guard let elements = json.elements else { throw .mismatch(json, "an array") }
      for (index, element) in elements.enumerated() {
        if index % Self.largestArrayBlock == 0 {
          writer.put(Int64(min(Self.largestArrayBlock, elements.count - index)))
        }
        let start = writer.bytes.count
        do throws(TranscodingError) {
          try write(element, as: items, to: &writer, format, &work, depth: depth + 1)
          if writer.bytes.count == start { try work.countEmptyItem() }
        } catch { throw error.inside(String(index)) }
      }
      writer.put(0)
    case .map(let values, _):
      guard let members = json.members else { throw .mismatch(json, "an object") }
      for (index, member) in members.enumerated() {
        if index % Self.largestArrayBlock == 0 {
          writer.put(Int64(min(Self.largestArrayBlock, members.count - index)))
        }
        writer.put(counted: member.name.utf8)
        do throws(TranscodingError) {
          try write(member.value, as: values, to: &writer, format, &work, depth: depth + 1)
        } catch { throw error.inside(member.name) }
      }
      writer.put(0)
    }
  }

  private func write(
    _ json: JSON, as record: Schema.Record, to writer: inout BinaryWriter,
    _ format: some LogicalFormat, _ work: inout Work, depth: Int
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
          try write(value, as: field.schema, to: &writer, format, &work, depth: depth + 1)
        } else if let value = field.defaultValue {
          try write(
            value, as: field.schema, to: &writer, DefaultFormat(), &work, depth: depth + 1)
        } else {
          throw TranscodingError("it is missing")
        }
      } catch { throw error.inside(field.name) }
    }
  }

  private func write(
    _ json: JSON, as branches: [Schema], to writer: inout BinaryWriter,
    _ format: some LogicalFormat, _ work: inout Work, depth: Int
  ) throws(TranscodingError) {
    if json == .null, let null = branches.firstIndex(where: \.isNull) {
      writer.put(Int64(null))
      return try write(json, as: branches[null], to: &writer, format, &work, depth: depth + 1)
    }
    if let (wrapped, null) = Self.optional(branches) {
      writer.put(Int64(1 - null))
      return try write(json, as: wrapped, to: &writer, format, &work, depth: depth + 1)
    }
    guard let members = json.members, members.count == 1, let member = members.first else {
      throw .mismatch(json, "an object with one member, named for its type")
    }
    let branch =
      branches.firstIndex { Self.name(of: $0) == member.name }
      ?? branches.firstIndex { aliases(of: $0).contains(member.name) }
    guard let number = branch else {
      throw TranscodingError("there is no type \"\(member.name)\" here")
    }
    writer.put(Int64(number))
    try write(member.value, as: branches[number], to: &writer, format, &work, depth: depth + 1)
  }

  private func aliases(of branch: Schema) -> [String] {
    guard case .reference(let name) = branch else { return branch.aliases }
    return (try? resolve(name))?.aliases ?? []
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
      // Not converted through a double, which would round twice.
      writer.put(float: try floating(json, format, "a number of 32 bits"))
    case .double: (try floating(json, format, "a number of 64 bits") as Double).write(to: &writer)
    case .bytes:
      guard let bytes = json.codePoints else { throw .mismatch(json, "a string of bytes") }
      writer.put(counted: bytes)
    case .string:
      guard let text = json.text else { throw .mismatch(json, "a string") }
      writer.put(counted: text.utf8)
    }
  }
}

extension SchemaTranscoder {
  /// The number nearest to the digits, or the one with a name.
  private func floating<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ json: JSON, _ format: some LogicalFormat, _ wanted: String
  ) throws(TranscodingError) -> Number {
    switch json {
    case .number(let digits):
      guard let number = Number(digits), number.isFinite else { throw .mismatch(json, wanted) }
      return number
    case .string where (format as? DefaultFormat)?.takesNames == false: break
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    default: break
    }
    throw .mismatch(json, wanted)
  }
}

extension TranscodingError {
  /// Makes the error for a JSON value of the wrong kind.
  public static func mismatch(_ json: JSON, _ wanted: String) -> TranscodingError {
    let text: String? =
      switch json {
      case .number(let digits): digits.utf8.count <= 80 ? digits : nil
      case .string(let text): text.utf8.count <= 80 ? json.encoded : nil
      default: nil
      }
    return TranscodingError("\(text ?? json.kind) is not \(wanted)")
  }
}

extension JSON {
  /// The bytes in a string of code points 0…255.
  var codePoints: [UInt8]? {
    guard let text else { return nil }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
