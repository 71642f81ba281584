import Avro
import Catalogue
import Daybook
import DaybookStore
import HTTPTypes
import Values
import Wire

extension ClientAPI {
  /// Answers with the API's description, which changes only with the program.
  func describe(_ request: WireRequest) -> WireResponse {
    let description = tools == nil ? OpenAPI.plain : OpenAPI.withTools
    var headers: HTTPFields = [.cacheControl: "no-cache"]
    headers[.eTag] = description.tag
    guard !request.headers.matches(description.tag) else {
      return WireResponse(.notModified, headers: headers)
    }
    headers[.contentType] = "application/json; charset=utf-8"
    return WireResponse(.ok, headers: headers, body: description.text)
  }
}

/// The API's description as OpenAPI 3.1, generated from the columns by which commands and questions are read.
struct OpenAPI {
  /// The description where no assistants are served.
  static let plain = OpenAPI(withTools: false)
  /// The description with the path for assistants.
  static let withTools = OpenAPI(withTools: true)

  let json: JSON
  let text: [UInt8]
  /// The description's entity tag.
  let tag: String

  private init(withTools: Bool) {
    json = Self.json(withTools: withTools)
    let encoded = json.encoded
    text = Array(encoded.utf8)
    tag = "\"\(Key(derivedFrom: ["openapi", encoded]))\""
  }

  private static func json(withTools: Bool) -> JSON {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "Daybook", "version": "1",
        "description":
          "Commands, questions and events of the account that is signed in. No other account can be named.",
        "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
      ],
      "servers": [["url": "/v1"]],
      "security": [["bearer": []]],
      "tags": [
        ["name": "commands", "description": "Changes to the book."],
        ["name": "questions", "description": "Answers from the book."],
        ["name": "events", "description": "Events, as they happen."],
        ["name": "data", "description": "Exports and imports."],
        ["name": "tokens", "description": "Personal tokens, where the server offers them."],
        ["name": "assistants", "description": "Tools for assistants, where they are served."],
      ],
      "paths": .object(paths + (withTools ? [.init("/mcp", ["post": toolsPath])] : [])),
      "components": [
        "securitySchemes": [
          "bearer": ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"]
        ],
        "schemas": .object(schemas),
        "responses": .object(responses),
        "headers": [
          "ETag": [
            "description":
              "Identifies the answer; absent if the clock alone may change it at any moment.",
            "schema": ["type": "string"],
          ]
        ],
      ],
    ]
  }

  // MARK: What is sent and answered

  private static var schemas: [JSON.Member] {
    let described =
      Catalogue.accountCommands.map {
        JSON.Member("command.\($0.form.name)", $0.schema.ofAccount(without: ["as", "at"]))
      }
      + Catalogue.accountQuestions.map {
        JSON.Member("question.\($0.form.name)", $0.schema.ofAccount(without: ["as"]))
      }
      + BookState.tableColumns.map { JSON.Member("row.\($0.name)", .rowSchema($0.columns)) }
    return [
      .init("Command", oneOf("command", "do", Catalogue.accountCommands.map { $0.form.name })),
      .init("Question", oneOf("question", "ask", Catalogue.accountQuestions.map { $0.form.name })),
      .init(
        "CommandAnswer",
        [
          "type": "object", "required": ["position"],
          "anyOf": [["required": ["ok", "last_position", "changed"]], ["required": ["error"]]],
          "properties": [
            "ok": [
              "description":
                "The row, as the command left it: `row.habits` and so on, or `id` and `deleted`; a command that answers otherwise says so."
            ],
            "error": [
              "type": "object",
              "description":
                "Instead of the row, if the command was carried out before and the account may no longer see its result.",
            ],
            "position": [
              "type": "integer", "minimum": 0, "description": "The position of its first entry.",
            ],
            "last_position": [
              "type": "integer", "minimum": 0, "description": "The position of its last entry.",
            ],
            "changed": ["type": "boolean", "description": "Whether anything was recorded."],
          ],
        ]),
      .init(
        "QuestionAnswer",
        [
          "type": "object", "required": ["ok"],
          "properties": ["ok": ["description": "The answer, as the question describes it."]],
        ]),
      .init("Error", errorSchema),
    ] + syncSchemas + tokenSchemas + described
  }

  private static func oneOf(_ prefix: String, _ verb: String, _ names: [String]) -> JSON {
    [
      "oneOf": .array(names.map { ["$ref": .string("#/components/schemas/\(prefix).\($0)")] }),
      "discriminator": [
        "propertyName": .string(verb),
        "mapping": .object(
          names.map { .init($0, .string("#/components/schemas/\(prefix).\($0)")) }),
      ],
    ]
  }

  private static let errorSchema: JSON = [
    "type": "object", "required": ["error"],
    "properties": [
      "error": [
        "type": "object", "required": ["code", "message"],
        "properties": [
          "code": [
            "type": "string", "pattern": "^[a-z][a-z0-9_]*$",
            "description": "For programs; its meaning never changes.",
          ],
          "message": ["type": "string", "description": "For people."],
          "field": ["type": "string", "description": "The name of the field at fault."],
          "index": [
            "type": "integer", "minimum": 0,
            "description": "Which command of a batch is refused, from 0.",
          ],
        ],
      ],
      "position": [
        "type": "integer",
        "description":
          "The position of a command that was carried out before, whose answer is not repeated.",
      ],
    ],
  ]

  // MARK: Refusals

  private static var responses: [JSON.Member] {
    Refusal.allCases.map { refusal in
      let (code, message) = refusal.example
      let example: JSON = ["error": ["code": .string(code), "message": .string(message)]]
      return JSON.Member(
        refusal.rawValue,
        [
          "description": .string(refusal.words),
          "content": [
            "application/json": [
              "schema": ["$ref": "#/components/schemas/Error"], "example": example,
            ]
          ],
        ])
    }
  }
}

extension JSON {
  /// The schema as an account may use it: without the fields that it may not set.
  fileprivate func ofAccount(without fields: Set<String>) -> JSON {
    .object(
      (withoutFields(fields).members ?? []).map { member in
        member.name == "answer" ? .init("x-answer", member.value) : member
      })
  }
}
