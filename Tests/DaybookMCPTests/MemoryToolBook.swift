import Avro
import Daybook
import DaybookMCP
import DaybookStore

/// A book in memory with Ada's habit, behind tools.
struct MemoryToolBook: ToolBook {
  static let ada = "00000000-0000-4000-8000-00000000000a"
  static let read = "00000000-0000-4000-8000-000000000001"
  static let adasKey = Key(ada) ?? Key(derivedFrom: ["Ada"])

  let book: Book
  var questions: QuestionLines
  var caller: Caller

  init() throws {
    book = Book.inMemory()
    questions = QuestionLines(book.reader)
    caller = .owner { $0.accounts.number(of: Self.adasKey) }
    for line in [
      #"{"do":"create_account","key":"\#(Self.ada)","display_name":"Ada","timezone":"UTC","at":"2026-03-01T08:00:00Z"}"#,
      #"{"do":"create_habit","as":"\#(Self.ada)","key":"\#(Self.read)","name":"Read","at":"2026-03-01T08:01:00Z"}"#,
      #"{"do":"log_habit","as":"\#(Self.ada)","habit":"\#(Self.read)","at":"2026-03-01T08:02:00Z"}"#,
    ] { _ = try book.record(line: line) }
  }

  mutating func answer(_ question: JSON) async throws(ToolFailure) -> ToolAnswer {
    do {
      let present = try questions.state()
      let request = try QuestionRequest(question, of: book.reader, knowing: present, from: caller)
      return ToolAnswer(try request.answerText(), at: present.position)
    } catch let rejection as Rejection {
      throw ToolFailure(rejection.asSeen(by: caller))
    } catch { throw error as? ToolFailure ?? ToolFailure("unavailable", "\(error)") }
  }

  mutating func carryOut(_ command: JSON) async throws(ToolFailure) -> RequestOutcome {
    do { return try await book.record(line: Array(command.encoded.utf8), from: caller) } catch {
      throw ToolFailure("unavailable", "\(error)")
    }
  }
}

/// A client's side of a session.
struct ToolClient {
  var session: ToolSession<MemoryToolBook>
  private var lastID = 0

  init(canWrite: Bool = false, isOwner: Bool = true, only names: Set<String>? = nil) throws {
    session = ToolSession(
      try MemoryToolBook(),
      offering: ToolList(forOwner: isOwner, canWrite: canWrite, only: names))
  }

  /// Sends a text, and parses what is answered; `nil` if nothing is.
  mutating func send(_ text: String) async throws -> JSON? {
    try await session.answer(Array(text.utf8)).map { try JSON(parsing: $0) }
  }

  /// Calls a method, and returns the response.
  mutating func call(_ method: String, _ parameters: JSON = [:]) async throws -> JSON {
    lastID += 1
    let request: JSON = [
      "jsonrpc": "2.0", "id": .number(lastID), "method": .string(method), "params": parameters,
    ]
    let answer = try await send(request.encoded) ?? .null
    return answer["id"] == .number(lastID) ? answer : .null
  }

  /// Begins the session.
  mutating func begin(_ version: String = "2025-06-18") async throws {
    _ = try await call("initialize", ["protocolVersion": .string(version)])
    _ = try await send(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
  }

  /// The text of a tool's result, as JSON, and whether it is an error.
  mutating func use(_ tool: String, _ arguments: JSON = [:]) async throws -> (JSON, Bool) {
    let answer = try await call(
      "tools/call", ["name": .string(tool), "arguments": arguments])
    let text = answer["result"]?["content"]?.elements?.first?["text"]?.text ?? "null"
    return (try JSON(parsing: text), answer["result"]?["isError"]?.boolean ?? false)
  }
}
