import Avro
import Foundation
import Testing

/// `daybook apply` with lines that arrive one by one or all at once.
@Suite(.tags(.program), .timeLimit(.minutes(60))) struct ApplyTests {
  private static let bees = "00000000-0000-4000-8000-000000000002"

  private static func log(_ day: Int) -> String {
    #"{"do":"log_habit","as":"\#(AdasBook.ada)","habit":"\#(AdasBook.read)","day":"2026-01-"#
      + "\(day + 10)\"}\n"
  }

  @Test func `a single line is answered at once, and several lines are answered in order`() throws {
    let ada = try AdasBook()
    let process = try ada.daybook.process(["apply"])
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    var bytes: [UInt8] = []
    func answers(_ count: Int) throws -> [JSON] {
      while bytes.count(where: { $0 == 0x0A }) < count {
        let more = output.fileHandleForReading.availableData
        try #require(!more.isEmpty, "it ended before it answered")
        bytes += more
      }
      let lines = bytes.split(separator: 0x0A)
      bytes.removeAll()
      return try lines.map { try JSON(parsing: Array($0)) }
    }
    // The next line is written only after the answer has arrived, so the answer waits for nothing.
    for day in 1...3 {
      try input.fileHandleForWriting.write(contentsOf: Data(Self.log(day).utf8))
      #expect(try answers(1).map { $0["position"]?.integer } == [day + 2])
    }
    // The last line is not terminated yet.
    let many = (4...9).map(Self.log).joined() + "{not JSON\n\n" + Self.log(10).dropLast()
    try input.fileHandleForWriting.write(contentsOf: Data(many.utf8))
    #expect(try answers(7).map { $0["position"]?.integer } == Array(6...11) + [nil])
    try input.fileHandleForWriting.close()
    #expect(try answers(1).map { $0["position"]?.integer } == [12])
    process.waitUntilExit()
    #expect(process.terminationStatus == 1, "a line was refused")
  }

  @Test func `--as may name the account that the first line creates`() throws {
    let daybook = try Program()
    let lines = [
      #"{"do":"create_habit","name":"Too early"}"#,
      #"{"do":"create_account","key":"\#(AdasBook.ada)","timezone":"UTC"}"#,
      #"{"do":"create_habit","name":"Read"}"#,
      #"{"do":"settle"}"#,
    ]
    let run = try daybook("apply", "--as", AdasBook.ada, input: lines.joined(separator: "\n"))
    let answers = try run.lines.map { try JSON(parsing: $0) }
    #expect(
      answers.map { $0["error"]?["code"]?.text } == ["account_not_found", nil, nil, nil])
    #expect(answers[2]["ok"]?["user_id"]?.text == AdasBook.ada)
    #expect(try daybook("apply", "--as", "Ada", input: lines[2]).status == 1, "a name is looked up")
  }

  @Test func `a new book is removed again when apply receives no lines`() throws {
    let daybook = try Program()
    let run = try daybook("apply", "--as", "Nobody", input: "")
    #expect(run.status == 1 && !run.error.isEmpty)
    #expect(try daybook("streaks").status == 1, "there is no book")
  }

  @Test func `an answer states its last position and whether it changed anything`() throws {
    let ada = try AdasBook()
    let log = Self.log(1)
    let clear = log.replacing("log_habit", with: "clear_log")
    let run = try ada.daybook("apply", input: log + clear + clear)
    let answers = try run.lines.map { try JSON(parsing: $0) }
    #expect(answers.map { $0["position"]?.integer } == [3, 4, 4])
    #expect(answers.map { $0["last_position"]?.integer } == [3, 4, 4])
    #expect(answers.map { $0["changed"] } == [true, true, false])
    let words = ["clear", "Read", "--day", "2026-01-11"]
    #expect(try ada.daybook.run(words).output.contains("nothing to clear"))
    try ada.daybook("log", "Read", "--day", "2026-01-11")
    #expect(try ada.daybook.run(words).output.contains("cleared"))
  }

  @Test func `an error names its field as the line spelled it`() throws {
    let ada = try AdasBook()
    let lines = [
      #""do":"create_hive_from_habit","p_habit_id":"\#(AdasBook.ada)""#,
      #""do":"create_account","display_name":" ""#,
      #""do":"log_habit","habit":"\#(AdasBook.read)","p_at":"2999-01-01T00:00:00Z""#,
      #""do":"log_hive_today","p_hive_id":"\#(AdasBook.read)""#,
      #""do":"revoke_hive_invite","p_code":"zz""#,
      #""do":"delete_hive","p_hive_id":"\#(Self.bees)""#,
    ]
    var input =
      #"{"do":"create_hive","as":"\#(AdasBook.ada)","key":"\#(Self.bees)","name":"A"}"# + "\n"
    input += #"{"do":"create_account","key":"\#(Self.bees)","display_name":"Bob"}"# + "\n"
    input += lines.dropLast().map { #"{"as":"\#(AdasBook.ada)",\#($0)}"# + "\n" }.joined()
    input += #"{"as":"\#(Self.bees)",\#(lines[5])}"#
    let answers = try ada.daybook("apply", input: input).lines.map { try JSON(parsing: $0) }
    let errors = answers.dropFirst(2).map { $0["error"] }
    #expect(
      errors.map { $0?["field"]?.text } == [
        "p_habit_id", "display_name", "p_at", "p_hive_id", "p_code", "p_hive_id",
      ])
  }

  @Test func `an overlong line is refused, and the next one is carried out`() throws {
    let ada = try AdasBook()
    let long =
      #"{"do":""# + String(repeating: String(repeating: "x", count: 1 << 20), count: 64) + #""}"#
    let run = try ada.daybook("apply", input: Self.log(1) + long + "\n" + Self.log(2))
    let answers = try run.lines.map { try JSON(parsing: $0) }
    #expect(answers.map { $0["position"]?.integer } == [3, nil, 4])
    #expect(answers[1]["error"]?["code"]?.text == "command_too_long")
  }
}
