extension Schema {
  /// The schema as JSON: each named type is defined at its first use and named afterwards. Everything that
  /// was read is included; attributes unknown to Daybook come last.
  public var json: JSON {
    var defined: Set<String> = []
    return json(&defined, in: nil)
  }

  fileprivate func json(_ defined: inout Set<String>, in namespace: String?) -> JSON {
    switch self {
    case .primitive(let primitive, let annotations):
      let name = JSON.string(primitive.rawValue)
      return annotations == .none ? name : annotations.json([.init("type", name)])
    case .array(let items, let annotations):
      let items = items.json(&defined, in: namespace)
      return annotations.json([.init("type", "array"), .init("items", items)])
    case .map(let values, let annotations):
      let values = values.json(&defined, in: namespace)
      return annotations.json([.init("type", "map"), .init("values", values)])
    case .union(let branches): return .array(branches.map { $0.json(&defined, in: namespace) })
    case .reference(let name): return Self.use(of: name, defined, in: namespace)
    case .record(let record):
      guard defined.insert(record.name).inserted else {
        return Self.use(of: record.name, defined, in: namespace)
      }
      return record.json(&defined, in: namespace)
    case .enumeration(let enumeration):
      guard defined.insert(enumeration.name).inserted else {
        return Self.use(of: enumeration.name, defined, in: namespace)
      }
      return enumeration.json(in: namespace)
    case .fixed(let fixed):
      guard defined.insert(fixed.name).inserted else {
        return Self.use(of: fixed.name, defined, in: namespace)
      }
      return fixed.json(in: namespace)
    }
  }

  /// The name of a type that has been defined. A name without a namespace begins with a dot if the enclosing
  /// namespace has another type of that name.
  private static func use(
    of name: String, _ defined: Set<String>, in namespace: String?
  ) -> JSON {
    guard self.namespace(of: name) == nil, let namespace,
      defined.contains("\(namespace).\(name)")
    else { return .string(name) }
    return .string(".\(name)")
  }

  /// The members that name a type. A name without dots is in the namespace of the enclosing type, unless it
  /// is marked as having none.
  fileprivate static func naming(
    _ type: JSON, _ name: String, in namespace: String?, aliases: [String]
  ) -> [JSON.Member] {
    var members: [JSON.Member] = [.init("type", type), .init("name", .string(name))]
    if namespace != nil, Self.namespace(of: name) == nil { members.append(.init("namespace", "")) }
    members.add(aliases: aliases)
    return members
  }

  /// The namespace of a full name, if it has one.
  static func namespace(of name: String) -> String? {
    name.lastIndex(of: ".").map { String(name[..<$0]) }
  }
}

extension Schema.Annotations {
  fileprivate func json(_ members: [JSON.Member]) -> JSON {
    var members = members
    members.add("logicalType", logicalType)
    members.add(attributes: attributes)
    return .object(members)
  }
}

extension Schema.Record {
  fileprivate func json(_ defined: inout Set<String>, in namespace: String?) -> JSON {
    var members = Schema.naming(
      isError ? "error" : "record", name, in: namespace, aliases: aliases)
    members.add("doc", doc)
    let inner = Schema.namespace(of: name)
    members.append(.init("fields", .array(fields.map { $0.json(&defined, in: inner) })))
    members.add(attributes: attributes)
    return .object(members)
  }
}

extension Schema.Field {
  fileprivate func json(_ defined: inout Set<String>, in namespace: String?) -> JSON {
    var members: [JSON.Member] = [
      .init("name", .string(name)), .init("type", schema.json(&defined, in: namespace)),
    ]
    if let defaultValue { members.append(.init("default", defaultValue)) }
    members.add(aliases: aliases)
    members.add("doc", doc)
    members.add("order", order?.rawValue)
    if isPersonal { members.append(.init("personal", true)) }
    members.add(attributes: attributes)
    return .object(members)
  }
}

extension Schema.Enumeration {
  fileprivate func json(in namespace: String?) -> JSON {
    var members = Schema.naming("enum", name, in: namespace, aliases: aliases)
    members.add("doc", doc)
    members.append(.init("symbols", .array(symbols.map { .string($0) })))
    members.add("default", defaultSymbol)
    members.add(attributes: attributes)
    return .object(members)
  }
}

extension Schema.Fixed {
  fileprivate func json(in namespace: String?) -> JSON {
    var members = Schema.naming("fixed", name, in: namespace, aliases: aliases)
    members.append(.init("size", .number(byteCount)))
    members.add("logicalType", logicalType)
    members.add(attributes: attributes)
    return .object(members)
  }
}

extension [JSON.Member] {
  fileprivate mutating func add(_ name: String, _ text: String?) {
    if let text { append(.init(name, .string(text))) }
  }

  fileprivate mutating func add(aliases: [String]) {
    guard !aliases.isEmpty else { return }
    append(.init("aliases", .array(aliases.map { .string($0) })))
  }

  /// Adds attributes, except where the schema itself defines that member.
  fileprivate mutating func add(attributes: [JSON.Member]) {
    guard !attributes.isEmpty else { return }
    let names = Set(map(\.name))
    append(contentsOf: attributes.filter { !names.contains($0.name) })
  }
}
