import Avro
import Foundation
import Testing

/// `daybook apply`, whose lines come one by one or all at once.
@Suite(.tags(.unit), .timeLimit(.minutes(15))) struct ApplyTests {
  private static func log(_ day: Int) -> String {
    #"{"do":"log_habit","habit":"\#(AdasBook.read)","day":"2026-01-\#(day + 10)"}"# + "\n"
  }

  @Test func `a single line is answered at once, and lines that come together in order`() throws {
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
    // The next line is not written before the answer is there: so it waits for none.
    for day in 1...3 {
      try input.fileHandleForWriting.write(contentsOf: Data(Self.log(day).utf8))
      #expect(try answers(1).map { $0["position"]?.integer } == [day + 2])
    }
    // The last one has no end yet.
    let many = (4...9).map(Self.log).joined() + "{not JSON\n\n" + Self.log(10).dropLast()
    try input.fileHandleForWriting.write(contentsOf: Data(many.utf8))
    #expect(try answers(7).map { $0["position"]?.integer } == Array(6...11) + [nil])
    try input.fileHandleForWriting.close()
    #expect(try answers(1).map { $0["position"]?.integer } == [12])
    process.waitUntilExit()
    #expect(process.terminationStatus == 1, "a line was refused")
  }

  @Test func `the only account acts from the line on that made it`() throws {
    let daybook = try Program()
    let lines = [
      #"{"do":"create_account","display_name":"Ada","timezone":"UTC"}"#,
      #"{"do":"create_habit","name":"Read"}"#,
      #"{"do":"create_account","display_name":"Bob","timezone":"UTC"}"#,
      #"{"do":"create_habit","name":"Swim"}"#,
    ]
    let run = try daybook("apply", input: lines.joined(separator: "\n"))
    #expect(
      try run.lines.map { try JSON(parsing: $0)["error"]?["code"]?.text }
        == [nil, nil, nil, "actor_missing"])
  }

  @Test func `a line that is too long is refused, and the next one is carried out`() throws {
    let ada = try AdasBook()
    let long =
      #"{"do":""# + String(repeating: String(repeating: "x", count: 1 << 20), count: 64) + #""}"#
    let run = try ada.daybook("apply", input: Self.log(1) + long + "\n" + Self.log(2))
    let answers = try run.lines.map { try JSON(parsing: $0) }
    #expect(answers.map { $0["position"]?.integer } == [3, nil, 4])
    #expect(answers[1]["error"]?["code"]?.text == "command_too_long")
  }
}
