import Avro

/// Tells what entries are about, by their schema alone: which thing of which kind each touches.
///
/// The last field of an entry is a union of events. One that says `"creates": KIND` makes the next thing of that kind;
/// any other is about what its first field of a kind's logical type numbers. The kinds are those that some event
/// creates. Entries of other shapes are about nothing.
struct AggregateScanner: Sendable {
  /// What an entry is about.
  enum Subject: Hashable {
    /// The thing of a kind, by its place among the kinds, and its number.
    case number(kind: Int, Int32)
    /// The next one of a kind.
    case next(kind: Int)
  }

  private enum Branch: Sendable {
    case nothing
    case creation(kind: Int)
    /// The number comes behind some other fields.
    case number(kind: Int, behind: ValueScanner?)
  }

  /// The kinds of things, by the names of their numbers, in the order of their bytes.
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
    // The code of an aggregate has room for no more.
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

  /// What passes over some fields; nothing when one of them encloses itself outside of them.
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

  /// What the entry is about whose bytes begin here; numbers below 1 are of nothing.
  ///
  /// - Throws: ``AvroError`` when the bytes are no entry.
  func subject(of bytes: RawSpan) throws(AvroError) -> Subject? {
    guard !kinds.isEmpty, let head else { return nil }
    var reader = BinaryReader(bytes)
    try head.pass(over: &reader)
    let branch = try reader.takeLong()
    guard branch >= 0, branch < Int64(branches.count) else {
      throw .unknownBranch(Int(truncatingIfNeeded: branch))
    }
    switch branches[Int(branch)] {
    case .nothing: return nil
    case .creation(let kind): return .next(kind: kind)
    case .number(let kind, let behind):
      if let behind { try behind.pass(over: &reader) }
      let number = try reader.takeInt()
      return number < 1 ? nil : .number(kind: kind, number)
    }
  }
}
