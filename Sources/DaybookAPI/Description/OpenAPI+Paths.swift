import Avro
import Catalogue
import Daybook
import DaybookStore
import HTTPTypes

extension OpenAPI {
  static var paths: [JSON.Member] {
    [
      .init("/commands", ["post": commandsPath]),
      .init("/ask", ["post": questionsPath]),
      .init("/events", ["get": eventsPath]),
      .init("/sync", ["post": syncPath]),
      .init("/export/{format}", ["get": exportPath]),
      .init("/import/{format}", ["post": importPath]),
      .init("/tokens", tokensPath),
      .init("/tokens/{id}", tokenPath),
      .init("/openapi.json", ["get": descriptionPath]),
    ]
      + Catalogue.accountQuestions.compactMap { type in
        path(of: type.form, type.columns).map { .init("/ask/\(type.form.name)", ["get": $0]) }
      }
  }

  // MARK: Commands

  private static let commandsPath: JSON = [
    "operationId": "apply", "tags": ["commands"],
    "summary":
      "Carries out a command, a batch of them (all or none), or lines of them (each by itself).",
    "parameters": [
      [
        "name": "Idempotency-Key", "in": "header", "schema": ["type": "string", "format": "uuid"],
        "description":
          "A request repeated with the same key is not carried out again. Each of several commands gets its own key, made of it.",
      ]
    ],
    "requestBody": [
      "required": true,
      "content": [
        "application/json": [
          "schema": [
            "anyOf": [
              ["$ref": "#/components/schemas/Command"],
              [
                "type": "array", "maxItems": .number(ClientAPI.batchCount),
                "items": ["$ref": "#/components/schemas/Command"],
              ],
            ]
          ],
          "examples": [
            "command": ["summary": "One command", "value": logging],
            "batch": ["summary": "All or none", "value": [creation, logging]],
          ],
        ],
        "application/jsonl": [
          "schema": [
            "type": "string",
            "description": .string(
              "A command a line: " + creation.encoded + "\n" + logging.encoded + "\n"),
          ]
        ],
      ],
    ],
    "responses": .object(
      [
        .init(
          "200",
          [
            "description":
              "The result. For lines, an answer to each, refusals included.",
            "content": [
              "application/json": [
                "schema": [
                  "anyOf": [
                    ["$ref": "#/components/schemas/CommandAnswer"],
                    ["type": "array", "items": ["$ref": "#/components/schemas/CommandAnswer"]],
                  ]
                ]
              ],
              "application/jsonl": ["schema": ["type": "string"]],
            ],
          ])
      ]
        + refusals([
          .malformed, .notSignedIn, .forbidden, .notFound, .conflict, .tooLong, .tooMany,
          .wrongType, .invalid, .unavailable,
        ])),
  ]

  private static let creation: JSON = [
    "do": "create_habit", "key": "0195b3a0-0000-7000-8000-000000000001", "name": "Read",
  ]
  private static let logging: JSON = [
    "do": "log_habit", "habit": "0195b3a0-0000-7000-8000-000000000001", "value": 1,
  ]

  // MARK: Questions

  private static let questionsPath: JSON = [
    "operationId": "ask", "tags": ["questions"], "summary": "Answers a question.",
    "requestBody": [
      "required": true,
      "content": [
        "application/json": [
          "schema": ["$ref": "#/components/schemas/Question"],
          "examples": ["streaks": ["value": ["ask": "streaks"]]],
        ]
      ],
    ],
    "responses": .object([answer([])] + refusals(asking + [.tooLong, .tooMany, .wrongType])),
  ]

  /// The path of a question; `nil` if it needs a field that only JSON can express.
  private static func path(of form: QuestionForm, _ columns: [Column]) -> JSON? {
    let all = (columns + form.commonColumns).filter { $0.name != "as" }
    let plain = all.compactMap { column in column.schema.plain.map { (column, $0) } }
    let isWhole = all.allSatisfy { column in
      !column.isNeeded || plain.contains { $0.0.name == column.name }
    }
    guard isWhole else { return nil }
    let known: JSON = [
      "name": "If-None-Match", "in": "header", "schema": ["type": "string"],
      "description": "The ETag of an answer that the client already has.",
    ]
    return [
      "operationId": .string("ask_\(form.name)"), "tags": ["questions"],
      "summary": .string(form.summary), "description": .string("Answers: \(form.answer)."),
      "parameters": .array(plain.map { parameter($0.0, $0.1) } + [known]),
      "responses": .object(
        [
          answer([
            .init("headers", ["ETag": ["$ref": "#/components/headers/ETag"]])
          ]),
          .init("304", ["description": "The answer has not changed."]),
        ] + refusals(asking + [.tooLong, .tooMany])),
    ]
  }

  private static func parameter(_ column: Column, _ schema: JSON) -> JSON {
    var members: [JSON.Member] = [
      .init("name", .string(column.name)), .init("in", "query"),
      .init("required", .bool(column.isNeeded)), .init("schema", schema),
    ]
    if !column.doc.isEmpty { members.append(.init("description", .string(column.doc))) }
    return .object(members)
  }

  private static let asking: [Refusal] = [
    .malformed, .notSignedIn, .forbidden, .notFound, .conflict, .invalid, .unavailable,
  ]

  private static func answer(_ more: [JSON.Member]) -> JSON.Member {
    .init(
      "200",
      .object(
        [
          .init("description", "The answer."),
          .init(
            "content",
            ["application/json": ["schema": ["$ref": "#/components/schemas/QuestionAnswer"]]]),
        ] + more))
  }

  // MARK: Events and the description

  private static let eventsPath: JSON = [
    "operationId": "events", "tags": ["events"],
    "summary":
      "Streams past and new events: the account's own, its hives' while it is a member, its households'.",
    "parameters": [
      [
        "name": "after", "in": "query", "description": "After this position; all unless given.",
        "schema": ["type": "integer", "minimum": 0],
      ],
      [
        "name": "Last-Event-ID", "in": "header",
        "description": "Like `after`, which it overrides: where a connection was lost.",
        "schema": ["type": "integer", "minimum": 0],
      ],
    ],
    "responses": .object(
      [
        .init(
          "200",
          [
            "description":
              "Server-sent events: `id` is the position, `event` the name, `data` an entry as `daybook export` has it.",
            "content": ["text/event-stream": ["schema": ["type": "string"]]],
          ])
      ]
        + refusals([
          .malformed, .notSignedIn, .notFound, .notStreamed, .tooLong, .tooMany, .unavailable,
        ])),
  ]

  private static let descriptionPath: JSON = [
    "operationId": "describe", "summary": "Describes this API.", "security": [],
    "responses": [
      "200": [
        "description": "This document.",
        "content": ["application/json": ["schema": ["type": "object"]]],
      ],
      "304": ["description": "The document has not changed."],
    ],
  ]

  /// The refusals of an operation by their statuses, with those that any request can get.
  static func refusals(_ own: [Refusal]) -> [JSON.Member] {
    (own + [.targetTooLong, .headTooLong]).sorted { $0.status.code < $1.status.code }.map {
      .init(String($0.status.code), ["$ref": .string("#/components/responses/\($0.rawValue)")])
    }
  }
}

extension JSON {
  /// The schema of the values that a query can express: without null, and without objects. `nil` if no value is
  /// left.
  fileprivate var plain: JSON? {
    guard let members else { return self }
    if let parts = self["anyOf"]?.elements {
      let left = parts.compactMap(\.plain)
      let others = members.filter { $0.name != "anyOf" }
      guard let first = left.first else { return nil }
      if left.count > 1 { return .object([.init("anyOf", .array(left))] + others) }
      return .object((first.members ?? []) + others)
    }
    let types = self["type"]?.elements?.filter { $0 != "null" } ?? self["type"].map { [$0] } ?? []
    if types.contains("object") || types == ["null"] { return nil }
    if types.contains("array"), self["items"]?.plain == nil { return nil }
    return .object(
      members.map { member in
        guard member.name == "type", let only = types.first, types.count == 1 else { return member }
        return .init("type", only)
      })
  }
}
