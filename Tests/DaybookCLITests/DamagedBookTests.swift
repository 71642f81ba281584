import Avro
import Foundation
import Testing

/// The program's output for a locked, damaged or newer book.
@Suite(.tags(.damage)) struct DamagedBookTests {
  @Test func `a second writer is told which process holds the book (exit 4)`() throws {
    let ada = try AdasBook()
    let fifo = ada.daybook.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    let holder = Process()
    holder.executableURL = URL(fileURLWithPath: "/bin/sh")
    let binary = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("daybook").path
    holder.arguments = [
      "-c", "exec '\(binary)' apply '\(fifo)' --book '\(ada.daybook.path("my.daybook"))'",
    ]
    holder.standardOutput = FileHandle.nullDevice
    try holder.run()
    // Opening the fifo for writing returns once the holder reads from it, and the holder reads once it has the book.
    let writer = try #require(FileHandle(forWritingAtPath: fifo))
    var answer = try ada.daybook("log", "Read")
    for _ in 0..<200 where answer.status != 4 { answer = try ada.daybook("log", "Read") }
    #expect(answer.status == 4)
    #expect(answer.error.contains("process \(holder.processIdentifier) on "))
    #expect(try ada.daybook("today").status == 0, "reading needs no lock")
    try writer.close()
    holder.waitUntilExit()
    #expect(try ada.daybook("log", "Read").status == 0)
  }

  @Test func `a flipped bit before the last commit is corruption, and nothing is cut`() throws {
    let ada = try AdasBook()
    try ada.daybook("log", "Read", "--at", "2026-03-01T09:00:00Z")
    let file = ada.daybook.path("my.daybook/journal/00000000000000000001.avro")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let frame = try #require(bytes.range(of: Data([0x28, 0xB5, 0x2F, 0xFD])))
    bytes[frame.lowerBound + 12] ^= 1
    try bytes.write(to: URL(fileURLWithPath: file))
    for words in [["today"], ["log", "Read"], ["dump", "--json"]] {
      let run = try ada.daybook.run(words)
      #expect(run.status == 3)
      let said = words.contains("--json") ? run.output : run.error
      #expect(said.contains("damaged") && said.contains("at byte"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
  }

  @Test func `a damaged entry count is reported with file and byte (exit 3)`() throws {
    let ada = try AdasBook()
    let file = ada.daybook.path("my.daybook/journal/00000000000000000001.avro")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let frame = try #require(bytes.range(of: Data([0x28, 0xB5, 0x2F, 0xFD])))
    // Before the frame are the count (one entry: 2) and the byte count, which takes two bytes here.
    let count = try #require((1...3).map { frame.lowerBound - $0 }.last { bytes[$0] == 2 })
    bytes[count] = 4
    try bytes.write(to: URL(fileURLWithPath: file))
    let run = try ada.daybook("today")
    #expect(run.status == 3)
    let place = "my.daybook/journal/00000000000000000001.avro at byte \(count), after entry 0"
    #expect(run.error.contains(place), "\(run.error)")
  }

  @Test func `a torn tail is reported, not counted, and cut off by the next writer`() throws {
    let ada = try AdasBook()
    try ada.daybook("log", "Read", "--at", "2026-03-01T09:00:00Z")
    let file = ada.daybook.path("my.daybook/journal/00000000000000000001.avro")
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    try whole.dropLast(7).write(to: URL(fileURLWithPath: file))
    let seen = try ada.daybook("history", "Read", "--json")
    #expect(seen.status == 0)
    #expect(seen.error.contains("never finished"))
    #expect(try seen.json().elements?.count == 1, "the habit's creation alone")
    let logged = try ada.daybook("log", "Read", "--at", "2026-03-01T09:00:00Z")
    #expect(logged.status == 0)
    #expect(logged.error.contains("cut off"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == whole)
  }

  @Test func `a book of a newer format is left unchanged (exit 3)`() throws {
    let ada = try AdasBook()
    let file = ada.daybook.path("my.daybook/journal/00000000000000000001.avro")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let key = try #require(bytes.range(of: Data("daybook.format".utf8)))
    bytes[key.upperBound + 1] = UInt8(ascii: "4")
    try bytes.write(to: URL(fileURLWithPath: file))
    let run = try ada.daybook("today")
    #expect(run.status == 3)
    #expect(run.error.contains("newer"))
  }
}
