import Avro
import DaybookStore

// The path by which devices send what waits, and get what is new.
extension OpenAPI {
  static let syncPath: JSON = [
    "operationId": "sync", "tags": ["data"],
    "summary": "Carries out a device's commands, and answers with what it does not have.",
    "description":
      "Commands are carried out in their order, each once under its id; one that is refused does not stop those after it, except one whose `p_at` is after the book's clock. The entries are the lines of the account's export, in order; a device that has all of them has the same cursor as the server.",
    "requestBody": [
      "required": true,
      "content": [
        "application/json": [
          "schema": ["$ref": "#/components/schemas/SyncRequest"],
          "examples": ["first": ["value": [:]]],
        ]
      ],
    ],
    "responses": .object(
      [
        .init(
          "200",
          [
            "description": "What became of the commands, and the next lines.",
            "content": [
              "application/json": [
                "schema": [
                  "type": "object", "required": ["ok"],
                  "properties": ["ok": ["$ref": "#/components/schemas/SyncAnswer"]],
                ]
              ]
            ],
          ])
      ]
        + refusals([
          .malformed, .notSignedIn, .notFound, .tooLong, .tooMany, .wrongType, .invalid,
          .unavailable,
        ])),
  ]

  /// The schemas of what is sent and answered.
  static let syncSchemas: [JSON.Member] = [
    .init(
      "SyncRequest",
      [
        "type": "object", "additionalProperties": false,
        "properties": [
          "account": [
            "type": ["string", "null"], "format": "uuid",
            "description":
              "The account whose commands these are, needed with commands. If it is not the one that signed in, none is carried out.",
          ],
          "scope": [
            "type": ["string", "null"],
            "description": "The scope of the lines that the device has; absent without lines.",
          ],
          "cursor": cursorSchema,
          "last": [
            "type": ["string", "null"], "format": "uuid",
            "description":
              "The id of the account's last command that the device has seen recorded. If the scope is another one and the book does not know this command, they diverge.",
          ],
          "commands": [
            "type": ["array", "null"], "maxItems": .number(SyncRequest.commandCount),
            "description":
              "The commands that wait, each with an id, under which it is carried out once.",
            "items": ["$ref": "#/components/schemas/Command"],
          ],
          "limit": [
            "type": ["integer", "null"], "minimum": 1, "maximum": .number(SyncRequest.lineCount),
            "description": "The most lines; a command's lines stay together.",
          ],
        ],
      ]),
    .init(
      "SyncAnswer",
      [
        "type": "object",
        "required": [
          "account", "at", "standing", "scope", "outcomes", "lines", "cursor", "more",
        ],
        "properties": [
          "account": ["type": "string", "format": "uuid"],
          "at": [
            "type": "string", "format": "date-time", "description": "The book's clock.",
          ],
          "standing": [
            "enum": ["continues", "rescoped", "diverged", "foreign"],
            "description":
              "Whether the lines continue those of the device. If rescoped, the account sees other things than it did: ask again without scope and cursor. If diverged, the book is not the one that the device knows, and no command was carried out. If foreign, another account signed in than the one whose commands were sent, and none was carried out.",
          ],
          "scope": ["type": "string", "description": "Names what the account sees."],
          "outcomes": [
            "type": "array",
            "description":
              "What became of each command, in their order. They end early after a command whose `p_at` was refused because it is after the book's clock; send those after it again.",
            "items": [
              "type": "object", "required": ["outcome"],
              "properties": [
                "outcome": ["enum": ["recorded", "repeated", "unchanged", "refused"]],
                "code": ["type": "string", "description": "If refused: for programs."],
                "message": ["type": "string", "description": "If refused: for people."],
              ],
            ],
          ],
          "lines": [
            "type": "array", "items": ["type": "string"],
            "description": "The next lines of the account's export.",
          ],
          "cursor": cursorSchema,
          "more": ["type": "boolean", "description": "Whether there are more lines."],
        ],
      ]),
  ]

  private static let cursorSchema: JSON = [
    "type": ["string", "null"], "pattern": "^(0|[1-9][0-9]*)\\.[0-9a-f]{64}$",
    "description":
      "The number of lines, and their digest: SHA-256 of the digest of the lines before (32 bytes; zeros before the first) and the last line's text.",
  ]
}
