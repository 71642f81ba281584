extension Schema {
  /// The schema's Parsing Canonical Form (Avro specification, "Parsing Canonical Form for Schemas").
  ///
  /// It excludes defaults, aliases, documentation, logical types, the marks of personal fields and all other
  /// attributes.
  public var canonicalForm: String {
    var defined: Set<String> = []
    return canonical(&defined).encoded
  }

  /// The CRC-64-AVRO fingerprint of the canonical form; it distinguishes one encoding from another.
  public var fingerprint: UInt64 { CRC64.fingerprint(of: canonicalForm.utf8) }

  private func canonical(_ defined: inout Set<String>) -> JSON {
    switch self {
    case .primitive(let primitive, _): return .string(primitive.rawValue)
    case .array(let items, _): return ["type": "array", "items": items.canonical(&defined)]
    case .map(let values, _): return ["type": "map", "values": values.canonical(&defined)]
    case .union(let branches): return .array(branches.map { $0.canonical(&defined) })
    case .reference(let name): return .string(name)
    case .record(let record):
      guard defined.insert(record.name).inserted else { return .string(record.name) }
      let fields = record.fields.map { field -> JSON in
        ["name": .string(field.name), "type": field.schema.canonical(&defined)]
      }
      return ["name": .string(record.name), "type": "record", "fields": .array(fields)]
    case .enumeration(let enumeration):
      guard defined.insert(enumeration.name).inserted else { return .string(enumeration.name) }
      let symbols = enumeration.symbols.map { JSON.string($0) }
      return ["name": .string(enumeration.name), "type": "enum", "symbols": .array(symbols)]
    case .fixed(let fixed):
      guard defined.insert(fixed.name).inserted else { return .string(fixed.name) }
      return ["name": .string(fixed.name), "type": "fixed", "size": .number(fixed.byteCount)]
    }
  }
}
