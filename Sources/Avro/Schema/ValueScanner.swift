/// Skips encoded values of a schema and checks each: it refuses everything that a reader of the schema would
/// refuse, without building the values.
///
/// It finds the end of an entry without knowing what the entry means. So blocks of any schema, however old,
/// can be split anew and verified.
public struct ValueScanner: Sendable {
  private enum Node: Sendable {
    case null, boolean, int, long, counted, text
    case fixed(Int)
    case enumeration(Int)
    case record(Range<Int>)
    case union(Range<Int>)
    case array(Int)
    case map(Int)

    /// The range in `children` with the nodes of its fields or branches.
    var children: Range<Int>? {
      get {
        switch self {
        case .record(let places), .union(let places): places
        default: nil
        }
      }
      set {
        guard let newValue else { return }
        if case .union = self { self = .union(newValue) } else { self = .record(newValue) }
      }
    }
  }

  private var nodes: [Node] = []
  /// The nodes of fields and branches, contiguous for each record and union.
  private var children: [Int] = []
  /// For each child that is a personal field, its blank value; `nil` for all others.
  private var blanks: [UInt8?] = []

  /// A personal field of a value.
  package struct Personal: Sendable {
    /// The range of its bytes, relative to the reader's first byte.
    package var range: Range<Int>
    /// The single byte that replaces it.
    package var blank: UInt8
    /// Whether the field is already blank.
    package var isBlank: Bool
  }

  /// Compiles a schema.
  ///
  /// - Throws: ``AvroError/invalidSchema(_:)`` when it refers to a type that it does not define.
  public init(_ schema: Schema) throws(AvroError) {
    var named: [String: Int] = [:]
    // The node of the root is the first.
    _ = try add(schema, &named)
    leaveOutEmptyFields()
  }

  /// Drops the fields that never have bytes. Otherwise a few bytes could hold so many values that a scan
  /// takes long.
  private mutating func leaveOutEmptyFields() {
    var known: [Bool?] = Array(repeating: nil, count: nodes.count)
    let (allChildren, allBlanks) = (children, blanks)
    (children, blanks) = ([], [])
    for (number, node) in nodes.enumerated() {
      guard let places = node.children else { continue }
      var kept = Array(places)
      if case .record = node {
        kept.removeAll { Self.isEmpty(allChildren[$0], nodes, allChildren, &known) }
      }
      let start = children.count
      children += kept.map { allChildren[$0] }
      blanks += kept.map { allBlanks[$0] }
      nodes[number].children = start..<children.count
    }
  }

  /// Whether no value of a node ever has bytes. A recursive node counts as not empty.
  private static func isEmpty(
    _ number: Int, _ nodes: [Node], _ children: [Int], _ known: inout [Bool?]
  ) -> Bool {
    if let isEmpty = known[number] { return isEmpty }
    known[number] = false
    let isEmpty =
      switch nodes[number] {
      case .null, .fixed(0): true
      case .record(let fields):
        fields.allSatisfy { Self.isEmpty(children[$0], nodes, children, &known) }
      default: false
      }
    known[number] = isEmpty
    return isEmpty
  }

  private mutating func add(
    _ schema: Schema, _ named: inout [String: Int]
  ) throws(AvroError) -> Int {
    if let name = schema.name, let known = named[name] { return known }
    let node = nodes.count
    nodes.append(.null)
    if let name = schema.name { named[name] = node }
    nodes[node] =
      switch schema {
      case .primitive(.null, _): .null
      case .primitive(.boolean, _): .boolean
      case .primitive(.int, _): .int
      case .primitive(.long, _): .long
      case .primitive(.float, _): .fixed(4)
      case .primitive(.double, _): .fixed(8)
      case .primitive(.bytes, _): .counted
      case .primitive(.string, _): .text
      case .fixed(let fixed): .fixed(fixed.byteCount)
      case .enumeration(let enumeration): .enumeration(enumeration.symbols.count)
      case .record(let record):
        .record(
          try add(
            record.fields.map(\.schema), &named,
            blanks: try record.fields.map { field throws(AvroError) in
              field.isPersonal ? try Self.blank(of: field) : nil
            }))
      case .union(let branches):
        .union(try add(branches, &named, blanks: branches.map { _ in nil }))
      case .array(let items, _): .array(try add(items, &named))
      case .map(let values, _): .map(try add(values, &named))
      case .reference(let name): throw .invalidSchema("it does not define \(name)")
      }
    return node
  }

  private mutating func add(
    _ schemas: [Schema], _ named: inout [String: Int], blanks more: [UInt8?]
  ) throws(AvroError) -> Range<Int> {
    var places: [Int] = []
    for schema in schemas { places.append(try add(schema, &named)) }
    children += places
    blanks += more
    return children.count - places.count..<children.count
  }

  /// The byte that replaces a personal field: the empty text, null, or no items.
  private static func blank(of field: Schema.Field) throws(AvroError) -> UInt8 {
    switch field.schema {
    case .primitive(.string, _), .primitive(.bytes, _), .array, .map: return 0
    case .union(let branches):
      if let null = branches.firstIndex(where: \.isNull), null < 64 {
        return UInt8(null << 1)
      }
    default: break
    }
    throw .invalidSchema("the personal field \(field.name) has a type without a blank")
  }

  /// Takes one value from the reader.
  ///
  /// - Throws: ``AvroError`` when the bytes are not a value of the schema.
  @_lifetime(reader: copy reader)
  public func scan(over reader: inout BinaryReader) throws(AvroError) {
    var personal: [Personal]?
    try scan(0, over: &reader, depth: 0, &personal)
  }

  /// Takes one value from the reader, and appends its personal fields in the order of their bytes. Fields
  /// nested in a personal field belong to it.
  ///
  /// - Throws: ``AvroError`` when the bytes are not a value of the schema.
  @_lifetime(reader: copy reader)
  package func scan(over reader: inout BinaryReader, personal: inout [Personal]) throws(AvroError) {
    var found: [Personal]? = personal
    personal = []
    defer { personal = found ?? [] }
    try scan(0, over: &reader, depth: 0, &found)
  }

  @_lifetime(reader: copy reader)
  private func scan(
    _ node: Int, over reader: inout BinaryReader, depth: Int, _ personal: inout [Personal]?
  ) throws(AvroError) {
    try AvroLimit.depth.check(depth + 1)
    switch nodes[node] {
    case .null: return
    case .boolean: _ = try Bool(from: &reader)
    case .int: _ = try reader.takeInt()
    case .long: _ = try reader.takeLong()
    case .counted: try reader.skip(try reader.takeLength())
    case .text: _ = try reader.takeText()
    case .fixed(let byteCount): try reader.skip(byteCount)
    case .enumeration(let count):
      let symbol = Int(try reader.takeInt())
      guard symbol >= 0, symbol < count else { throw .unknownSymbol(symbol) }
    case .record(let fields):
      for field in fields {
        guard personal != nil, let blank = blanks[field] else {
          try scan(children[field], over: &reader, depth: depth + 1, &personal)
          continue
        }
        let start = reader.offset
        var front = reader
        try scan(children[field], over: &reader, depth: depth + 1, &personal)
        // The field is blanked as a whole, so the personal fields inside it are dropped.
        while let last = personal?.last, last.range.lowerBound >= start { personal?.removeLast() }
        var isBlank = false
        if reader.offset == start + 1 { isBlank = try front.takeByte() == blank }
        personal?.append(
          Personal(range: start..<reader.offset, blank: blank, isBlank: isBlank))
      }
    case .union(let branches):
      let branch = try reader.takeLong()
      guard branch >= 0, branch < Int64(branches.count) else {
        throw .unknownBranch(Int(truncatingIfNeeded: branch))
      }
      try scan(
        children[branches.lowerBound + Int(branch)], over: &reader, depth: depth + 1, &personal)
    case .array(let items):
      while let block = try reader.takeBlock() {
        let start = reader.offset
        try scan(items, over: &reader, depth: depth + 1, &personal)
        try reader.checkItems(block.count, firstFrom: start)
        // Items without bytes are counted, but not scanned one by one.
        if reader.offset > start {
          for _ in 1..<block.count {
            try scan(items, over: &reader, depth: depth + 1, &personal)
          }
        }
        guard block.byteCount == nil || block.byteCount == reader.offset - start else {
          throw .invalidLength
        }
      }
    case .map(let values):
      while let block = try reader.takeBlock() {
        let start = reader.offset
        for _ in 0..<block.count {
          _ = try reader.takeText()
          try scan(values, over: &reader, depth: depth + 1, &personal)
        }
        guard block.byteCount == nil || block.byteCount == reader.offset - start else {
          throw .invalidLength
        }
      }
    }
  }
}
