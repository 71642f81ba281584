import Avro
import Catalogue
import Daybook
import DaybookStore
import Testing

@testable import DaybookMCP

/// Questions and commands as tools, and audits as resources.
@Suite(.tags(.unit)) struct ToolTests {
  @Test func `each question is a tool, and each command only with permission to write`()
    async throws
  {
    var reading = try ToolClient()
    try await reading.begin()
    #expect(try await tools(&reading).map(\.name) == QuestionRequest.names)
    var writing = try ToolClient(canWrite: true)
    try await writing.begin()
    let names = try await tools(&writing).map(\.name)
    #expect(Set(names).count == names.count, "the name says which tool is meant")
    let commands = Catalogue.accountCommands.map { $0.form.name }
    #expect(
      names == QuestionRequest.names + commands.filter { !ToolList.commandsOfApps.contains($0) })
    #expect(ToolList.commandsOfApps.isSubset(of: commands))
    #expect(!names.contains("create_account") && !names.contains("settle"))
  }

  @Test func `an account gets no tool that asks about the whole book or names another account`()
    async throws
  {
    var client = try ToolClient(canWrite: true, isOwner: false)
    try await client.begin()
    for (name, tool) in try await tools(&client) {
      #expect(name != "metrics" && name != "accounts")
      #expect(tool["inputSchema"]?["properties"]?["as"] == nil, "\(name)")
    }
  }

  @Test func `a tool's schema has the columns of its question or command`() async throws {
    var client = try ToolClient(canWrite: true)
    try await client.begin()
    for (name, tool) in try await tools(&client) {
      let schema = try #require(tool["inputSchema"])
      let found = Set((schema["properties"]?.members ?? []).map(\.name))
      let wanted: Set<String>
      if let question = QuestionRequest.types[name] {
        wanted = Set((question.columns + question.form.commonColumns).map(\.name))
        #expect(tool["annotations"]?["readOnlyHint"] == true, "\(name)")
      } else {
        let own = try #require(Request.columns(of: name)).map(\.name)
        wanted = Set(own + Request.commonColumns.map(\.name)).subtracting(["at"])
        #expect(tool["annotations"]?["readOnlyHint"] == false, "\(name)")
      }
      #expect(found == wanted, "\(name)")
      #expect(schema["type"] == "object" && schema["additionalProperties"] == false, "\(name)")
      let required = schema["required"]?.elements ?? []
      #expect(!required.contains("ask") && !required.contains("do"), "\(name)")
      #expect(name.wholeMatch(of: /[a-z_]{1,64}/) != nil, "\(name)")
    }
  }

  @Test func `a question is answered with the position of the last entry`() async throws {
    var client = try ToolClient()
    try await client.begin()
    let (answer, isError) = try await client.use("streaks", ["on": "2026-03-01"])
    #expect(!isError)
    #expect(answer["ok"]?.elements?.first?["current"] == 1)
    #expect(answer["position"] == 3)
    let (audit, _) = try await client.use(
      "audit", ["habit": .string(MemoryToolBook.read), "on": "2026-03-01"])
    let evidence = audit["ok"]?["days"]?.elements?.first?["evidence"]?.elements
    #expect(evidence?.contains { $0["position"] == 3 } == true)
  }

  @Test func `a refusal is a result that names the field`() async throws {
    var client = try ToolClient(canWrite: true)
    try await client.begin()
    for (tool, arguments, code, field) in [
      ("audit", ["habit": "x"], "invalid_field", "habit"),
      ("today", ["ask": "metrics"], "unknown_field", "ask"),
      ("today", ["colour": "red"], "unknown_field", "colour"),
      ("log_habit", ["do": "settle"], "unknown_field", "do"),
      ("log_habit", ["at": "2999-01-01T00:00:00Z"], "unknown_field", "at"),
    ] as [(String, JSON, String, String)] {
      let (answer, isError) = try await client.use(tool, arguments)
      #expect(isError)
      #expect(answer["error"]?["code"] == .string(code), "\(tool)")
      #expect(answer["error"]?["field"] == .string(field), "\(tool)")
    }
    #expect(client.session.book.book.read { $0.position } == 3)
  }

  @Test func `a command changes the book, and without permission does not exist`() async throws {
    let log: JSON = ["habit": .string(MemoryToolBook.read), "day": "2026-03-01", "value": 1]
    var writing = try ToolClient(canWrite: true)
    try await writing.begin()
    let skip: JSON = ["habit": .string(MemoryToolBook.read), "day": "2026-03-02"]
    let (answer, isError) = try await writing.use("skip_day", skip)
    #expect(!isError && answer["position"] == 4 && answer["changed"] == true)
    let (streaks, _) = try await writing.use("today")
    #expect(streaks["position"] == 4)
    var reading = try ToolClient()
    try await reading.begin()
    let refused = try await reading.call(
      "tools/call", ["name": "log_habit", "arguments": log])
    #expect(refused["error"]?["code"] == -32_602)
    #expect(reading.session.book.book.read { $0.position } == 3)
  }

  @Test func `only the named tools are offered and can be called`() async throws {
    var client = try ToolClient(canWrite: true, only: ["today", "log_habit"])
    try await client.begin()
    #expect(try await tools(&client).map(\.name) == ["today", "log_habit"])
    let refused = try await client.call("tools/call", ["name": "streaks"])
    #expect(refused["error"]?["code"] == -32_602)
  }

  @Test func `each habit's audit is a resource`() async throws {
    var client = try ToolClient()
    try await client.begin()
    let uri = "daybook://habits/\(MemoryToolBook.read)/audit"
    let list = try await client.call("resources/list")["result"]?["resources"]?.elements
    #expect(list?.compactMap { $0["uri"]?.text } == [uri])
    let contents = try await client.call("resources/read", ["uri": .string(uri)])["result"]?[
      "contents"]
    let text = try #require(contents?.elements?.first?["text"]?.text)
    #expect(try JSON(parsing: text)["ok"]?["name"] == "Read")
    let templates = try await client.call("resources/templates/list")["result"]
    #expect(templates?["resourceTemplates"]?.elements?.count == 1)
    let unknown = "daybook://habits/\(MemoryToolBook.ada)/audit"
    let missing = try await client.call("resources/read", ["uri": .string(unknown)])
    #expect(missing["error"]?["code"] == -32_002)
  }

  /// All tools, page after page.
  private func tools(_ client: inout ToolClient) async throws -> [(name: String, JSON)] {
    var (found, cursor): ([(String, JSON)], JSON?) = ([], nil)
    repeat {
      let result = try await client.call(
        "tools/list", cursor.map { ["cursor": $0] } ?? [:])["result"]
      for tool in result?["tools"]?.elements ?? [] {
        found.append((tool["name"]?.text ?? "", tool))
      }
      cursor = result?["nextCursor"]
    } while cursor != nil
    return found
  }
}
