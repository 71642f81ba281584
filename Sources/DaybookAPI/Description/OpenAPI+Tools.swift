import Avro
import DaybookMCP

// The path for assistants.
extension OpenAPI {
  static let toolsPath: JSON = [
    "operationId": "use_tools", "tags": ["assistants"],
    "summary":
      "Takes a message of the Model Context Protocol: questions, and where they are allowed commands, as tools. Also at `/mcp`.",
    "parameters": [
      header("MCP-Protocol-Version", "The version of the protocol, once it is known."),
      header("Mcp-Method", "The message's `method`, since version 2026-07-28."),
      header(
        "Mcp-Name", "The message's `params.name` or `params.uri`, since version 2026-07-28."),
    ],
    "requestBody": [
      "required": true,
      "content": [
        "application/json": [
          "schema": [
            "description":
              "A message of JSON-RPC 2.0; under version 2025-03-26 also a list of them."
          ],
          "examples": [
            "streaks": [
              "summary": "A question, in version 2026-07-28",
              "value": [
                "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": [
                  "name": "streaks", "arguments": [:],
                  "_meta": [
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": [:],
                  ],
                ],
              ],
            ]
          ],
        ]
      ],
    ],
    "responses": .object(
      [
        .init("200", said("The answer.", .object(answerSchema))),
        .init("202", ["description": "A notification, which needs no answer."]),
        .init(
          "400", said("It is no message, or a version that is not spoken.", .object(answerSchema))),
        .init(
          "404",
          said(
            "The account does not exist, or since version 2026-07-28 the method.",
            [
              "anyOf": [
                ["$ref": "#/components/schemas/Error"], .object(answerSchema),
              ]
            ])),
      ] + refusals([.notSignedIn, .forbidden, .tooLong, .wrongType, .tooMany, .unavailable])),
  ]

  private static let answerSchema: [JSON.Member] = [
    .init("type", ["object", "array"]), .init("required", ["jsonrpc", "id"]),
    .init("properties", ["jsonrpc": ["const": "2.0"]]),
  ]

  private static func header(_ name: String, _ description: String) -> JSON {
    [
      "name": .string(name), "in": "header", "schema": ["type": "string"],
      "description": .string(description),
    ]
  }

  private static func said(_ description: String, _ schema: JSON) -> JSON {
    [
      "description": .string(description),
      "content": ["application/json": ["schema": schema]],
    ]
  }
}
