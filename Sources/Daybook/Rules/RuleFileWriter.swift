package import Avro
import Calendar
package import Streaks

/// Writes the fields of a rule file; fields of a change that stay as they were are left out.
private struct RuleFieldWriter: RuleFieldVisitor {
  var members: [JSON.Member] = []

  mutating func word<Word: RuleWord>(
    _ name: String, _ value: inout Word?, _ doc: String, isNeeded: Bool
  ) {
    if let value { members.append(.init(name, .string(value.word))) }
  }

  mutating func number(
    _ name: String, _ value: inout Int?, _ bounds: ClosedRange<Int>, _ doc: String, isNeeded: Bool
  ) {
    if let value { members.append(.init(name, .number(value))) }
  }

  mutating func group<Group: RuleGroup>(
    _ name: String, _ value: inout Group?, _ doc: String
  ) throws(Rejection) {
    guard var group = value else { return }
    var writer = RuleFieldWriter()
    try group.visitFields(&writer)
    members.append(.init(name, .object(writer.members)))
  }
}

/// Describes the fields of a rule file.
private struct RuleFieldSchema: RuleFieldVisitor {
  var properties: [JSON.Member] = []
  var needed: [JSON] = []

  mutating func word<Word: RuleWord>(
    _ name: String, _ value: inout Word?, _ doc: String, isNeeded: Bool
  ) {
    add(name, ["enum": .array(Word.words.map { .string($0) })], doc, isNeeded)
  }

  mutating func number(
    _ name: String, _ value: inout Int?, _ bounds: ClosedRange<Int>, _ doc: String, isNeeded: Bool
  ) {
    let schema: JSON = [
      "type": "integer", "minimum": .number(bounds.lowerBound),
      "maximum": .number(bounds.upperBound),
    ]
    add(name, schema, doc, isNeeded)
  }

  mutating func group<Group: RuleGroup>(
    _ name: String, _ value: inout Group?, _ doc: String
  ) throws(Rejection) {
    var (inner, group) = (RuleFieldSchema(), Group.blank)
    // The description of a group's fields does not depend on their values.
    try? group.visitFields(&inner)
    add(name, inner.object, doc, false)
  }

  /// The schema of an object of the fields.
  var object: JSON {
    [
      "type": "object", "properties": .object(properties), "required": .array(needed),
      "additionalProperties": false,
    ]
  }

  mutating func add(_ name: String, _ schema: JSON, _ doc: String, _ isNeeded: Bool) {
    let described = (schema.members ?? []) + [.init("description", .string(doc))]
    // An optional field may be null, as a change uses null to remove a clause.
    properties.append(
      .init(
        name, isNeeded ? .object(described) : ["oneOf": [.object(described), ["type": "null"]]])
    )
    if isNeeded { needed.append(.string(name)) }
  }
}

extension RuleFile {
  /// A rule in its file form: reading it again gives the same rule.
  package static func json(_ rule: RuleDefinition) -> JSON {
    var members: [JSON.Member] = [
      .init("name", .string(rule.id)), .init("version", .number(rule.version)),
      .init("about", .string(rule.about)), .init("base", .string(rule.base.rawValue)),
    ]
    if !rule.holds.isEmpty {
      members.append(.init("holds", .array(rule.holds.map { .string($0.rawValue) })))
    }
    members += fields(rule.stages[0].clauses)
    let changes = rule.stages.indices.dropFirst().map { index -> JSON in
      change(rule.stages[index], after: rule.stages[index - 1].clauses)
    }
    if !changes.isEmpty { members.append(.init("changes", .array(changes))) }
    return .object(members)
  }

  private static func fields(_ clauses: RuleClauses) -> [JSON.Member] {
    var (clauses, writer) = (clauses, RuleFieldWriter())
    // The clauses of a rule hold only what a file can express.
    try? clauses.visitFields(&writer)
    return writer.members
  }

  private static func change(_ stage: RuleDefinition.Stage, after before: RuleClauses) -> JSON {
    let (old, new) = (fields(before), fields(stage.clauses))
    let changed = new.filter { !old.contains($0) }
    let gone = old.filter { member in !new.contains { $0.name == member.name } }
    return .object(
      [.init("from", .string("\(stage.from)"))] + changed + gone.map { .init($0.name, .null) })
  }

  /// The JSON Schema (draft 2020-12) of a rule file.
  package static var schema: JSON {
    let clauses = clauseProperties
    let laws: JSON = ["enum": .array(StreakLaw.words.map { .string($0) })]
    let change: JSON = [
      "type": "object", "required": ["from"], "additionalProperties": false,
      "properties": .object([.init("from", ["type": "string", "format": "date"])] + clauses),
    ]
    let head: [JSON.Member] = [
      .init("$schema", ["type": "string"]),
      .init(
        "name",
        ["type": "string", "pattern": "^[a-z0-9-]{1,64}$", "description": "what it is called"]),
      .init(
        "version",
        [
          "type": "integer", "minimum": 1, "maximum": 1_000_000,
          "description": "raised whenever a history could be judged differently; usually 1",
        ]),
      .init(
        "about",
        [
          "type": "string", "maxLength": .number(maximumAboutLength),
          "description": "what it is for, in a sentence",
        ]),
      .init(
        "base",
        [
          "enum": .array(RuleDefinition.Base.words.map { .string($0) }),
          "description": "who marks the days; usually daybook",
        ]),
      .init(
        "holds",
        ["type": "array", "items": laws, "description": "the laws that it claims to hold"]),
    ]
    let changes: JSON = [
      "type": "array", "maxItems": .number(maximumChangeCount), "items": change,
      "description": "what changes from later days on; null removes a clause",
    ]
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A streak rule",
      "type": "object", "required": ["name"], "additionalProperties": false,
      "properties": .object(head + clauses + [.init("changes", changes)]),
    ]
  }

  private static var clauseProperties: [JSON.Member] {
    var (schema, clauses) = (RuleFieldSchema(), RuleClauses())
    // The description of the fields does not depend on their values.
    try? clauses.visitFields(&schema)
    return schema.properties
  }
}
