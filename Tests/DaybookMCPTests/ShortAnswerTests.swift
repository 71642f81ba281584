import Avro
import Daybook
import DaybookStore
import Testing

@testable import DaybookMCP

/// Answers that fit what a model reads at once.
@Suite(.tags(.unit)) struct ShortAnswerTests {
  @Test func `a long list keeps its latest days, and what was cut is told`() throws {
    let days = (0..<5000).map { number -> JSON in
      ["day": .string(Day(number: 20_000 + number)?.description ?? ""), "mark": "full"]
    }
    let whole: JSON = ["name": "Read", "days": .array(days), "few": [1, 2, 3]]
    let short = try #require(ShortAnswer(whole, within: 4096))
    #expect(short.json.encoded.utf8.count <= 4096)
    #expect(short.json["days"]?.elements?.last == days.last)
    #expect(short.json["few"] == [1, 2, 3])
    let kept = short.json["days"]?.elements?.count ?? 0
    #expect(kept > 80)
    #expect(short.cuts.map(\.json) == [["list": "days", "kept": .number(kept), "of": 5000]])
  }

  @Test func `an answer that fits is left as it is`() throws {
    let long = String(repeating: "a", count: 5000)
    let whole: JSON = ["note": .string(long), "rows": [1, 2]]
    let all = try #require(ShortAnswer(whole, within: whole.encoded.utf8.count))
    #expect(all.json == whole && all.cuts.isEmpty)
    let short = try #require(ShortAnswer(whole, within: whole.encoded.utf8.count - 1))
    #expect(short.json["note"] == .string(String(long.prefix(1000))))
    #expect(short.json["rows"] == [1, 2])
  }

  @Test func `a long text does not hide the rows beside it`() throws {
    let long = JSON.string(String(repeating: "\u{1F980}", count: 10_000))
    let rows = (0..<20).map { number -> JSON in
      ["title": .number(number), "note": number == 0 ? long : "short"]
    }
    let short = try #require(ShortAnswer(.array(rows), within: 8192))
    #expect(short.json.elements?.count == 20)
    #expect(short.cuts.map(\.json) == [["text": "note", "kept": 1000, "of": 10_000]])
  }

  @Test func `a list without days keeps its beginning`() throws {
    let rows = try #require(ShortAnswer(.array((0..<5000).map { .number($0) }), within: 4096))
    #expect(rows.json.elements?.first == 0)
    #expect(rows.cuts.first?.place == "")
  }

  @Test func `an answer that is too long without any list has no short form`() {
    let members = (0..<500).map { JSON.Member("column \($0)", .string("value")) }
    #expect(ShortAnswer(.object(members), within: 4096) == nil)
  }

  @Test func `what a command did is told however long its row is`() async throws {
    var client = try ToolClient(canWrite: true)
    try await client.begin()
    let note = String(repeating: "\u{1F980}", count: 10_000)
    let (answer, isError) = try await client.use(
      "create_task", ["title": "Read", "description": .string(note)])
    #expect(!isError, "\(answer.encoded.prefix(200))")
    #expect(answer["position"] == 4 && answer["changed"] == true)
    #expect(answer["shortened"]?.elements?.first?["text"] == "ok.description")
    #expect(answer.encoded.utf8.count < ToolLimit.resultByteCount)
  }
}
