@testable import Avro

/// One change of an encoded value: other bytes for one of its parts, so that it remains a value of its schema.
struct Mutation {
  /// The changed field, by the path of names to it.
  var path: String
  /// The bytes to replace.
  var range: Range<Int>
  /// The new bytes.
  var replacement: [UInt8]

  /// The changed value.
  func applied(to bytes: [UInt8]) -> [UInt8] {
    Array(bytes[..<range.lowerBound]) + replacement + bytes[range.upperBound...]
  }
}

/// Finds a change of every field of encoded values.
struct Mutator {
  private var named: [String: Schema] = [:]
  private let schema: Schema

  init(_ schema: Schema) {
    self.schema = schema
    note(schema)
  }

  private mutating func note(_ schema: Schema) {
    if case .reference = schema { return }
    if let name = schema.name {
      guard named[name] == nil else { return }
      named[name] = schema
    }
    switch schema {
    case .array(let items, _): note(items)
    case .map(let values, _): note(values)
    case .union(let branches): for branch in branches { note(branch) }
    case .record(let record): for field in record.fields { note(field.schema) }
    default: break
    }
  }

  /// Changes of every field of a value, at least one each.
  func mutations(of bytes: [UInt8]) throws(AvroError) -> [Mutation] {
    var reader = BinaryReader(bytes.span.bytes)
    var found: [Mutation] = []
    try find(schema, &reader, "", &found)
    return found.filter { $0.applied(to: bytes) != bytes }
  }

  @_lifetime(reader: copy reader)
  private func find(
    _ schema: Schema, _ reader: inout BinaryReader, _ path: String, _ found: inout [Mutation]
  ) throws(AvroError) {
    let start = reader.offset
    func add(_ end: Int, _ replacement: [UInt8]) {
      found.append(Mutation(path: path, range: start..<end, replacement: replacement))
    }
    switch schema {
    case .primitive(.null, _): return
    case .primitive(.boolean, _):
      let value = try reader.takeByte()
      add(reader.offset, [value ^ 1])
    case .primitive(.int, _), .primitive(.long, _):
      let value = try reader.takeLong()
      add(reader.offset, Self.long(value ^ 1))
    case .primitive(.float, _):
      try reader.skip(4)
      add(reader.offset, [0, 0, 0, 1])
    case .primitive(.double, _):
      try reader.skip(8)
      add(reader.offset, [0, 0, 0, 0, 0, 0, 0, 1])
    case .primitive(.string, _), .primitive(.bytes, _):
      let value = try reader.takeBytes(try reader.takeLength())
      add(reader.offset, Self.long(Int64(value.count + 1)) + value + [0x78])
      add(reader.offset, [0])
    case .fixed(let fixed):
      var value = try reader.takeBytes(fixed.byteCount)
      value[value.count - 1] ^= 1
      add(reader.offset, value)
    case .enumeration(let enumeration):
      let value = try reader.takeLong()
      add(reader.offset, Self.long((value + 1) % Int64(enumeration.symbols.count)))
    case .record(let record):
      for field in record.fields {
        try find(field.schema, &reader, path + "." + field.name, &found)
      }
    case .union(let branches):
      let branch = Int(try reader.takeLong())
      let name = branches.count > 2 ? "/\(branches[branch].name ?? "")" : ""
      try find(branches[branch], &reader, path + name, &found)
      let other = branch == 0 ? 1 : 0
      add(reader.offset, Self.long(Int64(other)) + blank(branches[other]))
    case .array(let items, _), .map(let items, _):
      while let (count, _) = try reader.takeBlock() {
        for _ in 0..<count { try find(items, &reader, path + "[]", &found) }
      }
      let old = reader.offset - start
      add(start + (old > 1 ? old : 1), old > 1 ? [0] : Self.long(1) + blank(items) + [0])
    case .reference(let name):
      guard let schema = named[name] else { throw .invalidSchema(name) }
      try find(schema, &reader, path, &found)
    }
  }

  /// A value of a schema.
  private func blank(_ schema: Schema) -> [UInt8] {
    switch schema {
    case .primitive(.null, _): []
    case .primitive(.float, _): [0, 0, 0, 0]
    case .primitive(.double, _): [0, 0, 0, 0, 0, 0, 0, 0]
    case .primitive, .array, .map, .enumeration: [0]
    case .fixed(let fixed): [UInt8](repeating: 0, count: fixed.byteCount)
    case .record(let record): record.fields.flatMap { blank($0.schema) }
    case .union(let branches): [0] + blank(branches[0])
    case .reference(let name): named[name].map(blank) ?? []
    }
  }

  private static func long(_ value: Int64) -> [UInt8] {
    var writer = BinaryWriter()
    writer.put(value)
    return writer.bytes
  }
}
