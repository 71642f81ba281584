import Avro

// The paths for personal tokens, which a server offers where its settings say so.
extension OpenAPI {
  static let tokensPath: JSON = [
    "get": [
      "operationId": "tokens", "tags": ["tokens"],
      "summary": "The account's personal tokens, without their secrets.",
      "responses": .object(
        [
          answered(
            "200", "The tokens, the oldest first.",
            ["type": "array", "items": ["$ref": "#/components/schemas/Token"]])
        ] + refusals([.notSignedIn, .notFound, .tooLong, .tooMany, .unavailable])),
    ],
    "post": [
      "operationId": "make_token", "tags": ["tokens"],
      "summary":
        "Makes a personal token. Its secret, or the address of its calendar, is answered this once.",
      "requestBody": [
        "required": true,
        "content": [
          "application/json": [
            "schema": [
              "type": "object", "required": ["name", "scopes"], "additionalProperties": false,
              "properties": [
                "name": [
                  "type": "string", "minLength": 1, "description": "What its owner calls it.",
                ],
                "scopes": scopes,
              ],
            ],
            "examples": [
              "day": ["value": ["name": "Kitchen display", "scopes": ["today"]]],
              "calendar": ["value": ["name": "Phone", "scopes": ["calendar:tasks"]]],
            ],
          ]
        ],
      ],
      "responses": .object(
        [answered("201", "The token.", ["$ref": "#/components/schemas/NewToken"])]
          + refusals([.notSignedIn, .notFound, .tooLong, .tooMany, .invalid, .unavailable])),
    ],
  ]

  static let tokenPath: JSON = [
    "delete": [
      "operationId": "revoke_token", "tags": ["tokens"],
      "summary": "Revokes a personal token; whoever uses it is refused from then on.",
      "parameters": [
        [
          "name": "id", "in": "path", "required": true,
          "schema": ["type": "string", "format": "uuid"],
        ]
      ],
      "responses": .object(
        [
          answered(
            "200", "The token was revoked.",
            [
              "type": "object", "required": ["id", "deleted"],
              "properties": [
                "id": ["type": "string", "format": "uuid"], "deleted": ["const": true],
              ],
            ])
        ] + refusals([.notSignedIn, .notFound, .tooLong, .tooMany, .unavailable])),
    ]
  ]

  static let tokenSchemas: [JSON.Member] = [
    .init(
      "Token",
      [
        "type": "object", "required": ["id", "name", "scopes", "created_at", "last_used_at"],
        "properties": .object(tokenProperties),
      ]),
    .init(
      "NewToken",
      [
        "type": "object", "required": ["id", "name", "scopes", "created_at"],
        "anyOf": [["required": ["token"]], ["required": ["address"]]],
        "properties": .object(
          tokenProperties + [
            .init(
              "token",
              ["type": "string", "description": "To send as `Authorization: Bearer …`."]),
            .init(
              "address",
              ["type": "string", "description": "The address of the calendar."]),
          ]),
      ]),
  ]

  private static let tokenProperties: [JSON.Member] = [
    .init("id", ["type": "string", "format": "uuid"]), .init("name", ["type": "string"]),
    .init("scopes", scopes), .init("created_at", ["type": "string", "format": "date-time"]),
    .init(
      "last_used_at",
      ["type": ["string", "null"], "format": "date-time", "description": "To the minute."]),
  ]

  private static let scopes: JSON = [
    "type": "array", "minItems": 1, "maxItems": 20,
    "items": ["type": "string"],
    "description":
      "What it permits: `today` reads the day, `log:` with a habit's id logs it; or for a calendar `calendar:tasks`, `calendar:habits`, and `calendar:` with a household's id.",
  ]

  private static func answered(_ status: String, _ words: String, _ schema: JSON) -> JSON.Member {
    .init(
      status,
      [
        "description": .string(words),
        "content": [
          "application/json": [
            "schema": ["type": "object", "required": ["ok"], "properties": ["ok": schema]]
          ]
        ],
      ])
  }
}
