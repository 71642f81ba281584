/// The way to skip a value, that is, to find its end.
///
/// Texts are not decoded. Numbers, lengths, branches and symbols are checked, since what is skipped may be
/// copied.
enum SkipPlan: Sendable {
  /// A fixed number of bytes.
  case bytes(Int)
  /// A number of 32 bits.
  case int
  /// A number of 64 bits.
  case long
  /// The number of a symbol, below `count`.
  case symbol(count: Int)
  /// A length, followed by as many bytes.
  case counted
  /// Several values in a row, given by extents in the list.
  case each(Range<Int>)
  /// The number of a branch, then its value, given by extents in the list.
  case branch(Range<Int>)
  /// The blocks of an array or map; `item` is the index of the items' extent in the list.
  case blocks(item: Int, isMap: Bool)
  /// A recursive record: the index of its extent in the list.
  case named(Int)

  /// Whether values of this kind have no bytes. All others have at least one byte, so no schema makes a walk
  /// longer than the bytes.
  var isEmpty: Bool {
    if case .bytes(0) = self { true } else { false }
  }
}

/// The extents of the types in a writer's schema.
struct SkipPlans: Sendable {
  private var list: [SkipPlan] = []
  private var records: [String: SkipPlan] = [:]
  private let types: NamedTypes

  init(types: NamedTypes) { self.types = types }

  /// The extent of a schema's values.
  ///
  /// - Throws: ``AvroError/invalidSchema(_:)`` when a name is not defined.
  mutating func extent(of schema: Schema) throws(AvroError) -> SkipPlan {
    switch schema {
    case .primitive(let primitive, _):
      switch primitive {
      case .null: return .bytes(0)
      case .boolean: return .bytes(1)
      case .int: return .int
      case .long: return .long
      case .float: return .bytes(4)
      case .double: return .bytes(8)
      case .bytes, .string: return .counted
      }
    case .enumeration(let enumeration): return .symbol(count: enumeration.symbols.count)
    case .fixed(let fixed): return .bytes(fixed.byteCount)
    case .array(let items, _):
      return .blocks(item: place([try extent(of: items)]).lowerBound, isMap: false)
    case .map(let values, _):
      return .blocks(item: place([try extent(of: values)]).lowerBound, isMap: true)
    case .union(let branches):
      var extents: [SkipPlan] = []
      for branch in branches { extents.append(try extent(of: branch)) }
      return .branch(place(extents))
    case .record(let record): return try extent(of: record)
    case .reference: return try extent(of: types.definition(of: schema))
    }
  }

  /// The record is registered before its fields are compiled, because they may refer to it.
  private mutating func extent(of record: Schema.Record) throws(AvroError) -> SkipPlan {
    if let known = records[record.name] { return known }
    let number = place([.named(list.count)]).lowerBound
    records[record.name] = .named(number)
    var fields: [SkipPlan] = []
    for field in record.fields { fields.append(try extent(of: field.schema)) }
    var extent = all(fields)
    // A record that contains only records around it keeps a level of its own; otherwise a walk that counts
    // levels would not end.
    if case .named = extent { extent = .each(place([extent])) }
    list[number] = extent
    records[record.name] = extent
    return extent
  }

  /// The extent of several values in a row; adjacent extents of fixed size are merged.
  mutating func all(_ extents: [SkipPlan]) -> SkipPlan {
    var merged: [SkipPlan] = []
    for extent in extents where !extent.isEmpty {
      if case .bytes(let count) = extent, case .bytes(let before) = merged.last {
        let (sum, isTooLarge) = before.addingReportingOverflow(count)
        merged[merged.count - 1] = .bytes(isTooLarge ? .max : sum)
      } else {
        merged.append(extent)
      }
    }
    switch merged.count {
    case 0: return .bytes(0)
    case 1: return merged[0]
    default: return .each(place(merged))
    }
  }

  private mutating func place(_ extents: [SkipPlan]) -> Range<Int> {
    list += extents
    return list.count - extents.count..<list.count
  }

  /// Skips a value.
  ///
  /// - Throws: ``AvroError`` when the bytes are not such a value.
  @_lifetime(reader: copy reader)
  func skip(_ extent: SkipPlan, _ reader: inout BinaryReader, depth: Int) throws(AvroError) {
    if try Self.skipPlain(extent, &reader) { return }
    try AvroLimit.depth.check(depth + 1)
    switch extent {
    case .each(let places):
      for place in places {
        let part = list[place]
        if try !Self.skipPlain(part, &reader) { try skip(part, &reader, depth: depth + 1) }
      }
    case .branch(let places):
      let branch = try reader.takeBranch(of: places.count)
      let value = list[places.lowerBound + branch]
      if try !Self.skipPlain(value, &reader) { try skip(value, &reader, depth: depth + 1) }
    case .blocks(let item, let isMap):
      try skipBlocks(of: list[item], isMap: isMap, &reader, depth: depth + 1)
    case .named(let place): try skip(list[place], &reader, depth: depth)
    case .bytes, .int, .long, .symbol, .counted: break
    }
  }

  /// Skips a value without parts; returns whether it is one. Nearly all values are, and this saves a call.
  @inline(__always)
  @_lifetime(reader: copy reader)
  private static func skipPlain(
    _ extent: SkipPlan, _ reader: inout BinaryReader
  ) throws(AvroError) -> Bool {
    switch extent {
    case .bytes(let count): try reader.skip(count)
    case .int: _ = try reader.takeInt()
    case .long: _ = try reader.takeVariableLength()
    case .symbol(let count): _ = try reader.takeSymbol(of: count)
    case .counted: try reader.skip(try reader.takeLength())
    case .each, .branch, .blocks, .named: return false
    }
    return true
  }

  @_lifetime(reader: copy reader)
  private func skipBlocks(
    of item: SkipPlan, isMap: Bool, _ reader: inout BinaryReader, depth: Int
  ) throws(AvroError) {
    while let block = try reader.takeBlock() {
      if !isMap, item.isEmpty { try reader.countEmptyItems(block.count) }
      if let byteCount = block.byteCount {
        try reader.skip(byteCount)
      } else if isMap || !item.isEmpty {
        for _ in 0..<block.count {
          if isMap { try reader.skip(try reader.takeLength()) }
          try skip(item, &reader, depth: depth)
        }
      }
    }
  }
}

extension BinaryReader {
  /// Takes the number of a union's branch.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func takeBranch(of count: Int) throws(AvroError) -> Int {
    let branch = try takeLong()
    guard branch >= 0, branch < Int64(count) else {
      throw .unknownBranch(Int(truncatingIfNeeded: branch))
    }
    return Int(branch)
  }

  /// Takes the number of an enumeration's symbol.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func takeSymbol(of count: Int) throws(AvroError) -> Int {
    let symbol = try takeLong()
    guard symbol >= 0, symbol < Int64(count) else {
      throw .unknownSymbol(Int(truncatingIfNeeded: symbol))
    }
    return Int(symbol)
  }
}
