import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// Laws of all questions.
@Suite(.tags(.law)) struct QuestionLawTests {
  private static let stage: Result<ColumnStage, any Error> = Result { try ColumnStage() }
  static let names: [String] = QuestionRequest.names

  private func schema(_ name: String) throws -> JSON {
    try #require(QuestionRequest.types[name]).schema
  }

  private func read(_ json: JSON, _ stage: ColumnStage) throws -> QuestionRequest {
    try QuestionRequest(
      json, of: stage.reader, knowing: stage.state, from: .owner { _ in stage.actor })
  }

  @Test(arguments: names)
  func `a question reads and answers the same after writing and reading`(_ name: String) throws {
    let (stage, schema) = (try Self.stage.get(), try schema(name))
    let questions = stage.sent(schema) { _ = try read($0, stage) }
    let report = check("\(name) as JSON", questions, cases: 4) { json in
      let request = try read(json, stage)
      let written = QuestionRequest.json(request.question, in: request.view.state)
      do {
        let axes = (json.members ?? []).filter {
          ["as", "as_of", "on", "rule"].contains($0.name)
        }
        let again = try read(.object((written.members ?? []) + axes), stage)
        try holds("\(again.question)" == "\(request.question)", written.encoded)
      } catch let rejection as Rejection {
        throw Falsified("\(written.encoded): \(rejection)")
      }
      let answer: any QuestionAnswer
      do { answer = try request.answer() } catch is Rejection { return }
      var pieces: [UInt8] = []
      answer.writePieces { pieces += $0 }
      let whole = answer.json
      try holds(String(decoding: pieces, as: UTF8.self) == whole.encoded, "in pieces")
      try holds((try? JSON(parsing: pieces)) == whole, "it is no JSON")
    }
    #expect(report.passed, "\(report)")
  }

  @Test(arguments: names)
  func `a question's column that violates its schema is refused by name`(_ name: String) throws {
    let (stage, schema) = (try Self.stage.get(), try schema(name))
    let questions = stage.broken(schema) { _ = try read($0, stage) }
    let report = check("\(name) broken", questions, cases: 4) { broken in
      let request: QuestionRequest
      do { request = try read(broken.json, stage) } catch let rejection as Rejection {
        return try holds(
          rejection.field == broken.column, "\(broken.json.encoded): \(rejection)")
      }
      // Bounds are checked when the question is answered; other faults may be refused before.
      do { _ = try request.answer() } catch is Rejection { return }
      throw Falsified("\(broken.json.encoded) is taken")
    }
    #expect(report.passed, "\(report)")
  }

  @Test(arguments: names)
  func `a stranger's questions reveal nothing about anybody`(_ name: String) throws {
    let (stage, schema) = (try Self.stage.get(), try schema(name))
    let keys = EntityKind.allCases.flatMap { kind in
      let table = stage.state.table(of: kind)
      return (0..<table.count).compactMap { table.entity(Int32($0 + 1))?.key }
    }
    let own = stage.state.accounts[stage.stranger]?.key
    let report = check("\(name) of a stranger", stage.sent(schema), cases: 4) { json in
      // A caller does not name the asker.
      let asked = JSON.object((json.members ?? []).filter { $0.name != "as" })
      let answer: any QuestionAnswer
      do {
        answer = try QuestionRequest(
          asked, of: stage.reader, knowing: stage.state, from: .account(stage.stranger)
        ).answer()
      } catch is Rejection { return }
      let text = answer.json.encoded
      for key in keys where key != own && text.contains(key.description) {
        // The answer may repeat what the question named, and nothing else.
        try holds(asked.encoded.contains(key.description), "\(asked.encoded) tells of \(key)")
      }
    }
    #expect(report.passed, "\(report)")
  }

  private func holds(_ condition: Bool, _ words: String) throws {
    if !condition { throw Falsified(words) }
  }
}
