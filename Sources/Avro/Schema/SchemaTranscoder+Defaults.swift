extension SchemaTranscoder {
  /// The encoding of a field's default.
  ///
  /// - Throws: ``AvroError/invalidSchema(_:)`` when it is no value of the field's type.
  func encodeDefault(_ json: JSON, of field: Schema.Field) throws(AvroError) -> [UInt8] {
    var writer = BinaryWriter()
    do throws(TranscodingError) {
      try write(json, as: field.schema, to: &writer, DefaultFormat(), depth: 0)
    } catch {
      throw .invalidSchema("the default of \(field.name) is none: \(error)")
    }
    return writer.bytes
  }

  /// Whether a default is one of this branch of a union: the first that it fits is meant (Avro 1.12; older
  /// writers always mean the first branch, which it then fits).
  ///
  /// It looks at the value itself and not into it, so that finding the branch is never a search.
  func isDefault(_ json: JSON, of branch: Schema) -> Bool {
    switch branch {
    case .primitive(let primitive, _):
      switch primitive {
      case .null: json == .null
      case .boolean: json.boolean != nil
      case .int: json.integer.map { Int32(exactly: $0) != nil } ?? false
      case .long: json.integer != nil
      case .float, .double: json.floating != nil
      case .bytes: json.codePoints != nil
      case .string: json.text != nil
      }
    case .array: json.elements != nil
    case .map: json.members != nil
    case .record(let record):
      json.members.map { members in
        members.allSatisfy { member in record.fields.contains { $0.name == member.name } }
          && record.fields.allSatisfy { $0.defaultValue != nil || json[$0.name] != nil }
      } ?? false
    case .enumeration(let enumeration): json.text.map(enumeration.symbols.contains) ?? false
    case .fixed(let fixed): json.codePoints?.count == fixed.byteCount
    case .reference(let name): (try? resolve(name)).map { isDefault(json, of: $0) } ?? false
    case .union: false
    }
  }
}
