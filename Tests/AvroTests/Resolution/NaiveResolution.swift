import Avro

/// Schema resolution as the specification words it (1.12, "Schema Resolution" and "Aliases"), value by value and
/// without regard for speed. The compiled resolution must agree with it.
struct NaiveResolution {
  /// The reader's schema cannot hold a value.
  struct Mismatch: Error {}

  let written: Definitions
  let read: Definitions

  init(from writer: Schema, to reader: Schema) {
    written = Definitions(writer)
    read = Definitions(reader)
  }

  func resolve(_ tree: Tree, from writer: Schema, to reader: Schema) throws(Mismatch) -> Tree {
    let writer = written[writer]
    let reader = read[reader]
    if case .union(let branches) = writer, case .branch(let number, let value) = tree {
      return try resolve(value, from: branches[number], to: reader)
    }
    if case .union(let branches) = reader {
      let choice =
        branches.firstIndex { isSameType(writer, $0) } ?? branches.firstIndex { match(writer, $0) }
      guard let choice else { throw Mismatch() }
      return .branch(choice, try resolve(tree, from: writer, to: branches[choice]))
    }
    guard match(writer, reader) else { throw Mismatch() }
    switch (writer, reader, tree) {
    case (.record(let writer), .record(let reader), .record(let members)):
      return try resolve(members, from: writer, to: reader)
    case (_, .enumeration(let type), .symbol(let symbol)):
      if type.symbols.contains(symbol) { return tree }
      guard let symbol = type.defaultSymbol else { throw Mismatch() }
      return .symbol(symbol)
    case (.array(let writer, _), .array(let reader, _), .array(let elements)):
      return .array(
        try elements.map { element throws(Mismatch) in
          try resolve(element, from: writer, to: reader)
        })
    case (.map(let writer, _), .map(let reader, _), .map(let members)):
      return .map(
        try members.map { member throws(Mismatch) in
          .init(name: member.name, value: try resolve(member.value, from: writer, to: reader))
        })
    case (_, .primitive(.float, _), .number(let number)): return .float(Float(number).bitPattern)
    case (_, .primitive(.double, _), .number(let number)):
      return .double(Double(number).bitPattern)
    case (_, .primitive(.double, _), .float(let bits)):
      return .double(Double(Float(bitPattern: bits)).bitPattern)
    default: return tree
    }
  }

  private func resolve(
    _ members: [Tree.Member], from writer: Schema.Record, to reader: Schema.Record
  ) throws(Mismatch) -> Tree {
    // "As though" the writer's fields had the names that the reader's aliases give them.
    var names = writer.fields.map(\.name)
    for field in reader.fields where !writer.fields.contains(where: { $0.name == field.name }) {
      let place = field.aliases.lazy.compactMap { names.firstIndex(of: $0) }.first
      if let place { names[place] = field.name }
    }
    return .record(
      try reader.fields.map { field throws(Mismatch) in
        let value: Tree
        if let place = names.firstIndex(of: field.name) {
          value = try resolve(
            members[place].value, from: writer.fields[place].schema, to: field.schema)
        } else {
          guard let json = field.defaultValue else { throw Mismatch() }
          value = tree(json, field.schema)
        }
        return .init(name: field.name, value: value)
      })
  }

  /// The value that a default denotes.
  private func tree(_ json: JSON, _ schema: Schema) -> Tree {
    switch (read[schema], json) {
    case (.union(let branches), _): return .branch(0, tree(json, branches[0]))
    case (.primitive(.null, _), _): return .null
    case (.primitive(.boolean, _), .bool(let value)): return .boolean(value)
    case (.primitive(.int, _), .number(let digits)), (.primitive(.long, _), .number(let digits)):
      return .number(Int64(digits) ?? 0)
    case (.primitive(.float, _), .number(let digits)):
      return .float((Float(digits) ?? 0).bitPattern)
    case (.primitive(.double, _), .number(let digits)):
      return .double((Double(digits) ?? 0).bitPattern)
    case (.primitive(.string, _), .string(let text)): return .bytes(Array(text.utf8))
    case (_, .string(let text)):
      if case .enumeration = read[schema] { return .symbol(text) }
      return .bytes(text.unicodeScalars.map { UInt8($0.value) })
    case (.array(let items, _), .array(let elements)):
      return .array(elements.map { tree($0, items) })
    case (.map(let values, _), .object(let members)):
      return .map(members.map { .init(name: $0.name, value: tree($0.value, values)) })
    case (.record(let record), .object):
      return .record(
        record.fields.map { field in
          .init(
            name: field.name,
            value: tree(json[field.name] ?? field.defaultValue ?? .null, field.schema))
        })
    default: preconditionFailure("\(json) is no default of \(schema)")
    }
  }

  private func isSameType(_ writer: Schema, _ reader: Schema) -> Bool {
    let (writer, reader) = (written[writer], read[reader])
    switch (writer, reader) {
    case (.primitive(let one, _), .primitive(let other, _)): return one == other
    case (.array, .array), (.map, .map): return match(writer, reader)
    default: return match(writer, reader) && writer.name.map(renamed) == reader.name
    }
  }

  private func match(_ writer: Schema, _ reader: Schema) -> Bool {
    let (writer, reader) = (written[writer], read[reader])
    switch (writer, reader) {
    case (.union, _), (_, .union): return true
    case (.array(let one, _), .array(let other, _)), (.map(let one, _), .map(let other, _)):
      return match(one, other)
    case (.primitive(let one, _), .primitive(let other, _)):
      let promotions: [Schema.Primitive: [Schema.Primitive]] = [
        .int: [.long, .float, .double], .long: [.float, .double], .float: [.double],
        .string: [.bytes], .bytes: [.string],
      ]
      return one == other || promotions[one, default: []].contains(other)
    case (.fixed(let one), .fixed(let other)):
      return one.byteCount == other.byteCount && isNamedAlike(one.name, other.name)
    case (.record(let one), .record(let other)): return isNamedAlike(one.name, other.name)
    case (.enumeration(let one), .enumeration(let other)): return isNamedAlike(one.name, other.name)
    default: return false
    }
  }

  private func isNamedAlike(_ writer: String, _ reader: String) -> Bool {
    renamed(writer) == reader
      || writer.split(separator: ".").last == reader.split(separator: ".").last
  }

  /// The reader's name for a writer's type: an alias applies to writers that do not know the new name.
  private func renamed(_ name: String) -> String {
    read.types.filter { reader, type in
      written.types[reader] == nil && type.aliases.contains(name)
    }.keys.min() ?? name
  }
}
