import Values
import Calendar
public import Avro

extension ColumnCommand {
  /// The columns of the command.
  package static var columns: [Column] { ColumnList.columns(of: Self.self) }

  /// The JSON Schema (draft 2020-12) of the command.
  package static var schema: JSON {
    JSON.objectSchema(
      "do", form.name, form.summary, columns, Request.commonColumns, answer: form.answer)
  }
}

extension JSON {
  /// The JSON Schema (draft 2020-12) of an object that is sent to a book.
  ///
  /// - Parameters:
  ///   - verb: The member that names it: "do".
  ///   - name: The name of the command or query.
  ///   - summary: The purpose.
  ///   - own: Its own columns.
  ///   - common: The columns that all have; one is left out if it has an own column with that name.
  ///   - answer: The answer.
  /// - Returns: The schema.
  package static func objectSchema(
    _ verb: String, _ name: String, _ summary: String, _ own: [Column], _ common: [Column],
    answer: String
  ) -> JSON {
    let common = common.filter { common in !own.contains { $0.name == common.name } }
    let members: [JSON.Member] = [
      .init("description", .string(summary)), .init("type", "object"),
      .init(
        "properties",
        .object(
          [.init(verb, ["const": .string(name)])]
            + (own + common).map { .init($0.name, $0.described) })),
      .init(
        "required",
        .array(([verb] + (own + common).filter(\.isNeeded).map(\.name)).map { .string($0) })),
      .init("additionalProperties", false), .init("answer", .string(answer)),
    ]
    return .object(members + own.compactMap(\.alternatives))
  }

  /// The JSON Schema (draft 2020-12) of a row with some columns.
  package static func rowSchema(_ columns: [Column]) -> JSON {
    [
      "type": "object",
      "properties": .object(columns.map { .init($0.name, $0.described) }),
      "required": .array(columns.filter(\.isNeeded).map { .string($0.name) }),
      "additionalProperties": false,
    ]
  }
}

extension Column {
  /// The condition that this column or another is required.
  fileprivate var alternatives: JSON.Member? {
    guard let orElse else { return nil }
    let either = [name, orElse].map { name -> JSON in
      ["required": [.string(name)], "properties": .object([.init(name, ["type": "string"])])]
    }
    return JSON.Member("anyOf", .array(either))
  }
}

extension Request {
  /// The columns that every command has besides its own.
  package static let commonColumns = [
    Column("as", Account.ID?.self, "who asks"),
    Column("at", Instant?.self, "the book's clock; the machine's unless given"),
    Column(
      "id", Key?.self,
      "an idempotency key: a command sent again with the same key is not carried out again"),
  ]

  /// The commands whose form is derived from their columns, by name.
  package static let columnTypes: [any ColumnCommand.Type] =
    names.compactMap { types[$0] }

  /// The JSON Schema (draft 2020-12) of all commands.
  public static var schema: JSON {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Daybook's commands",
      "oneOf": .array(columnTypes.map { ["$ref": .string("#/$defs/\($0.form.name)")] }),
      "$defs": .object(columnTypes.map { JSON.Member($0.form.name, $0.schema) }),
    ]
  }
}

extension Column {
  /// The column's schema with its purpose and its default.
  fileprivate var described: JSON {
    var members = schema.members ?? []
    if !doc.isEmpty { members.append(.init("description", .string(doc))) }
    if let usual { members.append(.init("default", usual)) }
    return .object(members)
  }
}

extension Column {
  /// The column's value, in words: "a UUID of a habit", "one of honey, mint, night".
  public var holds: String { Self.words(schema) }

  /// Whether the column accepts null.
  public var takesNull: Bool { Self.takesNull(schema) }

  private static func takesNull(_ schema: JSON) -> Bool {
    schema["type"] == "null" || schema["type"]?.elements?.contains("null") == true
      || schema["enum"]?.elements?.contains(.null) == true
      || schema["anyOf"]?.elements?.contains(where: takesNull) == true
  }

  private static func words(_ schema: JSON) -> String {
    if let kind = schema["entity"]?.text {
      return "the key of \(kind.first.map { "aeiou".contains($0) } == true ? "an" : "a") \(kind)"
    }
    if let symbols = schema["enum"]?.elements {
      return "one of " + symbols.compactMap(\.text).joined(separator: ", ")
    }
    // That a column may be null is not mentioned.
    if let parts = schema["anyOf"]?.elements {
      return parts.filter { $0["type"] != "null" }.map { words($0) }.joined(separator: ", or ")
    }
    let types =
      schema["type"]?.text.map { [$0] } ?? schema["type"]?.elements?.compactMap(\.text) ?? []
    return types.filter { $0 != "null" }.map { type in
      switch (type, schema["format"]?.text) {
      case ("string", "uuid"?): return "a UUID"
      case ("string", "date"?): return "a day"
      case ("string", "date-time"?): return "a time"
      case ("array", _):
        return "a list, each item \(schema["items"].map { words($0) } ?? "anything")"
      case ("object", _):
        let names = (schema["properties"]?.members ?? []).map(\.name)
        return names.isEmpty ? "an object" : "an object of \(names.joined(separator: ", "))"
      case ("integer", _): return "a whole number" + range(schema)
      case ("number", _): return "a number" + range(schema)
      case ("boolean", _): return "true or false"
      default: return "a string"
      }
    }.joined(separator: ", or ")
  }

  private static func range(_ schema: JSON) -> String {
    guard case .number(let least)? = schema["minimum"], case .number(let most)? = schema["maximum"]
    else { return "" }
    return ", \(least) … \(most)"
  }
}

extension Request {
  /// The columns of the command with a name; nothing when there is no such command.
  package static func columns(of name: String) -> [Column]? { types[name]?.columns }
}
