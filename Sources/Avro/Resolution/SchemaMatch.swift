/// Decides which types of a writer's and a reader's schema correspond (Avro specification 1.12, "Schema
/// Resolution" and "Aliases").
struct SchemaMatch: Sendable {
  let writer: NamedTypes
  let reader: NamedTypes
  /// The reader's names of types that the writer knows by an older name.
  private var renamed: [String: String] = [:]

  init(from writer: Schema, to reader: Schema) {
    self.writer = NamedTypes(of: writer)
    self.reader = NamedTypes(of: reader)
    for (name, type) in self.reader.types where self.writer.types[name] == nil {
      for alias in type.aliases where self.writer.types[alias] != nil {
        // If two types share an alias, the first by name counts, so that the answer does not depend on
        // hashing.
        renamed[alias] = min(name, renamed[alias] ?? name)
      }
    }
  }

  /// Whether a type is the same in both schemas, so that any difference is in its parts.
  private func isSame(_ written: Schema, _ read: Schema) -> Bool {
    switch (written, read) {
    case (.primitive(let one, _), .primitive(let other, _)): one == other
    case (.array, .array), (.map, .map): fits(written, read)
    default:
      written.name.map { renamed[$0] ?? $0 } == read.name && fits(written, read)
    }
  }

  /// Whether two types match by the specification's rules, regardless of their parts.
  func fits(_ written: Schema, _ read: Schema) -> Bool {
    guard let written = try? writer.definition(of: written),
      let read = try? reader.definition(of: read)
    else { return false }
    switch (written, read) {
    case (.union, _), (_, .union): return true
    case (.array(let one, _), .array(let other, _)), (.map(let one, _), .map(let other, _)):
      return fits(one, other)
    case (.primitive(let one, _), .primitive(let other, _)):
      return one == other || Promotion(from: one, to: other) != nil
        || Self.haveSameBytes(one, other)
    case (.fixed(let one), .fixed(let other)):
      return one.byteCount == other.byteCount && isNamedAlike(one.name, other.name)
    case (.enumeration(let one), .enumeration(let other)):
      return isNamedAlike(one.name, other.name)
    case (.record(let one), .record(let other)): return isNamedAlike(one.name, other.name)
    default: return false
    }
  }

  /// Whether both types encode a value as the same bytes.
  static func haveSameBytes(_ written: Schema.Primitive, _ read: Schema.Primitive) -> Bool {
    switch (written, read) {
    case (.int, .long), (.string, .bytes), (.bytes, .string): true
    default: written == read
    }
  }

  private func isNamedAlike(_ written: String, _ read: String) -> Bool {
    if written == read { return true }
    if renamed[written] == read { return true }
    let hasNamespace =
      written.utf8.contains(UInt8(ascii: ".")) || read.utf8.contains(UInt8(ascii: "."))
    return hasNamespace && Self.simple(written) == Self.simple(read)
  }

  private static func simple(_ name: String) -> Substring {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? name[...]
  }

  /// The branch of a reader's union for a type: the same type if there is one, else the first that fits.
  func branch(of branches: [Schema], for written: Schema) -> Int? {
    branches.firstIndex { isSame(written, $0) } ?? branches.firstIndex { fits(written, $0) }
  }

  /// The index of the written field for each field of a reader's record, among fields with these names.
  ///
  /// An alias takes precedence over a field that reused the old name, but only for writers that do not know
  /// the new name.
  static func sources(of read: Schema.Record, among names: [String]) -> [Int?] {
    var numbers: [String: Int] = [:]
    for (number, name) in names.enumerated() { numbers[name] = number }
    let known = Set(numbers.keys)
    var sources = [Int?](repeating: nil, count: read.fields.count)
    for (place, field) in read.fields.enumerated() where !known.contains(field.name) {
      guard let alias = field.aliases.first(where: { numbers[$0] != nil }) else { continue }
      sources[place] = numbers.removeValue(forKey: alias)
    }
    for (place, field) in read.fields.enumerated() where sources[place] == nil {
      sources[place] = numbers[field.name]
    }
    return sources
  }
}

extension Promotion {
  /// Makes the promotion from one number type to another with a different encoding; `nil` if there is none.
  init?(from written: Schema.Primitive, to read: Schema.Primitive) {
    switch (written, read) {
    case (.int, .float): self = .intToFloat
    case (.int, .double): self = .intToDouble
    case (.long, .float): self = .longToFloat
    case (.long, .double): self = .longToDouble
    case (.float, .double): self = .floatToDouble
    default: return nil
    }
  }
}
