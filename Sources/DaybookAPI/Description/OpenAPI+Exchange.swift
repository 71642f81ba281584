import Avro
import DaybookStore

// The paths for exports and imports.
extension OpenAPI {
  static let exportPath: JSON = [
    "operationId": "export", "tags": ["data"],
    "summary": "Everything of the account, as the program's `export --as` writes it.",
    "parameters": [
      format(["jsonl", "csv"]),
      [
        "name": "as_of", "in": "query", "description": "Only what was recorded until then.",
        "schema": ["type": "string", "format": "date-time"],
      ],
    ],
    "responses": .object(
      [
        .init(
          "200",
          [
            "description": "The export.",
            "content": [
              "application/jsonl": ["schema": ["type": "string"]],
              "text/csv": ["schema": ["type": "string"]],
            ],
          ])
      ] + refusals([.malformed, .notSignedIn, .notFound, .tooLong, .tooMany, .unavailable])),
  ]

  static let importPath: JSON = [
    "operationId": "import", "tags": ["data"],
    "summary":
      "Brings in a file of another program, or says with dry_run what it would bring. What an earlier import brought is left alone.",
    "parameters": [
      format(FileImport.Format.allCases.map { .string($0.rawValue) }),
      [
        "name": "dry_run", "in": "query",
        "description": "Record nothing; say what would be imported.",
        "schema": ["type": "boolean"],
      ],
      [
        "name": "recorded", "in": "query",
        "description": "The times at which a habit's days are recorded.",
        "schema": ["enum": ["now", "as-lived"]],
      ],
      [
        "name": "name", "in": "query", "description": "The file's name, for messages.",
        "schema": ["type": "string"],
      ],
    ],
    "requestBody": [
      "required": true, "content": ["application/octet-stream": ["schema": [:]]],
    ],
    "responses": .object(
      [
        .init(
          "200",
          [
            "description": "What `daybook import` answers with --json.",
            "content": [
              "application/json": ["schema": ["type": "object", "required": ["ok"]]]
            ],
          ])
      ]
        + refusals([
          .malformed, .notSignedIn, .forbidden, .notFound, .conflict, .tooLong, .tooMany, .invalid,
          .unavailable,
        ])),
  ]

  private static func format(_ names: [JSON]) -> JSON {
    [
      "name": "format", "in": "path", "required": true, "schema": ["enum": .array(names)],
    ]
  }
}
