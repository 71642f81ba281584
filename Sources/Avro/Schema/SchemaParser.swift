extension Schema {
  /// Reads a schema from its JSON text.
  ///
  /// - Throws: ``AvroError/invalidSchema(_:)`` with the reason, or ``AvroError/limitExceeded(_:)`` when it is
  ///   too deep or has too many types.
  public init(parsing text: String) throws(AvroError) {
    do {
      try self.init(JSON(parsing: text))
    } catch let error as JSONError {
      throw .invalidSchema(error.description)
    } catch let error as AvroError {
      throw error
    } catch {
      throw .invalidSchema("\(error)")
    }
  }

  /// Reads a schema from JSON.
  ///
  /// - Throws: ``AvroError/invalidSchema(_:)`` with the reason, or ``AvroError/limitExceeded(_:)`` when it is
  ///   too deep or has too many types.
  public init(_ json: JSON) throws(AvroError) {
    var parser = SchemaParser()
    self = try parser.schema(json, namespace: nil)
    try parser.measure(of: self).check()
  }
}

/// The size of a schema when every named type is expanded wherever it is used, except for recursion.
///
/// Reuse of named types lets a short text define a deep or huge schema: thirty records with two fields of the
/// previous record's type expand to a thousand million fields.
private struct Measure {
  /// The number of levels.
  var height = 1
  /// The number of types.
  var typeCount = 1

  func enclosing(_ inner: Measure) -> Measure {
    Measure(height: max(height, inner.height + 1), typeCount: typeCount + inner.typeCount)
  }

  func check() throws(AvroError) {
    try AvroLimit.depth.check(height)
    try AvroLimit.typeCount.check(typeCount)
  }
}

private struct SchemaParser {
  var defined: [String: Schema] = [:]
  /// The measures of records.
  var measures: [String: Measure] = [:]

  mutating func schema(_ json: JSON, namespace: String?) throws(AvroError) -> Schema {
    switch json {
    case .string(let name): return try named(name, namespace: namespace)
    case .array(let elements): return try union(elements, namespace: namespace)
    case .object: return try definition(json, namespace: namespace)
    default: throw .invalidSchema("a type is \(json.kind)")
    }
  }

  func named(_ name: String, namespace: String?) throws(AvroError) -> Schema {
    if let primitive = Schema.Primitive(rawValue: name) { return .primitive(primitive) }
    let schema =
      name.first == "."
      ? defined[String(name.dropFirst())]
      : defined[Self.fullName(name, namespace: namespace)] ?? defined[name]
    guard let schema else {
      throw .invalidSchema("the type \"\(name)\" is not defined before its use")
    }
    return schema
  }

  mutating func union(_ elements: [JSON], namespace: String?) throws(AvroError) -> Schema {
    var branches: [Schema] = []
    // JSON, too, identifies a branch by its name.
    var names: Set<String> = []
    for element in elements {
      let branch = try schema(element, namespace: namespace)
      if case .union = branch { throw .invalidSchema("a union directly in a union") }
      guard names.insert(SchemaTranscoder.name(of: branch)).inserted else {
        throw .invalidSchema("a union has two branches of one type")
      }
      branches.append(branch)
    }
    return .union(branches)
  }

  mutating func definition(_ json: JSON, namespace: String?) throws(AvroError) -> Schema {
    guard let type = json["type"] else { throw .invalidSchema("a type has no \"type\"") }
    guard case .string(let kind) = type else { return try schema(type, namespace: namespace) }
    switch kind {
    case "array":
      guard let items = json["items"] else { throw .invalidSchema("an array has no \"items\"") }
      return .array(try schema(items, namespace: namespace), Self.annotations(json, "items"))
    case "map":
      guard let values = json["values"] else { throw .invalidSchema("a map has no \"values\"") }
      return .map(try schema(values, namespace: namespace), Self.annotations(json, "values"))
    case "record", "error": return try record(json, namespace: namespace)
    case "enum": return try enumeration(json, namespace: namespace)
    case "fixed": return try fixed(json, namespace: namespace)
    default:
      if let primitive = Schema.Primitive(rawValue: kind) {
        return .primitive(primitive, Self.annotations(json))
      }
      return try named(kind, namespace: namespace)
    }
  }

  mutating func enumeration(_ json: JSON, namespace: String?) throws(AvroError) -> Schema {
    let name = try define(json, namespace: namespace)
    let symbols = try texts(json["symbols"], of: "\"symbols\" of \(name)")
    guard Set(symbols).count == symbols.count, symbols.allSatisfy(Self.isName) else {
      throw .invalidSchema("\(name) has a symbol twice or one that is not a name")
    }
    var enumeration = Schema.Enumeration(
      name: name, aliases: try aliases(json, of: name), doc: json["doc"]?.text, symbols: symbols,
      defaultSymbol: try defaultSymbol(json, of: name, among: symbols))
    enumeration.attributes = Self.attributes(
      json, ["type", "name", "namespace", "aliases", "symbols", "default"], texts: ["doc"])
    defined[name] = .enumeration(enumeration)
    return .enumeration(enumeration)
  }

  mutating func fixed(_ json: JSON, namespace: String?) throws(AvroError) -> Schema {
    let name = try define(json, namespace: namespace)
    guard let size = json["size"]?.integer, size >= 0 else {
      throw .invalidSchema("\(name) has no \"size\"")
    }
    var fixed = Schema.Fixed(
      name: name, aliases: try aliases(json, of: name), byteCount: size,
      logicalType: json["logicalType"]?.text)
    fixed.attributes = Self.attributes(
      json, ["type", "name", "namespace", "aliases", "size"], texts: ["logicalType"])
    defined[name] = .fixed(fixed)
    return .fixed(fixed)
  }

  mutating func record(_ json: JSON, namespace: String?) throws(AvroError) -> Schema {
    let name = try define(json, namespace: namespace)
    defined[name] = .reference(name)
    let inner = Schema.namespace(of: name)
    guard let elements = json["fields"]?.elements else {
      throw .invalidSchema("\(name) has no \"fields\"")
    }
    var fields: [Schema.Field] = []
    var names: Set<String> = []
    for element in elements {
      let field = try field(element, of: name, namespace: inner)
      guard names.insert(field.name).inserted else {
        throw .invalidSchema("\(name) has two fields \(field.name)")
      }
      fields.append(field)
    }
    let measure = fields.reduce(Measure()) { $0.enclosing(self.measure(of: $1.schema)) }
    try measure.check()
    measures[name] = measure
    var record = Schema.Record(
      name: name, aliases: try aliases(json, of: name), doc: json["doc"]?.text, fields: fields)
    record.isError = json["type"] == "error"
    record.attributes = Self.attributes(
      json, ["type", "name", "namespace", "aliases", "fields"], texts: ["doc"])
    defined[name] = .record(record)
    return .record(record)
  }

  mutating func field(
    _ json: JSON, of record: String, namespace: String?
  ) throws(AvroError) -> Schema.Field {
    guard let name = json["name"]?.text, Self.isName(name), let type = json["type"] else {
      throw .invalidSchema("a field of \(record) has no valid name or no type")
    }
    var field = Schema.Field(
      name: name, schema: try schema(type, namespace: namespace), defaultValue: json["default"],
      aliases: try texts(json["aliases"] ?? [], of: "\"aliases\" of \(record).\(name)"),
      doc: json["doc"]?.text, isPersonal: json["personal"] == true)
    var known: Set<String> = ["name", "type", "default", "aliases"]
    if field.isPersonal { known.insert("personal") }
    if let order = json["order"] {
      field.order = order.text.flatMap(Schema.Field.Order.init)
      guard field.order != nil else {
        throw .invalidSchema("\(record).\(name) has an order that is not valid")
      }
      known.insert("order")
    }
    field.attributes = Self.attributes(json, known, texts: ["doc"])
    return field
  }

  /// The annotations of an unnamed type: its members other than its kind and its parts.
  static func annotations(_ json: JSON, _ part: String? = nil) -> Schema.Annotations {
    let known: Set<String> = part.map { ["type", $0] } ?? ["type"]
    return Schema.Annotations(
      logicalType: json["logicalType"]?.text,
      attributes: attributes(json, known, texts: ["logicalType"]))
  }

  /// The members that are not understood: those with unknown names, and those that should be texts but are
  /// not.
  static func attributes(
    _ json: JSON, _ known: Set<String>, texts: Set<String>
  ) -> [JSON.Member] {
    (json.members ?? []).filter { member in
      texts.contains(member.name) ? member.value.text == nil : !known.contains(member.name)
    }
  }

  func measure(of schema: Schema) -> Measure {
    switch schema {
    case .primitive, .enumeration, .fixed, .reference: Measure()
    case .array(let inner, _), .map(let inner, _): Measure().enclosing(measure(of: inner))
    case .union(let branches): branches.reduce(Measure()) { $0.enclosing(measure(of: $1)) }
    case .record(let record): measures[record.name] ?? Measure()
    }
  }

  func define(_ json: JSON, namespace: String?) throws(AvroError) -> String {
    guard let given = json["name"]?.text else {
      throw .invalidSchema("a named type has no valid name")
    }
    let name = Self.fullName(given, namespace: json["namespace"]?.text ?? namespace)
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy(Self.isName), let simple = parts.last else {
      throw .invalidSchema("\(name) is not a valid name for a type")
    }
    guard Schema.Primitive(rawValue: simple) == nil else {
      throw .invalidSchema("\(name) has the name of a primitive type")
    }
    guard defined[name] == nil else { throw .invalidSchema("\(name) is defined twice") }
    return name
  }

  /// The full aliases of a named type; a simple name is in the type's own namespace.
  func aliases(_ json: JSON, of name: String) throws(AvroError) -> [String] {
    try texts(json["aliases"] ?? [], of: "\"aliases\" of \(name)").map {
      Self.fullName($0, namespace: Schema.namespace(of: name))
    }
  }

  func defaultSymbol(
    _ json: JSON, of name: String, among symbols: [String]
  ) throws(AvroError) -> String? {
    guard let value = json["default"] else { return nil }
    guard let symbol = value.text, symbols.contains(symbol) else {
      throw .invalidSchema("the default of \(name) is none of its symbols")
    }
    return symbol
  }

  func texts(_ json: JSON?, of what: String) throws(AvroError) -> [String] {
    guard let elements = json?.elements else { throw .invalidSchema("\(what) is not a list") }
    var texts: [String] = []
    for element in elements {
      guard let text = element.text else { throw .invalidSchema("\(what) is not a list of texts") }
      texts.append(text)
    }
    return texts
  }

  static func fullName(_ name: String, namespace: String?) -> String {
    guard !name.contains("."), let namespace, !namespace.isEmpty else { return name }
    return "\(namespace).\(name)"
  }

  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    func isLetter(_ byte: UInt8) -> Bool {
      (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
    return isLetter(first)
      && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
  }
}
