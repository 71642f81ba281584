import Avro
import Foundation
import Testing

/// Bad input of every kind: one sentence, the right exit code, and an unchanged book.
@Suite(.tags(.program)) struct BadInputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var words: [String]
    var status: Int32
    var sentence: String
    var testDescription: String { words.joined(separator: " ") }
  }

  static let cases = [
    Case(
      words: ["log", "Zzz"], status: 1,
      sentence: "No habit's name has a word that begins with \"Zzz\""),
    Case(words: ["log", "Read", "--day", "2026-02-30"], status: 2, sentence: "2026-02-30"),
    Case(words: ["log", "Read", "--day", "2999-01-01"], status: 1, sentence: "has not come yet"),
    Case(words: ["log", "Read", "1.2345"], status: 2, sentence: "1.2345"),
    Case(
      words: ["log", "Read", "--at", "2020-01-01T00:00:00Z"], status: 1,
      sentence: "never runs backwards"),
    Case(words: ["log", "Read", "--at", "soon"], status: 2, sentence: "--at"),
    Case(
      words: ["log", "Read", "--as", "Nobody"], status: 1,
      sentence: "No account's name has a word that begins with \"Nobody\""),
    Case(words: ["log", "Read", "--id", "7"], status: 2, sentence: "--id"),
    Case(
      words: ["skip", "00000000-0000-4000-8000-0000000000ff"], status: 1,
      sentence: "no such habit"),
    Case(words: ["habits", "add", ""], status: 1, sentence: "needs a name"),
    Case(words: ["habits", "add", "Run", "--target", "0"], status: 1, sentence: "greater than 0"),
    Case(words: ["habits", "add", "Run", "--schedule", "8/7"], status: 2, sentence: "schedule"),
    Case(words: ["habits", "add", "Run", "--color", "red"], status: 1, sentence: "red"),
    Case(words: ["habits", "add", "Run", "--remind", "25:00"], status: 2, sentence: "--remind"),
    Case(words: ["streaks", "--rule", "mine"], status: 2, sentence: "mine"),
    Case(words: ["streaks", "--as-of", "someday"], status: 2, sentence: "--as-of"),
    Case(words: ["streaks", "--on", "2999-01-01"], status: 1, sentence: "has not come yet"),
    Case(
      words: ["audit", "Read", "--from", "2026-03-02", "--to", "2026-03-01"], status: 2,
      sentence: "--from"),
    Case(words: ["heatmap", "Read", "--year", "0"], status: 2, sentence: "--year"),
    Case(words: ["history", "Read", "--limit", "0"], status: 2, sentence: "--limit"),
    Case(words: ["stats", "--by", "fortnight"], status: 2, sentence: "fortnight"),
    Case(words: ["export", "--format", "xml"], status: 2, sentence: "xml"),
    Case(words: ["import", "loop", "nowhere"], status: 1, sentence: "nowhere"),
    Case(words: ["import", "jsonl", "nowhere"], status: 1, sentence: "nowhere"),
    Case(words: ["apply", "nowhere"], status: 1, sentence: "nowhere"),
    Case(words: ["init"], status: 1, sentence: "already"),
    Case(words: ["init", "--book", "other", "--timezone", "UTC+5"], status: 1, sentence: "UTC+5"),
    Case(
      words: ["today", "--book", "nowhere"], status: 1, sentence: "There is no book at nowhere"),
    Case(words: ["today", "--book", "."], status: 1, sentence: "is not a book"),
    Case(words: ["fly"], status: 2, sentence: "fly"),
    Case(words: ["log"], status: 2, sentence: "habit"),
  ]

  @Test("bad input is refused in one sentence, and changes nothing", arguments: cases)
  func refused(_ bad: Case) throws {
    let ada = try AdasBook()
    let before = try ada.journal()
    let run = try ada.daybook.run(bad.words)
    #expect(run.status == bad.status, "\(run)")
    #expect(run.error.contains(bad.sentence), "\(run.error)")
    #expect(run.output.isEmpty)
    #expect(try ada.journal() == before)
  }

  @Test func `an unknown word on the command line creates no book`() throws {
    let daybook = try Program()
    _ = try daybook("today")
    #expect(!FileManager.default.fileExists(atPath: daybook.path("my.daybook")))
  }

  @Test func `a bad line is answered with its field, and the following lines still run`() throws {
    let ada = try AdasBook()
    let lines = [
      (#"{"do":"fly"}"#, "unknown_command", "do"),
      (#"{"do":"log_habit","as":"A","habit":"H","valeu":1}"#, "unknown_field", "valeu"),
      (#"{"do":"log_habit","as":"A","habit":"H","value":"1"}"#, "invalid_field", "value"),
      (#"{"do":"log_habit","as":"A","habit":"H","day":"2026-02-30"}"#, "invalid_field", "day"),
      (#"{"do":"log_habit","as":"A","habit":"H","day":"2999-01-01"}"#, "future_day", "day"),
      (#"{"do":"log_habit","as":"A","habit":"h"}"#, "invalid_field", "habit"),
      (#"{"do":"log_habit","as":"A"}"#, "missing_field", "habit"),
      (
        #"{"do":"log_habit","as":"A","habit":"H","at":"2020-01-01T00:00:00Z"}"#, "clock_backwards",
        "at"
      ),
      (#"{"do":"update_profile","as":"A","timezone":"UTC+5"}"#, "unknown_timezone", "timezone"),
      (#"{"do":"create_habit","as":"A","name":" "}"#, "empty_name", "name"),
      (
        #"{"do":"create_habit","as":"A","name":"x","target_per_day":0}"#, "invalid_target",
        "target_per_day"
      ),
      (
        #"{"do":"create_habit","as":"A","name":"x","schedule_weekmask":0}"#, "invalid_field",
        "schedule_weekmask"
      ),
      (
        #"{"do":"create_habit","as":"A","name":"x","schedule_weekmask":128}"#, "invalid_field",
        "schedule_weekmask"
      ),
    ]
    var input = lines.map(\.0).joined(separator: "\n") + "\nnot json\n\n"
    input += #"{"do":"log_habit","as":"A","habit":"H","at":"2026-03-01T09:00:00Z"}"#
    input = input.replacingOccurrences(of: "\"A\"", with: "\"\(AdasBook.ada)\"")
      .replacingOccurrences(of: "\"H\"", with: "\"\(AdasBook.read)\"")
    let run = try ada.daybook("apply", input: input)
    #expect(run.status == 1)
    let answers = try run.lines.map { try JSON(parsing: $0) }
    try #require(answers.count == lines.count + 2)
    for (answer, line) in zip(answers, lines) {
      #expect(answer["error"]?["code"]?.text == line.1, "\(line.0)")
      #expect(answer["error"]?["field"]?.text == line.2, "\(line.0)")
      #expect(answer["error"]?["message"]?.text?.isEmpty == false)
    }
    #expect(answers[lines.count]["error"]?["code"]?.text == "invalid_json")
    #expect(answers[lines.count + 1]["position"]?.integer == 3)
  }

  @Test func `apply never guesses the actor`() throws {
    let ada = try AdasBook()
    let line = #"{"do":"log_habit","habit":"\#(AdasBook.read)","at":"2026-03-01T09:00:00Z"}"#
    let alone = try ada.daybook("apply", input: line)
    #expect(alone.status == 1)
    #expect(try alone.json()["error"]?["code"]?.text == "actor_missing")
    #expect(try ada.daybook("apply", "--as", "Ada", input: line).status == 0)
    let second = #"{"do":"create_account","display_name":"Ben","at":"2026-03-01T09:00:00Z"}"#
    let run = try ada.daybook("apply", input: second + "\r\n\n" + line)
    #expect(run.status == 1)
    #expect(try JSON(parsing: run.lines[1])["error"]?["code"]?.text == "actor_missing")
    let rows = try ada.daybook("export").lines.map { try JSON(parsing: $0) }
    #expect(rows.last?["actor"] == .null, "there is no actor for a new account")
  }

  @Test func `apply creates no book over another file, or for lines that are all refused`() throws {
    let daybook = try Program()
    let files = FileManager.default
    try files.createDirectory(atPath: daybook.path("papers"), withIntermediateDirectories: true)
    try Data("hi".utf8).write(to: URL(fileURLWithPath: daybook.path("papers/letter")))
    for words in [["init"], ["init", "--name", "Ada"], ["apply"]] {
      let run = try daybook.run(words + ["--book", "papers"], input: #"{"do":"create_account"}"#)
      #expect(run.status == 1)
      #expect(run.error.contains("is not a book"), "\(run.error)")
      #expect(try files.contentsOfDirectory(atPath: daybook.path("papers")) == ["letter"])
    }
    #expect(try daybook("apply", "--book", "slip", input: #"{"do":"fly"}"#).status == 1)
    #expect(!files.fileExists(atPath: daybook.path("slip")))
    #expect(try daybook("apply", "papers").status == 1, "a directory is not a file of commands")
  }

  @Test func `invalid UTF-8 and control characters are refused, not repaired`() throws {
    let ada = try AdasBook()
    let file = ada.daybook.path("lines")
    var bytes = Array(#"{"do":"create_habit","as":"\#(AdasBook.ada)","name":"a"#.utf8)
    bytes += [0xFF, 0xFE] + Array("\"}\n".utf8)
    bytes += Array(#"{"do":"create_habit","as":"\#(AdasBook.ada)","name":"a\u001bb"}"#.utf8)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    let run = try ada.daybook("apply", file)
    let codes = try run.lines.map { try JSON(parsing: $0)["error"]?["code"]?.text }
    #expect(codes == ["invalid_json", "invalid_name"])
  }

  @Test func `an answer that cannot be written ends the program with an error (exit 1)`() throws {
    let ada = try AdasBook()
    let shell = Process()
    let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("daybook").path
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c",
      "exec '\(binary)' export --book '\(ada.daybook.path("my.daybook"))' >/dev/full 2>/dev/null",
    ]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 1)
  }

  @Test func `every command that names another account's habit is refused`() throws {
    let ada = try AdasBook()
    let ben = "00000000-0000-4000-8000-00000000000b"
    try ada.daybook(
      "apply",
      input:
        #"{"do":"create_account","key":"\#(ben)","display_name":"Ben","at":"2026-03-01T08:02:00Z"}"#
    )
    for words in [
      ["log"], ["clear"], ["skip"], ["audit"], ["heatmap"], ["history"], ["habits", "archive"],
    ] {
      let run = try ada.daybook.run(words + [AdasBook.read, "--as", "Ben"])
      #expect(run.status == 1)
      #expect(run.error.contains("owner"), "\(words): \(run.error)")
    }
  }

  @Test func `an ambiguous number lists its candidates with their keys`() throws {
    let ada = try AdasBook()
    try ada.daybook(
      "habits", "add", "12", "--key", "00000000-0000-4000-8000-000000000012", "--at",
      "2026-03-01T08:02:00Z")
    let run = try ada.daybook("log", "1", "--at", "2026-03-01T09:00:00Z")
    #expect(
      run.error == """
        "1" may be "Read" (00000000-0000-4000-8000-000000000001) or "12" \
        (00000000-0000-4000-8000-000000000012); give more of the name, or the key.

        """)
  }

  @Test func `a total above the daily maximum is refused`() throws {
    let ada = try AdasBook()
    try ada.daybook("log", "Read", "1000000000", "--at", "2026-03-01T09:00:00Z")
    let run = try ada.daybook("log", "Read", "+5", "--at", "2026-03-01T10:00:00Z")
    #expect(run.status == 1)
    #expect(
      run.error
        == "1000000000 and 5 are more than 1000000000, the most that a day can hold.\n")
  }

  @Test func `an ambiguous name lists its candidates`() throws {
    let ada = try AdasBook()
    try ada.daybook("habits", "add", "Reading list", "--at", "2026-03-01T08:03:00Z")
    let run = try ada.daybook("audit", "rea")
    #expect(run.status == 1)
    #expect(run.error.contains("\"Read\"") && run.error.contains("\"Reading list\""))
    #expect(try ada.daybook("audit", "read").status == 0, "a whole name is not ambiguous")
  }

  @Test func `among names that differ only in case, the exact spelling wins`() throws {
    let ada = try AdasBook()
    try ada.daybook("habits", "add", "read", "--yes", "--at", "2026-03-01T08:03:00Z")
    #expect(try ada.daybook("audit", "read").status == 0)
    let run = try ada.daybook("audit", "READ")
    #expect(
      run.error == """
        "READ" may be 1 "Read" or 2 "read"; give more of the name, or the number.

        """)
    #expect(try ada.daybook("audit", "2").output.hasPrefix("read: "), "a number from the list")
  }
}
