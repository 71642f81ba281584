import Avro
import DaybookStore
import Testing

/// `daybook mcp`: tools over standard streams.
@Suite(.tags(.unit)) struct ToolsCommandTests {
  private static let begin =
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#

  private func answers(
    _ book: AdasBook, with options: [String] = [], _ lines: [String]
  ) throws -> [JSON] {
    let input = ([Self.begin] + lines).map { $0 + "\n" }.joined()
    let run = try book.daybook.run(["mcp"] + options, input: input)
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
    return try run.lines.dropFirst().map { try JSON(parsing: $0) }
  }

  private func call(_ tool: String, _ arguments: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  @Test func `with --write a command is on disk when it is answered, and the book is free again`()
    throws
  {
    let book = try AdasBook()
    let log = call("log_habit", #"{"habit":"\#(AdasBook.read)"}"#)
    let answer = try #require(
      try answers(book, with: ["--write"], [log, call("today", "{}")]).first)
    #expect(answer["result"]?["isError"] == false)
    let today = try book.daybook("today", "--json")
    #expect(try today.json().elements?.first?["mark"] == "full")
    #expect(try book.daybook("clear", "Read").status == 0)
  }

  @Test func `without --write a book cannot be changed`() throws {
    let book = try AdasBook()
    let before = try book.journal()
    let answer = try answers(book, [call("log_habit", #"{"habit":"\#(AdasBook.read)"}"#)]).first
    #expect(answer?["error"]?["code"] == -32_602)
    #expect(try book.journal() == before)
  }

  @Test func `a line that is too long is refused, and the next one is answered`() throws {
    let long = String(repeating: "x", count: 3_000_000)
    let ping = #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#
    let answers = try answers(try AdasBook(), [long, "", ping, "{"])
    #expect(answers.map { $0["error"]?["code"] ?? .null } == [-32_600, .null, -32_700])
    #expect(answers[1]["result"] == [:])
  }

  @Test func `--tools names the only tools, and a wrong name is wrong use`() throws {
    let book = try AdasBook()
    let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    let found = try answers(book, with: ["--tools", "today,audit"], [list]).first
    let names = found?["result"]?["tools"]?.elements?.compactMap { $0["name"]?.text }
    #expect(names == ["audit", "today"])
    #expect(try book.daybook("mcp", "--tools", "log_habit").status == 2)
  }

  @Test func `a book that is not there is an error before anything is served`() throws {
    let run = try Program()("mcp")
    #expect(run.status == 1 && run.output.isEmpty && !run.error.isEmpty)
  }
}
