/// Runs a resolution program over bytes.
struct ResolutionRun: ~Escapable {
  typealias Step = ResolutionProgram.Step

  private let program: ResolutionProgram
  var reader: BinaryReader
  var writer = BinaryWriter()
  /// The offsets of the writer's fields, for the records that are being reordered.
  private var starts: [Int] = []

  @_lifetime(copy reader)
  init(_ program: ResolutionProgram, reading reader: BinaryReader) {
    self.program = program
    self.reader = reader
  }

  /// The bytes produced.
  var output: [UInt8] {
    get { writer.bytes }
    set { writer.bytes = newValue }
    _modify { yield &writer.bytes }
  }

  /// Runs a step `count` times, once for each value.
  ///
  /// Values that have no bytes on either side are counted, but not handled one by one.
  @_lifetime(self: copy self)
  mutating func `repeat`(
    _ step: Step, _ count: Int, isMap: Bool, depth: Int
  ) throws(AvroError) {
    for number in 0..<count {
      let before = (reader.position, writer.bytes.count)
      if isMap { try copyCounted() }
      try execute(step, depth: depth)
      if number == 0 {
        try reader.checkItems(count, firstFrom: before.0)
        if (reader.position, writer.bytes.count) == before { return }
      }
      try AvroLimit.byteCount.check(writer.bytes.count)
    }
  }

  /// Runs a step, and any step it continues with.
  @_lifetime(self: copy self)
  private mutating func execute(_ first: Step, depth: Int) throws(AvroError) {
    var step = first
    var depth = depth
    while true {
      try AvroLimit.depth.check(depth + 1)
      switch step {
      case .copy(let extent):
        let start = reader.position
        try program.types.skip(extent, &reader, depth: depth)
        return copy(from: start)
      case .skip(let extent): return try program.types.skip(extent, &reader, depth: depth)
      case .put(let places): return try put(places)
      case .prefix(let places, let next):
        try put(places)
        step = program.steps[next]
      case .each(let places):
        for place in places { try execute(program.steps[place], depth: depth + 1) }
        return
      case .branch(let places):
        step = program.steps[places.lowerBound + (try reader.takeBranch(of: places.count))]
        depth += 1
      case .named(let place): step = program.steps[place]
      case .blocks(let item, let isMap):
        return try takeBlocks(of: program.steps[item], isMap: isMap, depth: depth + 1)
      case .reorder(let extents, let fields):
        return try reorder(extents, fields, depth: depth + 1)
      case .promote(let promotion): return try promote(promotion)
      case .symbol(let places):
        let symbol = try reader.takeSymbol(of: places.count)
        let number = program.symbols[places.lowerBound + symbol]
        guard number >= 0 else { throw .schemaMismatch(program.reasons[~number]) }
        return writer.put(Int64(number))
      case .refuse(let reason): throw .schemaMismatch(program.reasons[reason])
      }
    }
  }

  @_lifetime(self: copy self)
  private mutating func takeBlocks(of item: Step, isMap: Bool, depth: Int) throws(AvroError) {
    while let block = try reader.takeBlock() {
      writer.put(Int64(block.count))
      let start = reader.position
      try self.repeat(item, block.count, isMap: isMap, depth: depth)
      if let byteCount = block.byteCount {
        guard reader.position - start == byteCount else { throw .invalidLength }
      }
    }
    writer.put(0)
  }

  /// Finds the offset of each of the writer's fields, then reads them in the reader's order.
  @_lifetime(self: copy self)
  private mutating func reorder(
    _ extents: Range<Int>, _ fields: Range<Int>, depth: Int
  ) throws(AvroError) {
    let base = starts.count
    let emptyItemCount = reader.emptyItemCount
    for place in extents {
      starts.append(reader.position)
      try program.types.skip(program.extents[place], &reader, depth: depth)
    }
    // Items that are read twice must be counted once.
    let end = (position: reader.position, emptyItemCount: reader.emptyItemCount)
    reader.emptyItemCount = emptyItemCount
    for place in fields {
      let field = program.fields[place]
      if let source = field.source { reader.position = starts[base + source] }
      try execute(field.step, depth: depth)
    }
    reader.position = end.position
    reader.emptyItemCount = end.emptyItemCount
    starts.removeLast(starts.count - base)
  }

  @_lifetime(self: copy self)
  private mutating func promote(_ promotion: Promotion) throws(AvroError) {
    switch promotion {
    case .intToFloat: writer.put(float: Float(try reader.takeInt()))
    case .intToDouble: Double(try reader.takeInt()).write(to: &writer)
    case .longToFloat: writer.put(float: Float(try reader.takeLong()))
    case .longToDouble: Double(try reader.takeLong()).write(to: &writer)
    case .floatToDouble: Double(try reader.takeFloat()).write(to: &writer)
    }
  }

  @_lifetime(self: copy self)
  private mutating func put(_ places: Range<Int>) throws(AvroError) {
    if places.count == 1 {
      writer.bytes.append(program.constants[places.lowerBound])
    } else {
      writer.bytes.append(contentsOf: program.constants[places])
    }
    try AvroLimit.byteCount.check(writer.bytes.count)
  }

  @_lifetime(self: copy self)
  private mutating func copyCounted() throws(AvroError) {
    let start = reader.position
    try reader.skip(try reader.takeLength())
    copy(from: start)
  }

  @_lifetime(self: copy self)
  private mutating func copy(from start: Int) {
    let bytes = reader.bytes.extracting(start..<reader.position)
    unsafe bytes.withUnsafeBytes { unsafe writer.bytes.append(contentsOf: $0) }
  }
}

extension BinaryReader {
  /// Takes a `float`: four bytes, little-endian.
  @_lifetime(self: copy self)
  mutating func takeFloat() throws(AvroError) -> Float {
    var bits: UInt32 = 0
    guard remaining >= 4 else { throw .truncated }
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      bits |= UInt32(try takeByte()) << shift
    }
    return Float(bitPattern: bits)
  }
}

extension BinaryWriter {
  /// Appends a `float`.
  mutating func put(float value: Float) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
    }
  }
}
