import Avro
import DaybookStore

extension ToolSession {
  func listTools(_ parameters: JSON) throws(RPCError) -> JSON {
    let page = try ListPage(parameters, of: tools.all.count)
    return page.result("tools", tools.all[page.range].map(\.description))
  }

  /// Asks the question or carries out the command that a tool stands for. A refusal is a result, too, so that a model
  /// reads it and does better.
  mutating func callTool(_ parameters: JSON) async throws(RPCError) -> JSON {
    guard let name = parameters["name"]?.text else {
      throw .invalidParameters("name: there should be the name of a tool.")
    }
    guard let tool = tools[name] else {
      throw .invalidParameters("There is no tool \"\(name)\"; tools/list lists them.")
    }
    let arguments = parameters["arguments"] ?? .object([])
    guard let given = arguments == .null ? [] : arguments.members else {
      throw .invalidParameters("arguments: they are \(arguments.kind), not an object.")
    }
    do throws(ToolFailure) {
      let request = try tool.request(given)
      switch tool.verb {
      case .ask: return Self.toolResult(try await shortAnswer(to: request), isError: false)
      case .carryOut:
        let outcome = try await book.carryOut(request)
        return Self.toolResult(Self.shortened(outcome), isError: !outcome.isAccepted)
      }
    } catch { return Self.toolResult(error.text, isError: true) }
  }

  /// The answer to a question, within the size of a result: `{"ok":…,"position":17}`.
  ///
  /// - Throws: ``ToolFailure``.
  mutating func shortAnswer(to question: JSON) async throws(ToolFailure) -> [UInt8] {
    let given = try await book.answer(question)
    guard let whole = try? JSON(parsing: given.text),
      let answer = ShortAnswer(whole, within: ToolLimit.resultByteCount)
    else { throw .tooLong }
    return JSON.object(
      [.init("ok", answer.json), .init("position", .number(given.position))] + answer.cutMembers
    ).line
  }

  /// The outcome of a command, within the size of a result. The command was carried out, so it is always told where.
  private static func shortened(_ outcome: RequestOutcome) -> [UInt8] {
    guard outcome.text.count > ToolLimit.resultByteCount else { return outcome.text }
    let members = outcome.json.members ?? []
    guard let answer = ShortAnswer(.object(members), within: ToolLimit.resultByteCount) else {
      return JSON.object(members.map { $0.name == "ok" ? .init("ok", .null) : $0 }).line
    }
    return JSON.object((answer.json.members ?? []) + answer.cutMembers).line
  }

  private static func toolResult(_ text: [UInt8], isError: Bool) -> JSON {
    [
      "content": [["type": "text", "text": .string(String(decoding: text, as: UTF8.self))]],
      "isError": .bool(isError),
    ]
  }
}

extension ShortAnswer {
  /// What was cut, beside an answer; nothing if nothing was.
  fileprivate var cutMembers: [JSON.Member] {
    cuts.isEmpty ? [] : [.init("shortened", .array(cuts.map(\.json)))]
  }
}

extension ToolFailure {
  fileprivate static let tooLong = ToolFailure(
    "answer_too_long", "The answer is too long; ask for less at once.")
}
