extension Schema {
  /// The schema as JSON, each named type defined at its first use and named afterwards.
  public var json: JSON {
    var defined: Set<String> = []
    return json(&defined, in: nil, canonical: false)
  }

  /// The schema's Parsing Canonical Form (Avro specification, "Parsing Canonical Form for Schemas").
  ///
  /// Defaults, aliases, documentation, logical types and the marks of personal fields are not part of it.
  public var canonicalForm: String {
    var defined: Set<String> = []
    return json(&defined, in: nil, canonical: true).encoded
  }

  /// The CRC-64-AVRO fingerprint of the canonical form: what tells one way of writing bytes from another.
  public var fingerprint: UInt64 { CRC64.fingerprint(of: canonicalForm.utf8) }

  fileprivate func json(
    _ defined: inout Set<String>, in namespace: String?, canonical: Bool
  ) -> JSON {
    switch self {
    case .primitive(let primitive, let logicalType):
      guard let logicalType, !canonical else { return .string(primitive.rawValue) }
      return ["type": .string(primitive.rawValue), "logicalType": .string(logicalType)]
    case .array(let items):
      return ["type": "array", "items": items.json(&defined, in: namespace, canonical: canonical)]
    case .map(let values):
      return ["type": "map", "values": values.json(&defined, in: namespace, canonical: canonical)]
    case .union(let branches):
      return .array(branches.map { $0.json(&defined, in: namespace, canonical: canonical) })
    case .reference(let name):
      return .string(name)
    case .record(let record):
      guard defined.insert(record.name).inserted else { return .string(record.name) }
      var members: [JSON.Member] = []
      if canonical {
        members = [.init("name", .string(record.name)), .init("type", "record")]
      } else {
        members = [.init("type", "record")] + Self.naming(record.name, in: namespace)
        members.add(aliases: record.aliases)
        if let doc = record.doc { members.append(.init("doc", .string(doc))) }
      }
      let inner = Self.namespace(of: record.name)
      var fields: [JSON] = []
      for field in record.fields {
        fields.append(field.json(&defined, in: inner, canonical: canonical))
      }
      members.append(.init("fields", .array(fields)))
      return .object(members)
    case .enumeration(let enumeration):
      guard defined.insert(enumeration.name).inserted else { return .string(enumeration.name) }
      let symbols = JSON.array(enumeration.symbols.map { .string($0) })
      if canonical {
        return ["name": .string(enumeration.name), "type": "enum", "symbols": symbols]
      }
      var members: [JSON.Member] = [.init("type", "enum")]
      members += Self.naming(enumeration.name, in: namespace)
      members.add(aliases: enumeration.aliases)
      members.append(.init("symbols", symbols))
      if let symbol = enumeration.defaultSymbol {
        members.append(.init("default", .string(symbol)))
      }
      return .object(members)
    case .fixed(let fixed):
      guard defined.insert(fixed.name).inserted else { return .string(fixed.name) }
      if canonical {
        return ["name": .string(fixed.name), "type": "fixed", "size": .number(fixed.byteCount)]
      }
      var members: [JSON.Member] = [.init("type", "fixed")]
      members += Self.naming(fixed.name, in: namespace)
      members.add(aliases: fixed.aliases)
      members.append(.init("size", .number(fixed.byteCount)))
      if let logicalType = fixed.logicalType {
        members.append(.init("logicalType", .string(logicalType)))
      }
      return .object(members)
    }
  }
}

extension Schema {
  /// The members that name a type. A name without dots is of the enclosing type's namespace, unless it says
  /// that it is of none.
  private static func naming(_ name: String, in namespace: String?) -> [JSON.Member] {
    let isOfNone = namespace != nil && Self.namespace(of: name) == nil
    return [.init("name", .string(name))] + (isOfNone ? [.init("namespace", "")] : [])
  }

  /// The namespace of a full name, if it has one.
  static func namespace(of name: String) -> String? {
    name.lastIndex(of: ".").map { String(name[..<$0]) }
  }
}

extension Schema.Field {
  fileprivate func json(
    _ defined: inout Set<String>, in namespace: String?, canonical: Bool
  ) -> JSON {
    var members: [JSON.Member] = [
      .init("name", .string(name)),
      .init("type", schema.json(&defined, in: namespace, canonical: canonical)),
    ]
    if !canonical {
      if let defaultValue { members.append(.init("default", defaultValue)) }
      members.add(aliases: aliases)
      if let doc { members.append(.init("doc", .string(doc))) }
      if isPersonal { members.append(.init("personal", true)) }
    }
    return .object(members)
  }
}

extension [JSON.Member] {
  fileprivate mutating func add(aliases: [String]) {
    guard !aliases.isEmpty else { return }
    append(.init("aliases", .array(aliases.map { .string($0) })))
  }
}
