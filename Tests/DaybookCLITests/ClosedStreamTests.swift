import Foundation
import Testing

/// A program with a closed or full stream does its work or reports a failure, and does not crash.
@Suite(.tags(.program)) struct ClosedStreamTests {
  /// Runs a shell command in which the program is `$DAYBOOK_PROGRAM`.
  private func shell(_ line: String, in book: AdasBook) throws -> (status: Int32, output: String) {
    let program = try book.daybook.process([])
    let path = try #require(program.executableURL?.path)
    program.environment?["DAYBOOK_PROGRAM"] = path
    program.executableURL = URL(fileURLWithPath: "/bin/sh")
    program.arguments = ["-c", line]
    let output = Pipe()
    program.standardOutput = output
    program.standardError = FileHandle.nullDevice
    program.standardInput = FileHandle.nullDevice
    try program.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    program.waitUntilExit()
    return (program.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  @Test(
    arguments: [
      ("log Nosuch 2>/dev/full", 1), ("log Read --bogus 2>/dev/full", 2),
      ("log Nosuch 2>&-", 1), ("log Nosuch <&- 2>&-", 1), ("log Nosuch <&- >&- 2>&-", 1),
      ("habits --book nowhere 2>/dev/full", 1), ("log Read 2>/dev/full", 0),
      ("habits >/dev/full", 1), ("habits >/dev/full 2>&1", 1), ("habits >&- 2>&-", 1),
    ])
  func `a closed or full output stream gives an ordinary exit code, not a crash`(
    _ words: String, _ status: Int
  ) throws {
    let run = try shell("\"$DAYBOOK_PROGRAM\" \(words)", in: AdasBook())
    #expect(run.status == Int32(status), "\(words)")
  }

  @Test(arguments: ["apply", "ask"])
  func `a closed stdin counts as empty and is not waited for`(_ name: String) throws {
    let book = try AdasBook()
    let run = try shell(
      "timeout 60 \"$DAYBOOK_PROGRAM\" \(name) --book my.daybook <&-", in: book)
    #expect(run.status == 1 || run.status == 2, "\(run)")
    #expect(try book.daybook("verify").status == 0)
  }

  @Test func `a full stderr does not prevent a new book`() throws {
    let book = try AdasBook()
    let line = #"{"do":"create_account","display_name":"Noor"}"#
    let run = try shell(
      "echo '\(line)' | \"$DAYBOOK_PROGRAM\" apply --book new.daybook 2>/dev/full", in: book)
    #expect(run.status == 0 && run.output.contains("\"ok\""), "\(run)")
    #expect(try book.daybook("verify", "--book", "new.daybook").status == 0)
  }
}
