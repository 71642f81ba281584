import Avro

/// A value of any schema, as a tree; texts are bytes, and a float is its bits.
indirect enum Tree: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(Int64)
  case float(UInt32)
  case double(UInt64)
  case bytes([UInt8])
  case symbol(String)
  case record([Member])
  case array([Tree])
  case map([Member])
  case branch(Int, Tree)

  struct Member: Hashable, Sendable {
    var name: String
    var value: Tree
  }

  /// How arrays and maps are divided into blocks: every division must read alike.
  enum Blocks: CaseIterable {
    case one, oneEach, sized
  }
}

/// The named types of a schema, found by a plain search.
struct Definitions {
  var types: [String: Schema] = [:]

  init(_ schema: Schema) { collect(schema) }

  mutating func collect(_ schema: Schema) {
    if let name = schema.name, types[name] == nil, schema != .reference(name) {
      types[name] = schema
    }
    switch schema {
    case .array(let inner, _), .map(let inner, _): collect(inner)
    case .union(let branches): for branch in branches { collect(branch) }
    case .record(let record): for field in record.fields { collect(field.schema) }
    default: break
    }
  }

  subscript(schema: Schema) -> Schema {
    guard case .reference(let name) = schema else { return schema }
    return types[name] ?? schema
  }
}

/// Encodes and decodes trees as literally as the specification states it.
struct TreeCoder {
  let schema: Schema
  let definitions: Definitions
  var blocks = Tree.Blocks.one

  init(_ schema: Schema, _ blocks: Tree.Blocks = .one) {
    self.schema = schema
    self.blocks = blocks
    definitions = Definitions(schema)
  }

  func encode(_ trees: [Tree]) -> [UInt8] {
    var writer = BinaryWriter()
    for tree in trees { write(tree, schema, &writer) }
    return writer.bytes
  }

  private func write(_ tree: Tree, _ schema: Schema, _ writer: inout BinaryWriter) {
    switch (definitions[schema], tree) {
    case (_, .null): break
    case (_, .boolean(let value)): value.write(to: &writer)
    case (_, .number(let value)): writer.put(value)
    case (_, .float(let bits)):
      for shift: UInt32 in [0, 8, 16, 24] { writer.bytes.append(UInt8(bits >> shift & 255)) }
    case (_, .double(let bits)): Double(bitPattern: bits).write(to: &writer)
    case (.fixed, .bytes(let bytes)): writer.put(raw: bytes)
    case (_, .bytes(let bytes)): writer.put(counted: bytes)
    case (.enumeration(let type), .symbol(let symbol)):
      writer.put(Int64(type.symbols.firstIndex(of: symbol) ?? -1))
    case (.record(let record), .record(let members)):
      for (field, member) in zip(record.fields, members) {
        write(member.value, field.schema, &writer)
      }
    case (.array(let items, _), .array(let elements)):
      writeBlocks(elements, &writer) { write($0, items, &$1) }
    case (.map(let values, _), .map(let members)):
      writeBlocks(members, &writer) { member, writer in
        writer.put(counted: member.name.utf8)
        write(member.value, values, &writer)
      }
    case (.union(let branches), .branch(let number, let value)):
      writer.put(Int64(number))
      write(value, branches[number], &writer)
    default: preconditionFailure("\(tree) is no value of \(schema)")
    }
  }

  private func writeBlocks<Item>(
    _ items: [Item], _ writer: inout BinaryWriter, _ write: (Item, inout BinaryWriter) -> Void
  ) {
    let size = blocks == .oneEach ? 1 : max(1, items.count)
    for start in stride(from: 0, to: items.count, by: size) {
      var inner = BinaryWriter()
      for item in items[start..<min(items.count, start + size)] { write(item, &inner) }
      let count = Int64(min(items.count, start + size) - start)
      writer.put(blocks == .sized ? -count : count)
      if blocks == .sized { writer.put(Int64(inner.bytes.count)) }
      writer.put(raw: inner.bytes)
    }
    writer.put(0)
  }

  /// The trees of all the bytes.
  func decode(_ count: Int, _ bytes: [UInt8]) throws -> [Tree] {
    var reader = BinaryReader(bytes.span.bytes)
    var trees: [Tree] = []
    for _ in 0..<count { trees.append(try read(schema, &reader)) }
    guard reader.isAtEnd else { throw AvroError.trailingBytes }
    return trees
  }

  private func read(_ schema: Schema, _ reader: inout BinaryReader) throws(AvroError) -> Tree {
    switch definitions[schema] {
    case .primitive(.null, _): return .null
    case .primitive(.boolean, _): return .boolean(try Bool(from: &reader))
    case .primitive(.int, _): return .number(Int64(try reader.takeInt()))
    case .primitive(.long, _): return .number(try reader.takeLong())
    case .primitive(.float, _):
      return .float(try reader.takeBytes(4).reversed().reduce(0) { $0 << 8 | UInt32($1) })
    case .primitive(.double, _): return .double(try Double(from: &reader).bitPattern)
    case .primitive(.bytes, _), .primitive(.string, _):
      return .bytes(try reader.takeBytes(try reader.takeLength()))
    case .fixed(let fixed): return .bytes(try reader.takeBytes(fixed.byteCount))
    case .enumeration(let type):
      let number = Int(try reader.takeInt())
      guard type.symbols.indices.contains(number) else { throw .unknownSymbol(number) }
      return .symbol(type.symbols[number])
    case .record(let record):
      var members: [Tree.Member] = []
      for field in record.fields {
        members.append(.init(name: field.name, value: try read(field.schema, &reader)))
      }
      return .record(members)
    case .array(let items, _):
      var elements: [Tree] = []
      while let count = try readCount(&reader) {
        for _ in 0..<count { elements.append(try read(items, &reader)) }
      }
      return .array(elements)
    case .map(let values, _):
      var members: [Tree.Member] = []
      while let count = try readCount(&reader) {
        for _ in 0..<count {
          members.append(.init(name: try reader.takeText(), value: try read(values, &reader)))
        }
      }
      return .map(members)
    case .union(let branches):
      let number = Int(try reader.takeLong())
      guard branches.indices.contains(number) else { throw .unknownBranch(number) }
      return .branch(number, try read(branches[number], &reader))
    case .reference: throw .invalidSchema("a name is not defined")
    }
  }

  private func readCount(_ reader: inout BinaryReader) throws(AvroError) -> Int? {
    let count = try reader.takeLong()
    if count < 0 { _ = try reader.takeLong() }
    guard count.magnitude <= 1 << 16 else { throw .invalidLength }
    return count == 0 ? nil : Int(count.magnitude)
  }
}
