import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Foundation
import Journal

struct Apply: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Carry out commands, one JSON object a line; answer each once it is on disk.",
    discussion: """
      The commands: \(Request.names.joined(separator: ", ")). A refused line is answered with an error \
      that names the field, and the following lines still run; the exit code is then 1.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions

  @Argument(help: "A file of JSON Lines, or - for standard input.")
  var file: String = "-"

  mutating func run() throws {
    let lines = try LineReader(path: file)
    let exists = try options.reader.journal.exists()
    let book = exists ? try options.open() : try Book(at: options.path)
    if !exists { Output.note("Made a new book at \(options.path).") }
    let account = try book.read { try actor.chosen(in: $0) }
    var hasRefusal = false
    while let line = try lines.next() {
      guard !line.allSatisfy(\.isWhitespace) else { continue }
      let outcome = try book.apply(line: line, by: account)
      if !outcome.isAccepted { hasRefusal = true }
      Output.line(outcome.json.encoded)
      Output.flush()
    }
    if hasRefusal { throw ExitCode(1) }
  }
}

/// Reads lines from a file or standard input as they come, each as soon as it is whole.
final class LineReader {
  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(path: String) throws {
    if path == "-" {
      handle = .standardInput
    } else {
      guard let handle = FileHandle(forReadingAtPath: path) else {
        throw Failure("file_not_found", "Could not read \(path); check the path.")
      }
      self.handle = handle
    }
  }

  /// The next line without its end; `nil` after the last.
  func next() throws -> String? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let line = String(decoding: buffer[start..<end], as: UTF8.self)
        start = end + 1
        return line
      }
      if isAtEnd {
        guard start < buffer.count else { return nil }
        let line = String(decoding: buffer[start...], as: UTF8.self)
        start = buffer.count
        return line
      }
      buffer.removeFirst(start)
      start = 0
      searched = buffer.count
      let data = handle.availableData
      if data.isEmpty { isAtEnd = true } else { buffer.append(contentsOf: data) }
    }
  }
}
