import Avro
import Daybook
import DaybookStore
import PropertyTesting
import Testing

/// A book with an entity of every kind, and random commands and questions about it.
struct ColumnStage: Sendable {
  let state: BookState
  let reader: BookReader
  let actor: Account.ID?
  /// An account that shares nothing with any other.
  let stranger: Account.ID
  private let keys: [String: [Key]]

  init() throws {
    let book = try EveryEvent.book()
    stranger = try book.record(CreateAccount(key: Menu.key(1, 999), timeZone: "UTC"))
    reader = book.reader
    let state = book.read { $0 }
    self.state = state
    let actor = state.accounts.number(of: ExchangeWorld.ada)
    self.actor = actor
    var keys: [String: [Key]] = [:]
    for kind in EntityKind.allCases {
      let table = state.table(of: kind)
      keys[kind.word] = (0..<table.count).compactMap { table.entity(Int32($0 + 1))?.key }
    }
    // Lines of grocery lists are not entities: a list's household determines who sees them.
    keys["grocery item"] = state.lists.elements.flatMap { list in
      let isSeen = actor.map { state.household(list.household, for: $0) != nil } ?? false
      return isSeen ? list.items.filter { $0.status != .removed }.map(\.key) : []
    }
    self.keys = keys
  }

  func schema(_ name: String) throws -> JSON {
    try #require(Request.columnTypes.first { $0.form.name == name }).schema
  }

  func read(_ json: JSON) throws -> Request {
    try Request(json, state, actor: actor, hashing: { IdentityHash(padding: $0.utf8) })
  }

  /// Random commands or questions that follow their schema.
  func sent(_ schema: JSON) -> Generator<JSON> {
    let needed = (schema["required"]?.elements ?? []).compactMap(\.text)
    let columns = schema["properties"]?.members ?? []
    return Generator { source in
      var members: [JSON.Member] = []
      for column in columns {
        guard try needed.contains(column.name) || source.draw(.bool()) else { continue }
        members.append(.init(column.name, try source.draw(value(column.value))))
      }
      // If one of two columns is required, the first one is added.
      if let either = schema["anyOf"]?.elements?.first?["required"]?.elements?.first?.text,
        schemaFault(of: .object(members), schema) != nil
      {
        members.removeAll { $0.name == either }
        let column = schema["properties"]?[either] ?? true
        members.append(.init(either, try source.draw(value(type: "string", column))))
      }
      return .object(members)
    }
  }

  /// Random commands or questions that follow their schema and whose columns fit together, so that `read` accepts
  /// them.
  func sent(
    _ schema: JSON, read: @escaping @Sendable (JSON) throws -> Void
  ) -> Generator<JSON> {
    sent(schema).filter("several columns at odds") { json in
      guard schemaFault(of: json, schema) == nil else { return false }
      do { try read(json) } catch let rejection as Rejection {
        // A schema of one column cannot express a constraint on several columns.
        guard rejection.field.map({ schema["properties"]?[$0] != nil }) ?? true else {
          throw Falsified("\(json.encoded): \(rejection)")
        }
        return false
      }
      return true
    }
  }

  /// Such commands or questions with one column that violates the schema, is missing or is unknown.
  func broken(
    _ schema: JSON, read: @escaping @Sendable (JSON) throws -> Void
  ) -> Generator<(json: JSON, column: String)> {
    let columns = (schema["properties"]?.members ?? []).map(\.name).filter {
      !["do", "ask"].contains($0)
    }
    let wrong: [JSON] = [
      true, .number("1.5"), .number("-1"), "", "no such", [], [1], ["a": 1], .null,
    ]
    return Generator { source in
      let whole = try source.draw(self.sent(schema, read: read))
      let column = try source.draw(.element(of: columns + ["no_such_column"]))
      let others = (whole.members ?? []).filter { $0.name != column }
      let all = [others] + wrong.map { others + [.init(column, $0)] }
      let faulty = all.map { JSON.object($0) }.filter { schemaFault(of: $0, schema) == column }
      guard !faulty.isEmpty else { throw Discard("the column takes anything") }
      return (try source.draw(.element(of: faulty)), column)
    }
  }

  /// Random values that follow a schema.
  private func value(_ schema: JSON) -> Generator<JSON> {
    if let constant = schema["const"] { return .constant(constant) }
    if let values = schema["enum"]?.elements { return .element(of: values) }
    if let parts = schema["anyOf"]?.elements { return .oneOf(parts.map { value($0) }) }
    if let types = schema["type"]?.elements {
      return .oneOf(types.map { value(type: $0.text ?? "", schema) })
    }
    return value(type: schema["type"]?.text ?? "", schema)
  }

  private func value(type: String, _ schema: JSON) -> Generator<JSON> {
    switch type {
    case "boolean": return Generator<Bool>.bool().map { .bool($0) }
    case "integer":
      let range = (schema["minimum"]?.integer ?? 0)...(schema["maximum"]?.integer ?? 100)
      return Generator<Int>.integer(in: range).map { .number($0) }
    case "number":
      return Generator<Int>.integer(in: 0...20_000).map { thousandths in
        .number("\(thousandths / 1000).\(String(1000 + thousandths % 1000).dropFirst())")
      }
    case "array":
      return value(schema["items"] ?? true).array(count: 0...3).map { .array($0) }
    case "object":
      let members = schema["properties"]?.members ?? []
      return Generator { source in
        .object(try members.map { .init($0.name, try source.draw(value($0.value))) })
      }
    case "string": return text(schema)
    default: return .constant(.null)
    }
  }

  private func text(_ schema: JSON) -> Generator<JSON> {
    if let kind = schema["entity"]?.text {
      return .element(of: (keys[kind] ?? []).map { .string($0.description) })
    }
    switch (schema["format"]?.text, schema["pattern"]?.text) {
    case ("uuid"?, _):
      return Generator<Int>.integer(in: 1...9).map {
        .string(Key(high: 0x4000, low: UInt64($0)).description)
      }
    case ("date"?, _): return .element(of: ["2026-01-05", "2026-02-28"])
    case ("date-time"?, _):
      return .element(of: ["2026-01-05T12:00:00Z", "2026-02-28T01:02:03.004Z"])
    case (_, let pattern?): return .element(of: ColumnStage.texts(of: pattern))
    default:
      let least = schema["minLength"]?.integer ?? 0
      return Generator<String>.unicode(count: least...12).map { .string($0) }
    }
  }

  /// Texts that match patterns.
  private static func texts(of pattern: String) -> [JSON] {
    let all: [JSON] = [
      "07:30", "23:59", "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO", "3/2", "1.5", "½",
      .string(String(repeating: "0a", count: 32)), "2026-01-05", "2026-01-05T18:30", "#FF9F1C",
      "0123456789ab", "+44 (20) 7946-0958",
      "2026-01-05T18:30:00.5", "#FF9F1C",
    ]
    return all.filter { schemaFault(of: $0, ["pattern": .string(pattern)]) == nil }
  }
}
