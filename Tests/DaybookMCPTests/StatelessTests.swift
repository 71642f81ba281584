import Avro
import Daybook
import DaybookStore
import Testing

@testable import DaybookMCP

/// Requests that name their version themselves, as they do since 2026-07-28.
@Suite(.tags(.unit)) struct StatelessTests {
  private static let meta: JSON = [
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": [:],
  ]

  private func call(
    _ client: inout ToolClient, _ method: String, _ parameters: [JSON.Member] = [],
    meta: JSON = Self.meta
  ) async throws -> JSON {
    try await client.call(method, .object(parameters + [.init("_meta", meta)]))
  }

  @Test func `server/discover says what is spoken and offered`() async throws {
    var client = try ToolClient()
    let result = try await call(&client, "server/discover")["result"]
    #expect(
      result?["supportedVersions"]
        == ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
    #expect(result?["capabilities"] == ["tools": [:], "resources": [:]])
    #expect(result?["resultType"] == "complete")
    #expect(result?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "daybook")
    #expect(result?["ttlMs"]?.integer ?? 0 > 0 && result?["cacheScope"] == "private")
  }

  @Test func `a request is answered without a session, and begins none`() async throws {
    var client = try ToolClient()
    let called = try await call(
      &client, "tools/call", [.init("name", "streaks"), .init("arguments", ["on": "2026-03-01"])])
    #expect(called["result"]?["isError"] == false)
    #expect(called["result"]?["resultType"] == "complete")
    #expect(called["result"]?["ttlMs"] == nil)
    let list = try await call(&client, "resources/list")["result"]
    #expect(list?["resources"]?.elements?.count == 1 && list?["ttlMs"] == 0)
    #expect(try await client.call("tools/list")["error"]?["code"] == -32_600)
  }

  @Test func `both kinds of requests may come over one connection`() async throws {
    var client = try ToolClient()
    try await client.begin()
    #expect(try await call(&client, "tools/list")["result"]?["resultType"] == "complete")
    let list = try await client.call("tools/list")["result"]
    #expect(list?["tools"] != nil && list?["resultType"] == nil)
  }

  @Test func `an unknown version is refused with those that are spoken`() async throws {
    var client = try ToolClient()
    for name in ["2025-11-25", "2099-01-01", ""] {
      let error = try await call(
        &client, "tools/list",
        meta: [
          "io.modelcontextprotocol/protocolVersion": .string(name),
          "io.modelcontextprotocol/clientCapabilities": [:],
        ])["error"]
      #expect(error?["code"] == -32_022)
      #expect(error?["data"]?["requested"] == .string(name))
      #expect(error?["data"]?["supported"]?.elements?.first == "2026-07-28")
    }
  }

  @Test(
    arguments: [
      ("server/discover", [:], -32_602), ("server/discover", nil, -32_602),
      ("tools/list", ["io.modelcontextprotocol/protocolVersion": "2026-07-28"], -32_602),
      (
        "tools/list",
        [
          "io.modelcontextprotocol/protocolVersion": 7,
          "io.modelcontextprotocol/clientCapabilities": [:],
        ], -32_602
      ),
      (
        "tools/list",
        [
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": true,
        ], -32_602
      ),
      ("ping", Self.meta, -32_601), ("initialize", Self.meta, -32_601),
      ("subscriptions/listen", Self.meta, -32_601),
    ] as [(String, JSON?, Int)])
  func `a request that does not say enough, or asks for what is gone, gets an error`(
    method: String, meta: JSON?, code: Int
  ) async throws {
    var client = try ToolClient()
    let parameters = JSON.object(meta.map { [.init("_meta", $0)] } ?? [])
    #expect(try await client.call(method, parameters)["error"]?["code"] == .number(code))
  }

  @Test func `a resource that does not exist is an invalid parameter`() async throws {
    var client = try ToolClient()
    for uri in ["file:///etc/passwd", "daybook://habits/\(MemoryToolBook.ada)/audit"] {
      let answer = try await call(&client, "resources/read", [.init("uri", .string(uri))])
      #expect(answer["error"]?["code"] == -32_602)
    }
  }
}
