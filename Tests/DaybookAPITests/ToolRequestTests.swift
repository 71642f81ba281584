import Avro
import Daybook
import DaybookAPI
import DaybookStore
import HTTPTypes
import Testing
import Values
import Wire

/// `POST /mcp`: tools for assistants over HTTP.
@Suite(.tags(.unit)) struct ToolRequestTests {
  private static let meta: JSON = [
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": [:],
  ]

  private func world(canWrite: Bool = false) throws -> APIWorld {
    try APIWorld(tools: ToolSettings(canWrite: canWrite, site: "https://daybook.example/app"))
  }

  private func post(
    _ world: APIWorld, _ body: String, _ headers: [String: String] = [:],
    as account: Key? = APIWorld.ada
  ) async -> WireResponse {
    var fields: HTTPFields = [.contentType: "application/json"]
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    return await world.api.answer(
      WireRequest(.post, ["mcp"], headers: fields, body: Array(body.utf8)), for: account)
  }

  /// Sends a request of version 2026-07-28, with the headers that it needs.
  private func call(
    _ world: APIWorld, _ method: String, _ parameters: [JSON.Member] = [],
    _ headers: [String: String] = [:], as account: Key = APIWorld.ada
  ) async -> WireResponse {
    let body: JSON = [
      "jsonrpc": "2.0", "id": 1, "method": .string(method),
      "params": .object(parameters + [.init("_meta", Self.meta)]),
    ]
    var all = ["MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method]
    all["Mcp-Name"] = parameters.first { ["name", "uri"].contains($0.name) }?.value.text
    return await post(
      world, body.encoded, all.merging(headers) { _, given in given }, as: account)
  }

  private func use(
    _ world: APIWorld, _ tool: String, _ arguments: JSON = [:], as account: Key = APIWorld.ada
  ) async throws -> (JSON, Bool) {
    let answer = await call(
      world, "tools/call", [.init("name", .string(tool)), .init("arguments", arguments)],
      as: account)
    let result = try answer.json()["result"]
    let text = try #require(result?["content"]?.elements?.first?["text"]?.text)
    return (try JSON(parsing: text), result?["isError"]?.boolean ?? false)
  }

  @Test func `without the setting there is no such path`() async throws {
    let answer = await post(try APIWorld(), "{}")
    #expect(answer.status == .notFound && answer.code == "path_not_found")
  }

  @Test func `nobody is answered without a sign-in, and nothing but POST is taken`() async throws {
    let world = try world()
    #expect(await post(world, "{}", as: nil).status == .unauthorized)
    let got = await world.api.answer(WireRequest(.get, ["mcp"]), for: APIWorld.ada)
    #expect(got.status == .methodNotAllowed && got.headers[.allow] == "POST")
  }

  @Test(arguments: [
    ("https://evil.example", false), ("https://daybook.example.evil.com", false), ("null", false),
    ("https://daybook.example", true), ("https://DAYBOOK.example", true),
  ])
  func `a page of another site is refused`(origin: String, isAdmitted: Bool) async throws {
    let answer = await call(try world(), "tools/list", [], ["Origin": origin])
    #expect(answer.status == (isAdmitted ? .ok : .forbidden))
  }

  @Test func `a question is answered for the account that signed in`() async throws {
    let world = try world()
    let (habits, isError) = try await use(world, "habits")
    #expect(!isError && habits["ok"]?.elements?.map { $0["name"] } == ["Run"])
    let (others, _) = try await use(world, "habits", as: APIWorld.bob)
    #expect(others["ok"]?.elements?.map { $0["name"] } == ["Read"])
  }

  @Test func `a thing of others is answered like one that does not exist`() async throws {
    let world = try world(canWrite: true)
    for tool in ["audit", "log_habit"] {
      let (hidden, missing) = (
        try await use(
          world, tool, ["habit": .string(APIWorld.habit.description)], as: APIWorld.dan),
        try await use(
          world, tool, ["habit": .string(APIWorld.key(2, 77).description)], as: APIWorld.dan)
      )
      #expect(hidden.1 && hidden.0 == missing.0, "\(tool)")
    }
    for tool in ["accounts", "metrics"] {
      let answer = await call(world, "tools/call", [.init("name", .string(tool))])
      #expect(try answer.json()["error"]?["code"] == -32_602)
    }
  }

  @Test func `commands are tools only where the setting says so`() async throws {
    let reading = try world()
    let (before, log) = (reading.position, JSON.Member("name", "log_habit"))
    let refused = await call(
      reading, "tools/call",
      [log, .init("arguments", ["habit": .string(APIWorld.habit.description)])])
    #expect(try refused.json()["error"]?["code"] == -32_602)
    #expect(reading.position == before)
    let writing = try world(canWrite: true)
    let (done, isError) = try await use(writing, "create_task", ["title": "Buy tea"])
    #expect(!isError && done["changed"] == true && writing.position == before + 1)
    let (posing, isRefused) = try await use(
      writing, "create_task", ["title": "x", "as": .string(APIWorld.bob.description)])
    #expect(isRefused && posing["error"]?["field"] == "as")
  }

  @Test func `a client of a version with sessions needs none here`() async throws {
    let world = try world()
    let hello = await post(
      world,
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#)
    #expect(try hello.json()["result"]?["protocolVersion"] == "2025-06-18")
    let version = ["MCP-Protocol-Version": "2025-06-18"]
    let note = await post(
      world, #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, version)
    #expect(note.status == .accepted && note.body.isEmpty)
    let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    #expect(try await post(world, list, version).json()["result"]?["tools"] != nil)
    let batch = await post(world, "[\(list),\(list)]")
    #expect(try batch.json().elements?.count == 2, "2025-03-26 had no header, and arrays")
    #expect(await post(world, "[\(list)]", version).status == .badRequest)
  }

  @Test(arguments: [
    ("Mcp-Method", "tools/call"), ("MCP-Protocol-Version", "2025-11-25"), ("Mcp-Name", "streaks"),
    ("Mcp-Name", "=?base64?eA==?="),
  ])
  func `headers that say something else than the message are refused`(
    name: String, value: String
  ) async throws {
    let today = JSON.Member("name", "today")
    let isName = name == "Mcp-Name"
    let answer = await call(
      try world(), isName ? "tools/call" : "tools/list", isName ? [today] : [], [name: value])
    #expect(answer.status == .badRequest)
    #expect(try answer.json()["error"]?["code"] == -32_020)
    #expect(try answer.json()["id"] == 1)
  }

  @Test func `a name that no header can hold comes in base64`() async throws {
    let answer = await call(
      try world(), "tools/call", [.init("name", "today")],
      ["Mcp-Name": "=?base64?dG9kYXk=?="])
    #expect(answer.status == .ok)
  }

  @Test(
    arguments: [
      ("nonsense", [:], HTTPResponse.Status.badRequest, -32_700), ("{}", [:], .badRequest, -32_600),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, ["MCP-Protocol-Version": "1999-01-01"],
        .badRequest, -32_022
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, ["MCP-Protocol-Version": "2026-07-28"],
        .badRequest, -32_602
      ),
      (#"{"jsonrpc":"2.0","id":1,"method":"fly"}"#, [:], .ok, -32_601),
      (#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#, [:], .badRequest, -32_602),
    ] as [(String, [String: String], HTTPResponse.Status, Int)])
  func `a message that cannot be answered gets an error of JSON-RPC`(
    body: String, headers: [String: String], status: HTTPResponse.Status, code: Int
  ) async throws {
    let answer = await post(try world(), body, headers)
    #expect(answer.status == status)
    #expect(try answer.json()["error"]?["code"] == .number(code))
  }

  @Test func `an unknown method is not found since there are no sessions`() async throws {
    let answer = await call(try world(), "subscriptions/listen")
    #expect(answer.status == .notFound)
    #expect(try answer.json()["error"]?["code"] == -32_601)
  }

  @Test func `another type of body is refused`() async throws {
    let answer = await post(try world(), "{}", ["Content-Type": "text/plain"])
    #expect(answer.status == .unsupportedMediaType)
  }
}
