/// Compiles two schemas into the program that converts values from one to the other.
struct ResolutionCompiler {
  typealias Step = ResolutionProgram.Step

  private let writer: Schema
  private let reader: Schema
  private let match: SchemaMatch
  private let defaults: SchemaTranscoder
  /// The work done for all defaults, which share one limit.
  private var work = SchemaTranscoder.Work(.defaultValueCount)
  private var program: ResolutionProgram
  private var records: [Pair: Known] = [:]
  /// The number of record pairs around the current types.
  private var depth = 0
  /// The names that lead to the current type, outermost first.
  private var path: [String] = []

  private struct Pair: Hashable {
    var written: String
    var read: String
  }

  /// The result for a pair of records: each pair is compiled once, and may contain itself.
  private enum Known {
    case step(Step)
    case mismatch(String)
  }

  init(from writer: Schema, to reader: Schema) {
    self.writer = writer
    self.reader = reader
    match = SchemaMatch(from: writer, to: reader)
    defaults = SchemaTranscoder(reader)
    program = ResolutionProgram(types: SkipPlans(types: match.writer))
  }

  mutating func compile() throws(AvroError) -> ResolutionProgram {
    program.start = try step(from: writer, to: reader)
    return program
  }

  private mutating func step(from written: Schema, to read: Schema) throws(AvroError) -> Step {
    let written = try match.writer.definition(of: written)
    let read = try match.reader.definition(of: read)
    if case .union(let branches) = written { return try step(fromUnion: branches, to: read) }
    if case .union(let branches) = read {
      guard let number = match.branch(of: branches, for: written) else {
        throw mismatch("none of the types of the reader accepts \(written.words)")
      }
      return into(branch: number, try step(from: written, to: branches[number]))
    }
    guard match.fits(written, read) else {
      throw mismatch("\(written.words) was written, and \(read.words) is read")
    }
    switch (written, read) {
    case (.primitive(let one, _), .primitive(let other, _)):
      if let promotion = Promotion(from: one, to: other) { return .promote(promotion) }
    case (.enumeration(let one), .enumeration(let other)):
      if !other.symbols.starts(with: one.symbols) { return symbols(from: one, to: other) }
    case (.array(let one, _), .array(let other, _)):
      if let step = try blocks(from: one, to: other, isMap: false) { return step }
    case (.map(let one, _), .map(let other, _)):
      if let step = try blocks(from: one, to: other, isMap: true) { return step }
    case (.record(let one), .record(let other)): return try record(from: one, to: other)
    default: break
    }
    return .copy(try program.types.extent(of: written))
  }

  /// A branch that does not fit is refused when it occurs in data, unless no branch fits.
  private mutating func step(
    fromUnion branches: [Schema], to read: Schema
  ) throws(AvroError) -> Step {
    var steps: [Step] = []
    var firstMismatch: String?
    var fits = branches.isEmpty
    var isCopy = true
    for (number, branch) in branches.enumerated() {
      do throws(AvroError) {
        if case .union(let others) = read, match.branch(of: others, for: branch) == number {
          let inner = try step(from: branch, to: others[number])
          if !inner.isCopy { isCopy = false }
          steps.append(into(branch: number, inner))
        } else {
          isCopy = false
          steps.append(try step(from: branch, to: read))
        }
        fits = true
      } catch .schemaMismatch(let reason) {
        isCopy = false
        firstMismatch = firstMismatch ?? reason
        steps.append(refuse(reason))
      }
    }
    if let firstMismatch, !fits { throw .schemaMismatch(firstMismatch) }
    guard isCopy, case .union = read else { return .branch(place(steps)) }
    return .copy(try program.types.extent(of: .union(branches)))
  }

  /// The step for the blocks of an array or map; `nil` if the items are copied unchanged.
  private mutating func blocks(
    from written: Schema, to read: Schema, isMap: Bool
  ) throws(AvroError) -> Step? {
    let item = try step(from: written, to: read)
    return item.isCopy ? nil : .blocks(item: place([item]).lowerBound, isMap: isMap)
  }

  /// A symbol that the reader lacks becomes the default; without a default it is refused when it occurs in
  /// data.
  private mutating func symbols(
    from written: Schema.Enumeration, to read: Schema.Enumeration
  ) -> Step {
    let fallback = read.defaultSymbol.flatMap { read.symbols.firstIndex(of: $0) }
    let start = program.symbols.count
    for symbol in written.symbols {
      if let number = read.symbols.firstIndex(of: symbol) ?? fallback {
        program.symbols.append(number)
      } else {
        program.symbols.append(~note(reason("\(read.name) has no symbol \(symbol)")))
      }
    }
    return .symbol(start..<program.symbols.count)
  }
}

// MARK: - Records

extension ResolutionCompiler {
  /// The record is registered before its fields are compiled, because they may refer to it.
  private mutating func record(
    from written: Schema.Record, to read: Schema.Record
  ) throws(AvroError) -> Step {
    let pair = Pair(written: written.name, read: read.name)
    switch records[pair] {
    case .step(let step): return step
    case .mismatch(let reason): throw .schemaMismatch(reason)
    case nil: break
    }
    // Two short, differently recursive schemas make a long chain of pairs.
    depth += 1
    defer { depth -= 1 }
    try AvroLimit.depth.check(depth)
    let number = place([.named(program.steps.count)]).lowerBound
    records[pair] = .step(.named(number))
    do throws(AvroError) {
      var step = try fields(from: written, to: read)
      // As in `SkipPlans`, a walk that counts levels must end.
      switch step {
      case .named, .prefix: step = .each(place([step]))
      default: break
      }
      program.steps[number] = step
      records[pair] = .step(step)
      return step
    } catch .schemaMismatch(let reason) {
      program.steps[number] = refuse(reason)
      records[pair] = .mismatch(reason)
      throw .schemaMismatch(reason)
    }
  }

  private mutating func fields(
    from written: Schema.Record, to read: Schema.Record
  ) throws(AvroError) -> Step {
    var extents: [SkipPlan] = []
    for field in written.fields { extents.append(try program.types.extent(of: field.schema)) }
    var fields: [ResolutionProgram.Field] = []
    let sources = SchemaMatch.sources(of: read, among: written.fields.map(\.name))
    for (field, source) in zip(read.fields, sources) {
      path.append("\(read.name).\(field.name)")
      defer { path.removeLast() }
      if let source {
        let step = try step(from: written.fields[source].schema, to: field.schema)
        // A value without bytes can be read at any position.
        fields.append(.init(source: extents[source].isEmpty ? nil : source, step: step))
      } else if let value = field.defaultValue {
        fields.append(.init(step: put(try defaults.encodeDefault(value, of: field, &work))))
      } else {
        throw mismatch("it was not written, and has no default")
      }
    }
    let order = fields.compactMap(\.source)
    if zip(order, order.dropFirst()).contains(where: >) { return reorder(extents, fields) }
    var steps: [Step] = []
    var next = 0
    for field in fields {
      if let source = field.source {
        steps += extents[next..<source].map { .skip($0) }
        next = source + 1
      }
      steps.append(field.step)
    }
    return each(steps + extents[next...].map { .skip($0) })
  }

  private mutating func reorder(
    _ extents: [SkipPlan], _ fields: [ResolutionProgram.Field]
  ) -> Step {
    program.extents += extents
    program.fields += fields
    return .reorder(
      extents: program.extents.count - extents.count..<program.extents.count,
      fields: program.fields.count - fields.count..<program.fields.count)
  }
}

// MARK: - Steps

extension ResolutionCompiler {
  /// Several steps in a row: those without effect are dropped, and adjacent ones of the same kind are merged.
  private mutating func each(_ steps: [Step]) -> Step {
    var merged: [Step] = []
    var rest = steps.filter { !$0.doesNothing }[...]
    while let step = rest.first {
      switch step {
      case .copy: merged.append(.copy(all(rest.takePrefix(\.copied))))
      case .skip: merged.append(.skip(all(rest.takePrefix(\.skipped))))
      case .put(let bytes):
        rest.removeFirst()
        if case .put(let before) = merged.last, before.upperBound == bytes.lowerBound {
          merged[merged.count - 1] = .put(before.lowerBound..<bytes.upperBound)
        } else {
          merged.append(step)
        }
      default:
        rest.removeFirst()
        merged.append(step)
      }
    }
    switch merged.count {
    case 0: return .copy(.bytes(0))
    case 1: return merged[0]
    default: return .each(place(merged))
    }
  }

  /// A step preceded by the number of a branch; the steps of a record follow directly.
  private mutating func into(branch: Int, _ step: Step) -> Step {
    switch step {
    case .each(let places): return each([put(branch: branch)] + program.steps[places])
    case .put: return each([put(branch: branch), step])
    case _ where step.doesNothing: return put(branch: branch)
    default:
      return .prefix(constants(Int64(branch).encoded), next: place([step]).lowerBound)
    }
  }

  private mutating func all(_ extents: [SkipPlan]) -> SkipPlan { program.types.all(extents) }

  private mutating func place(_ steps: [Step]) -> Range<Int> {
    program.steps += steps
    return program.steps.count - steps.count..<program.steps.count
  }

  private mutating func put(_ bytes: [UInt8]) -> Step { .put(constants(bytes)) }

  private mutating func put(branch: Int) -> Step { put(Int64(branch).encoded) }

  private mutating func constants(_ bytes: [UInt8]) -> Range<Int> {
    program.constants += bytes
    return program.constants.count - bytes.count..<program.constants.count
  }

  private mutating func refuse(_ reason: String) -> Step { .refuse(note(reason)) }

  private mutating func note(_ reason: String) -> Int {
    program.reasons.append(reason)
    return program.reasons.count - 1
  }

  private func reason(_ text: String) -> String {
    path.last.map { "\($0): \(text)" } ?? text
  }

  private func mismatch(_ text: String) -> AvroError { .schemaMismatch(reason(text)) }
}

extension ResolutionProgram.Step {
  fileprivate var isCopy: Bool { copied != nil }

  fileprivate var copied: SkipPlan? {
    if case .copy(let extent) = self { extent } else { nil }
  }

  fileprivate var skipped: SkipPlan? {
    if case .skip(let extent) = self { extent } else { nil }
  }

  fileprivate var doesNothing: Bool {
    switch self {
    case .copy(let extent), .skip(let extent): extent.isEmpty
    case .put(let places), .each(let places): places.isEmpty
    default: false
    }
  }
}

extension ArraySlice<ResolutionProgram.Step> {
  /// Removes the leading elements for which `part` is not `nil`, and returns their parts.
  fileprivate mutating func takePrefix<Part>(_ part: (Element) -> Part?) -> [Part] {
    var parts: [Part] = []
    while let found = first.flatMap(part) {
      parts.append(found)
      removeFirst()
    }
    return parts
  }
}

extension Schema {
  /// The name of the type in an error message.
  fileprivate var words: String {
    if let name { return name }
    switch self {
    case .array: return "an array"
    case .map: return "a map"
    case .union: return "a union"
    default: return SchemaTranscoder.name(of: self)
    }
  }
}
