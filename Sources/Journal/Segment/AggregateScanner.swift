import Avro

/// Tells which entity each entry is about, using only the entries' schema.
///
/// The last field of an entry is a union of events. An event with `"creates": KIND` creates the
/// next entity of that kind. Any other is about the entity whose number is in its first field with
/// a kind's logical type. The kinds are those that some event creates. Entries of other shapes are
/// about nothing.
struct AggregateScanner: Sendable {
  /// The subject of an entry.
  enum Subject: Hashable {
    /// The entity with a number, of a kind given by its index.
    case number(kind: Int, Int32)
    /// The next entity of a kind.
    case next(kind: Int)
  }

  private enum Branch: Sendable {
    case nothing
    case creation(kind: Int)
    /// The number follows some other fields.
    case number(kind: Int, behind: ValueScanner?)
  }

  /// The kinds of entities, by the names of their numbers, in byte order.
  let kinds: [String]
  private let head: ValueScanner?
  private let branches: [Branch]

  /// Compiles the schema of an entry.
  init(_ schema: Schema) {
    var before: [Schema.Field] = []
    var events: [Schema] = []
    if case .record(let entry) = schema, case .union(let branches)? = entry.fields.last?.schema {
      (before, events) = (entry.fields.dropLast(), branches)
    }
    let created = events.map(Self.creation)
    var kinds = Set(created.compactMap(\.self)).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    // The code of an aggregate has no room for more.
    if kinds.count > Self.kindCapacity { kinds = [] }
    let head = Self.scanner(of: before)
    if head == nil { kinds = [] }
    self.kinds = kinds
    self.head = head
    var branches: [Branch] = []
    for (event, created) in zip(events, created) {
      if let kind = created.flatMap({ kinds.firstIndex(of: $0) }) {
        branches.append(.creation(kind: kind))
      } else {
        branches.append(Self.branch(of: event, kinds))
      }
    }
    self.branches = branches
  }

  static let kindCapacity = 32

  private static func creation(_ event: Schema) -> String? {
    guard case .record(let record) = event else { return nil }
    return record.attributes.first { $0.name == "creates" }?.value.text
  }

  /// The scanner that skips some fields; nil when one of them contains itself indirectly.
  private static func scanner(of fields: [Schema.Field]) -> ValueScanner? {
    try? ValueScanner(.record(Schema.Record(name: "Head", fields: fields)))
  }

  private static func branch(of event: Schema, _ kinds: [String]) -> Branch {
    guard case .record(let record) = event else { return .nothing }
    for (index, field) in record.fields.enumerated() {
      guard case .primitive(.int, let annotations) = field.schema,
        let kind = annotations.logicalType.flatMap({ kinds.firstIndex(of: $0) })
      else { continue }
      guard index > 0 else { return .number(kind: kind, behind: nil) }
      guard let behind = scanner(of: Array(record.fields[..<index])) else { return .nothing }
      return .number(kind: kind, behind: behind)
    }
    return .nothing
  }

  /// The subject of the entry whose bytes begin here; nil for numbers below 1.
  ///
  /// - Throws: ``AvroError`` when the bytes are no entry.
  func subject(of bytes: RawSpan) throws(AvroError) -> Subject? {
    guard !kinds.isEmpty, let head else { return nil }
    var reader = BinaryReader(bytes)
    try head.scan(over: &reader)
    let branch = try reader.takeLong()
    guard branch >= 0, branch < Int64(branches.count) else {
      throw .unknownBranch(Int(truncatingIfNeeded: branch))
    }
    switch branches[Int(branch)] {
    case .nothing: return nil
    case .creation(let kind): return .next(kind: kind)
    case .number(let kind, let behind):
      if let behind { try behind.scan(over: &reader) }
      let number = try reader.takeInt()
      return number < 1 ? nil : .number(kind: kind, number)
    }
  }
}
