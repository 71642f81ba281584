import Avro
import Foundation
import Testing

/// `daybook tail`, while other processes record.
@Suite(.tags(.program), .timeLimit(.minutes(60))) struct TailTests {
  @Test func `a tail shows entries from other processes, also when segments are sealed`() throws {
    let ada = try AdasBook()
    let tail = try Follower(ada.daybook, ["tail", "--from", "1", "--json"])
    #expect(try tail.next(2).map { try position($0) } == [1, 2])
    for day in 1...6 {
      try ada.daybook("log", "Read", "--at", "2026-03-0\(day)T21:00:00Z")
      if day % 2 == 0 { try ada.daybook("seal") }
    }
    let lines = try tail.next(6)
    #expect(try lines.map { try position($0) } == [3, 4, 5, 6, 7, 8])
    let export = try ada.daybook("export").lines
    #expect(lines == Array(export.suffix(6)))
    let (reason, errors) = try tail.interrupt()
    #expect(reason == .exit)
    #expect(errors == "")
  }

  @Test func `text output has one line per entry, and starts with the last ten`() throws {
    let ada = try AdasBook()
    for day in 1...9 {
      try ada.daybook("log", "Read", "--day", "2026-02-0\(day)", "--at", "2026-03-01T09:00:00Z")
    }
    try ada.daybook("skip", "Read", "--note", "a\nfever", "--at", "2026-03-02T21:00:00Z")
    let tail = try Follower(ada.daybook, ["tail"])
    let lines = try tail.next(10)
    let expected = """
            3  2026-03-01T09:00:00Z  HabitLogged           Read  2026-02-01  1  by Ada
           12  2026-03-02T21:00:00Z  HabitDaySkipped       Read  2026-03-02  by Ada  “a fever”
      """
    #expect([lines[0], lines[9]] == expected.split(separator: "\n").map(String.init))
    _ = try tail.interrupt()
    #expect(try ada.daybook("tail", "--from", "0").status == 2)
    #expect(try ada.daybook("tail", "--book", "nowhere").status == 1)
  }

  @Test func `a tail ends quietly when its reader closes the pipe`() throws {
    let ada = try AdasBook()
    let tail = try Follower(ada.daybook, ["tail", "--from", "1"])
    _ = try tail.next(2)
    tail.stopReading()
    try ada.daybook("log", "Read", "--at", "2026-03-01T21:00:00Z")
    let errors = try tail.waitUntilExit()
    #expect(errors == "")
  }

  private func position(_ line: String) throws -> Int? {
    try JSON(parsing: line)["position"]?.integer
  }
}

/// A running `daybook` whose lines are read as they arrive.
private final class Follower {
  private let process: Process
  private let output = Pipe()
  private let errors = Pipe()
  private var buffer = Data()

  init(_ daybook: Program, _ words: [String]) throws {
    process = try daybook.process(words)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// The next lines; waits for them.
  func next(_ count: Int) throws -> [String] {
    var lines: [String] = []
    while lines.count < count {
      if let end = buffer.firstIndex(of: 0x0A) {
        lines.append(String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self))
        buffer = Data(buffer[buffer.index(after: end)...])
        continue
      }
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the tail ended: \(lines)")
      buffer.append(more)
    }
    return lines
  }

  func stopReading() { try? output.fileHandleForReading.close() }

  func interrupt() throws -> (Process.TerminationReason, String) {
    process.interrupt()
    let errors = try waitUntilExit()
    return (process.terminationReason, errors)
  }

  func waitUntilExit() throws -> String {
    process.waitUntilExit()
    let data = try errors.fileHandleForReading.readToEnd() ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}
