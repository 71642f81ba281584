import Avro
import Daybook
import DaybookStore
import PropertyTesting
import Testing

@testable import DaybookMCP

/// The Model Context Protocol over JSON-RPC 2.0.
@Suite(.tags(.unit)) struct ToolSessionTests {
  @Test(arguments: [
    ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
    ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25"), ("", "2025-11-25"),
    ("2026-07-28", "2025-11-25"),
  ])
  func `a session speaks the client's version, or the newest that has sessions`(
    proposal: String, agreed: String
  ) async throws {
    var client = try ToolClient()
    let result = try await client.call(
      "initialize", ["protocolVersion": .string(proposal)])["result"]
    #expect(result?["protocolVersion"] == .string(agreed))
    #expect(result?["serverInfo"]?["name"] == "daybook")
    #expect(result?["capabilities"] == ["tools": [:], "resources": [:]])
  }

  @Test func `before initialize only ping is answered`() async throws {
    var client = try ToolClient()
    #expect(try await client.call("tools/list")["error"]?["code"] == -32_600)
    #expect(try await client.call("ping")["result"] == [:])
  }

  @Test(arguments: [
    ("", -32_700), ("nonsense", -32_700), ("{", -32_700), (#"{"a":1,"a":2}"#, -32_700),
    ("{\"jsonrpc\":\"\u{1}\"}", -32_700),
    ("1", -32_600), ("null", -32_600), (#""text""#, -32_600), ("{}", -32_600),
    (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":1}"#, -32_600), (#"{"jsonrpc":"2.0","id":1,"method":1}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32_602),
    (#"{"jsonrpc":"2.0","id":1,"method":"prompts/list"}"#, -32_601),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32_602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fly"}}"#, -32_602),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"today","arguments":[]}}"#,
      -32_602
    ),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"-1"}}"#, -32_602),
    (#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, -32_602),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#,
      -32_002
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"daybook://habits/audit"}}"#,
      -32_002
    ),
    ("[]", -32_600), (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32_600),
  ])
  func `a malformed message gets an error of JSON-RPC`(text: String, code: Int) async throws {
    var client = try ToolClient()
    try await client.begin()
    let answer = try #require(try await client.send(text))
    #expect(answer["jsonrpc"] == "2.0")
    #expect(answer["error"]?["code"] == .number(code))
    #expect(answer["id"] != nil)
    #expect(answer["result"] == nil)
    #expect(try await client.call("ping")["result"] == [:], "the session goes on")
  }

  @Test func `a message may be as long as the limit, and no longer`() async throws {
    var client = try ToolClient()
    try await client.begin()
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    let room = ToolLimit.messageByteCount - ping.utf8.count
    let longest = ping + String(repeating: " ", count: room)
    #expect(try await client.send(longest)?["result"] == [:])
    #expect(try await client.send(longest + " ")?["error"]?["code"] == -32_600)
  }

  @Test func `notifications and responses are not answered`() async throws {
    var client = try ToolClient()
    try await client.begin()
    for text in [
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
      #"{"jsonrpc":"2.0","method":"unknown"}"#, #"{"jsonrpc":"2.0","id":7,"result":{}}"#,
      #"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"no"}}"#,
    ] { #expect(try await client.send(text) == nil, "\(text)") }
  }

  @Test func `only the version that has batches accepts them`() async throws {
    var client = try ToolClient()
    try await client.begin("2025-03-26")
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    let note = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
    let answers = try await client.send("[\(ping),\(note),7,\(ping)]")?.elements
    let codes = answers?.map { $0["error"]?["code"] ?? .null }
    #expect(codes == [.null, -32_600, .null])
    #expect(try await client.send("[\(note)]") == nil)
    let many = Array(repeating: ping, count: ToolLimit.batchCount + 1).joined(separator: ",")
    #expect(try await client.send("[\(many)]")?["error"]?["code"] == -32_600)
    #expect(try await client.send("[]")?["error"]?["code"] == -32_600)
  }

  @Test func `an id is returned as it was written`() async throws {
    var client = try ToolClient()
    for id in [#""7""#, "7", "-1.50", "12345678901234567890123", #""""#] {
      let answer = try await client.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#)
      #expect(answer?["id"]?.encoded == id)
    }
  }

  @Test func `an error quotes little of what it refuses, and a long id is none`() async throws {
    var client = try ToolClient()
    try await client.begin()
    let long = String(repeating: "é", count: 100_000)
    for text in [
      #"{"jsonrpc":"2.0","id":1,"method":"\#(long)"}"#,
      #"{"jsonrpc":"2.0","id":"\#(long)","method":"ping"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(long)"}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"\#(long)"}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"today","arguments":{"\#(long)":1}}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"audit","arguments":{"habit":"\#(long)"}}}"#,
      #"{"\#(long)":1,"\#(long)":2}"#,
    ] {
      let answer = try #require(await client.session.answer(Array(text.utf8)))
      #expect(answer.count < 3000, "\(text.prefix(60))")
    }
  }

  @Test func `arbitrary and damaged messages never end a session`() async throws {
    var client = try ToolClient(canWrite: true)
    try await client.begin()
    let whole = Array(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"audit","arguments":{"habit":"\#(MemoryToolBook.read)","from":"2026-03-01","rule":{"id":"x"}}}}"#
        .utf8)
    var random = SplitMix64(seed: 20_261_129)
    for _ in 0..<4000 {
      var text = whole
      for _ in 0...Int(random.next() % 3) {
        let place = Int(random.next() % UInt64(text.count))
        switch random.next() % 3 {
        case 0: text[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: text.remove(at: place)
        default: text.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        }
      }
      if let answer = await client.session.answer(text) {
        #expect(throws: Never.self, "\(text)") { try JSON(parsing: answer) }
        #expect(!answer.contains(0x0A), "\(text)")
      }
    }
    #expect(try await client.call("ping")["result"] == [:])
  }
}
