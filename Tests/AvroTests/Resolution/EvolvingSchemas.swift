import Avro
import PropertyTesting

/// A schema, a later schema that resolution allows, and values of the earlier one.
struct Evolution: Sendable {
  var writer: Schema
  var reader: Schema
  var values: [Tree]
  var blocks: Tree.Blocks
}

extension Generator where Value == Evolution {
  static var evolution: Generator {
    Generator { source in
      var maker = SchemaMaker()
      let writer = try maker.record(&source, depth: 3)
      var evolver = Evolver()
      let reader = try evolver.evolve(writer, &source)
      var values: [Tree] = []
      let definitions = Definitions(writer)
      try source.repeated(0...4) { source in
        values.append(try source.tree(of: writer, definitions, depth: 0))
      }
      return Evolution(
        writer: writer, reader: reader, values: values,
        blocks: try source.draw(.anyCase()))
    }
  }
}

extension Source {
  fileprivate mutating func flip(_ probability: Double) throws -> Bool {
    try draw(.bool(probability: probability))
  }

  fileprivate mutating func number(upTo count: Int) throws -> Int {
    Int(try choose(upTo: UInt64(count)))
  }
}

// MARK: - Schemas

/// Generates schemas of every kind, with types used twice and recursive records.
private struct SchemaMaker {
  private var nameCount = 0
  private var reusable: [Schema] = []
  private var enclosing: [String] = []

  private mutating func name(_ prefix: String) -> String {
    nameCount += 1
    return "\(prefix)\(nameCount)"
  }

  mutating func schema(
    _ source: inout Source, depth: Int, inUnion: Bool = false
  ) throws -> Schema {
    let kinds = depth == 0 ? 4 : inUnion ? 7 : 9
    switch try source.number(upTo: kinds) {
    case 0, 1: return .primitive(try source.draw(.element(of: Schema.Primitive.allCases)))
    case 2: return try enumeration(&source)
    case 3: return try fixed(&source)
    case 4:
      guard !reusable.isEmpty else { return .primitive(.int) }
      return try source.draw(.element(of: reusable))
    case 5: return try record(&source, depth: depth)
    case 6: return .array(try schema(&source, depth: depth - 1))
    case 7: return .map(try schema(&source, depth: depth - 1))
    case 8: return try union(&source, depth: depth)
    default:
      guard !enclosing.isEmpty else { return try record(&source, depth: depth) }
      let around = Schema.reference(try source.draw(.element(of: enclosing)))
      return try source.flip(0.5) ? .array(around) : .union([.primitive(.null), around])
    }
  }

  private mutating func enumeration(_ source: inout Source) throws -> Schema {
    let symbols = (0...(try source.number(upTo: 3))).map { "S\($0)" }
    let schema = Schema.enumeration(.init(name: name("E"), symbols: symbols))
    reusable.append(schema)
    return schema
  }

  private mutating func fixed(_ source: inout Source) throws -> Schema {
    let schema = Schema.fixed(.init(name: name("F"), byteCount: try source.number(upTo: 3)))
    reusable.append(schema)
    return schema
  }

  mutating func record(_ source: inout Source, depth: Int) throws -> Schema {
    let own = name("R")
    enclosing.append(own)
    var fields: [Schema.Field] = []
    try source.repeated(0...4) { source in
      fields.append(
        .init(name: "f\(fields.count)", schema: try schema(&source, depth: depth - 1)))
    }
    enclosing.removeLast()
    let record = Schema.record(.init(name: own, fields: fields))
    // A type that refers to an enclosing record cannot stand outside that record.
    if enclosing.allSatisfy({ !"\(record)".contains("reference(\"\($0)\")") }) {
      reusable.append(record)
    }
    return record
  }

  private mutating func union(_ source: inout Source, depth: Int) throws -> Schema {
    var branches: [Schema] = []
    try source.repeated(1...4) { source in
      let branch = try schema(&source, depth: depth - 1, inUnion: true)
      if isValid(branches + [branch]) { branches.append(branch) }
    }
    return .union(branches)
  }
}

/// Whether a union may have these branches.
private func isValid(_ branches: [Schema]) -> Bool {
  Set(branches.map { SchemaKind($0) }).count == branches.count
}

/// A property that no two branches of a union may share.
private struct SchemaKind: Hashable {
  var text: String

  init(_ schema: Schema) {
    switch schema {
    case .primitive(let primitive, _): text = primitive.rawValue
    case .array: text = "an array"
    case .map: text = "a map"
    case .union: text = "a union"
    default: text = schema.name ?? ""
    }
  }
}

// MARK: - Evolving

/// Changes a schema by steps that resolution allows; a type that occurs twice changes once.
private struct Evolver {
  private var done: [String: Schema] = [:]
  private var names: [String: String] = [:]

  mutating func evolve(
    _ schema: Schema, _ source: inout Source, inUnion: Bool = false
  ) throws -> Schema {
    if let name = schema.name, let known = done[name] { return known }
    if case .reference(let name) = schema { return .reference(names[name] ?? name) }
    let evolved = try change(schema, &source)
    if let name = schema.name { done[name] = evolved }
    if case .union = evolved { return evolved }
    return try !inUnion && source.flip(0.1) ? widen(evolved, &source) : evolved
  }

  private mutating func change(_ schema: Schema, _ source: inout Source) throws -> Schema {
    switch schema {
    case .primitive(let primitive, _):
      let wider: [Schema.Primitive: [Schema.Primitive]] = [
        .int: [.int, .long, .float, .double], .long: [.long, .float, .double],
        .float: [.float, .double], .string: [.string, .bytes], .bytes: [.bytes, .string],
      ]
      return .primitive(try source.draw(.element(of: wider[primitive] ?? [primitive])))
    case .array(let items, _): return .array(try evolve(items, &source))
    case .map(let values, _): return .map(try evolve(values, &source))
    case .union(let branches): return try union(branches, &source)
    case .enumeration(let type): return try enumeration(type, &source)
    case .fixed(let type):
      let (name, aliases) = try rename(type.name, &source)
      return .fixed(.init(name: name, aliases: aliases, byteCount: type.byteCount))
    case .record(let type): return try record(type, &source)
    case .reference: return schema
    }
  }

  /// One type becomes one of several.
  private func widen(_ schema: Schema, _ source: inout Source) throws -> Schema {
    let more = try source.draw(
      Generator<[Schema]>.subsequence(of: [.primitive(.null), .primitive(.boolean)]))
    let branches = more.filter { isValid([schema, $0]) } + [schema]
    return .union(try source.draw(.permutation(of: branches)))
  }

  private mutating func union(_ branches: [Schema], _ source: inout Source) throws -> Schema {
    var evolved: [Schema] = []
    for (number, branch) in branches.enumerated() {
      let changed = try evolve(branch, &source, inUnion: true)
      // A number must not become the type of another branch.
      let isFree = isValid(evolved + [changed] + branches[(number + 1)...])
      evolved.append(isFree || branch.name != nil ? changed : branch)
    }
    if try source.flip(0.1), let only = evolved.last { return only }
    if evolved.count > 1, try source.flip(0.1) { evolved.removeFirst() }
    let new = Schema.primitive(try source.draw(.element(of: [.null, .boolean, .double, .bytes])))
    if try source.flip(0.3), isValid(evolved + [new]) { evolved.append(new) }
    if try source.flip(0.2) { evolved = try source.draw(.permutation(of: evolved)) }
    return .union(evolved)
  }

  private func enumeration(
    _ type: Schema.Enumeration, _ source: inout Source
  ) throws -> Schema {
    let (name, aliases) = try rename(type.name, &source)
    var symbols = type.symbols
    if symbols.count > 1, try source.flip(0.2) { symbols.removeFirst() }
    if try source.flip(0.4) { symbols.append("New") }
    if try source.flip(0.2) { symbols = try source.draw(.permutation(of: symbols)) }
    let defaultSymbol = try source.flip(0.4) ? symbols.last : nil
    return .enumeration(
      .init(name: name, aliases: aliases, symbols: symbols, defaultSymbol: defaultSymbol))
  }

  private mutating func record(_ type: Schema.Record, _ source: inout Source) throws -> Schema {
    let (name, aliases) = try rename(type.name, &source)
    names[type.name] = name
    var fields: [Schema.Field] = []
    var renamed: [String] = []
    for field in type.fields {
      let schema = try evolve(field.schema, &source)
      if try source.flip(0.1) { continue }
      if try source.flip(0.15) {
        renamed.append(field.name)
        fields.append(
          .init(name: field.name + "_now", schema: schema, aliases: ["never", field.name]))
      } else {
        fields.append(.init(name: field.name, schema: schema))
      }
    }
    var added = ["new0", "new1"]
    // A new field may take a name that another field gave up.
    if let taken = renamed.first, try source.flip(0.3) { added.append(taken) }
    for name in added where try source.flip(0.2) {
      fields.append(try newField(name, of: name + "Of" + type.name, &source))
    }
    if try source.flip(0.25) { fields = try source.draw(.permutation(of: fields)) }
    return .record(.init(name: name, aliases: aliases, fields: fields))
  }

  private func rename(_ name: String, _ source: inout Source) throws -> (String, [String]) {
    try source.flip(0.2) ? (name + "_now", ["Never", name]) : (name, [])
  }

  private func newField(
    _ name: String, of type: String, _ source: inout Source
  ) throws -> Schema.Field {
    let kinds: [(Schema, JSON)] = [
      (.primitive(.int), -7), (.primitive(.long), 1_000_000), (.primitive(.boolean), true),
      (.primitive(.string), "é"), (.primitive(.bytes), "\u{0}ÿ"), (.primitive(.double), 1),
      (.primitive(.float), .number("0.5")), (.primitive(.null), nil),
      (.union([.primitive(.null), .primitive(.long)]), nil),
      (.union([.primitive(.string), .primitive(.null)]), "x"),
      (.array(.primitive(.int)), [1, 2, 3]), (.array(.primitive(.null)), []),
      (.map(.union([.primitive(.int)])), ["a": 1, "b": 2]),
      (.enumeration(.init(name: type, symbols: ["A", "B"])), "B"),
      (.fixed(.init(name: type, byteCount: 2)), "\u{1}\u{2}"),
      (
        .record(
          .init(
            name: type,
            fields: [
              .init(name: "a", schema: .primitive(.int), defaultValue: 3),
              .init(name: "b", schema: .union([.primitive(.null), .primitive(.int)])),
            ])), ["b": nil]
      ),
    ]
    let (schema, value) = kinds[try source.number(upTo: kinds.count - 1)]
    return .init(name: name, schema: schema, defaultValue: value)
  }
}

// MARK: - Values

extension Source {
  /// A value of a schema; recursive records end soon.
  fileprivate mutating func tree(
    of schema: Schema, _ definitions: Definitions, depth: Int
  ) throws -> Tree {
    switch definitions[schema] {
    case .primitive(.null, _): return .null
    case .primitive(.boolean, _): return .boolean(try flip(0.5))
    case .primitive(.int, _): return .number(Int64(try draw(Generator<Int32>.integer())))
    case .primitive(.long, _): return .number(try draw(.integer()))
    case .primitive(.float, _):
      return .float(Float(try draw(.anyDouble())).bitPattern)
    case .primitive(.double, _): return .double(try draw(.anyDouble()).bitPattern)
    case .primitive(.string, _), .primitive(.bytes, _):
      return .bytes(Array(try draw(.unicode(count: 0...6)).utf8))
    case .fixed(let type):
      return .bytes(
        try draw(Generator<UInt8>.integer().array(count: type.byteCount...type.byteCount)))
    case .enumeration(let type): return .symbol(try draw(.element(of: type.symbols)))
    case .record(let type):
      return .record(
        try type.fields.map {
          .init(name: $0.name, value: try tree(of: $0.schema, definitions, depth: depth + 1))
        })
    case .array(let items, _):
      var elements: [Tree] = []
      if depth < 8 {
        try repeated(0...3) { source in
          elements.append(try source.tree(of: items, definitions, depth: depth + 1))
        }
      }
      return .array(elements)
    case .map(let values, _):
      var members: [Tree.Member] = []
      try repeated(0...3) { source in
        let value = try source.tree(of: values, definitions, depth: depth + 1)
        members.append(.init(name: try source.draw(.ascii(count: 0...3)), value: value))
      }
      return .map(members)
    case .union(let branches):
      // Null comes first around a recursive record.
      let number = depth < 8 ? try self.number(upTo: branches.count - 1) : 0
      return .branch(number, try tree(of: branches[number], definitions, depth: depth + 1))
    case .reference: preconditionFailure("a name is not defined")
    }
  }
}
