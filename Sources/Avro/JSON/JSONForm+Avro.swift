extension JSONForm where Self: CaseIterable & RawRepresentable, RawValue == String {
  /// "one of" the symbols.
  public static var jsonWords: String {
    "one of \(allCases.map(\.rawValue).joined(separator: ", "))"
  }
  /// The symbols.
  public static var jsonSchema: JSON { ["enum": .array(allCases.map { .string($0.rawValue) })] }
  /// The first two symbols.
  public static var examples: (Self, Self) {
    let first = allCases[allCases.startIndex]
    return (first, allCases.dropFirst().first ?? first)
  }
}

extension AvroEnumeration {
  /// Reads a symbol.
  ///
  /// - Throws: ``JSONFault/form`` for anything else.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    guard let value = json.text.flatMap(Self.init(rawValue:)) else { throw .form }
    self = value
  }
  /// The symbol.
  public func json(_ keys: some EntityKeys) -> JSON { .string(rawValue) }
}

extension AvroRecord {
  /// "an object of" the fields.
  public static var jsonWords: String {
    "an object of \(FieldForms.of(Self.self).names.joined(separator: ", "))"
  }

  /// An object of the fields, all required except those that accept null.
  public static var jsonSchema: JSON { FieldForms.of(Self.self).schema }

  /// Records made of the examples of the fields.
  public static var examples: (Self, Self) {
    RecordsInWork.entering(Self.self, orElse: (placeholder, placeholder)) {
      var (first, second) = (placeholder, placeholder)
      var filler = ExampleFiller(isFirst: true)
      first.visitFields(&filler)
      filler = ExampleFiller(isFirst: false)
      second.visitFields(&filler)
      return (first, second)
    }
  }

  /// Reads an object with the record's fields and no others.
  ///
  /// - Throws: ``JSONFault``.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    guard let members = json.members else { throw .form }
    var reader = FieldFormReader(members: members, keys: keys)
    self = Self.placeholder
    try visitFields(&reader)
    guard reader.usedCount == members.count else { throw .form }
  }

  /// An object of the record's fields.
  public func json(_ keys: some EntityKeys) -> JSON {
    var writer = FieldFormWriter(keys: keys)
    var record = self
    record.visitFields(&writer)
    return .object(writer.members)
  }
}

extension [FieldNote] {
  /// The name of a field in JSON.
  public func column(_ name: StaticString) -> String {
    for case .column(let column) in self { return column }
    return "\(name)"
  }
}

private struct FieldFormReader<Keys: EntityKeys>: FieldVisitor {
  let members: [JSON.Member]
  let keys: Keys
  var usedCount = 0

  mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) throws(JSONFault) {
    let name = notes().column(name)
    guard let member = members.first(where: { $0.name == name }) else {
      guard Value.takesNull else { throw .form }
      return value = try Value(json: .null, keys)
    }
    usedCount += 1
    value = try Value(json: member.value, keys)
  }
}

private struct FieldFormWriter<Keys: EntityKeys>: FieldVisitor {
  let keys: Keys
  var members: [JSON.Member] = []

  mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    members.append(.init(notes().column(name), value.json(keys)))
  }
}

private struct FieldForms: FieldVisitor {
  var properties: [JSON.Member] = []
  var needed: [String] = []
  var names: [String] { properties.map(\.name) }

  var schema: JSON {
    .object([
      .init("type", "object"), .init("properties", .object(properties)),
      .init("required", .array(needed.map { .string($0) })), .init("additionalProperties", false),
    ])
  }

  static func of<Record: AvroRecord>(_ type: Record.Type) -> FieldForms {
    RecordsInWork.entering(type, orElse: FieldForms()) {
      var forms = FieldForms()
      var record = type.placeholder
      record.visitFields(&forms)
      return forms
    }
  }

  mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    let name = notes().column(name)
    properties.append(.init(name, Value.jsonSchema))
    if !Value.takesNull { needed.append(name) }
  }
}

/// The records being described, each inside the previous one: a record that contains itself is described
/// once.
private enum RecordsInWork {
  @TaskLocal private static var types: Set<ObjectIdentifier> = []

  static func entering<Result>(
    _ type: any AvroRecord.Type, orElse within: Result, _ body: () -> Result
  ) -> Result {
    let identity = ObjectIdentifier(type)
    guard !types.contains(identity) else { return within }
    return $types.withValue(types.union([identity]), operation: body)
  }
}

/// Fills the fields of a record with example values.
public struct ExampleFiller: FieldVisitor {
  /// Whether to use the first examples.
  let isFirst: Bool

  public init(isFirst: Bool) { self.isFirst = isFirst }

  /// Fills one field.
  public mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    value = isFirst ? Value.examples.0 : Value.examples.1
  }
}

extension Indirect {
  /// The words of the wrapped type.
  public static var jsonWords: String { Value.jsonWords }
  /// The schema of the wrapped type.
  public static var jsonSchema: JSON { Value.jsonSchema }
  /// Whether the wrapped type accepts null.
  public static var takesNull: Bool { Value.takesNull }
  /// The examples of the wrapped type.
  public static var examples: (Indirect, Indirect) {
    (Indirect(Value.examples.0), Indirect(Value.examples.1))
  }
  /// Reads the value.
  ///
  /// - Throws: ``JSONFault``.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    self.init(try Value(json: json, keys))
  }
  /// The JSON of the value.
  public func json(_ keys: some EntityKeys) -> JSON { value.json(keys) }
}
