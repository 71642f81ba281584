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
  @OptionGroup var secret: PepperOptions

  @Argument(help: "A file of JSON Lines, or - for standard input.")
  var file: String = "-"

  mutating func run() throws {
    let lines = try LineReader(path: file)
    let pepper = try secret.pepper()
    let exists = try options.reader.journal.exists()
    let book =
      exists ? try options.open(pepper: pepper) : try Book(at: options.path, pepper: pepper)
    if !exists { Output.note("Made a new book at \(options.path).") }
    let chosen = try book.read { try actor.chosen(in: $0) }
    var hasRefusal = false
    // A book that was made for lines of which none was accepted goes again: its name was a slip.
    defer { if !exists, book.read({ $0.position }) == 0 { Import.remove(options.path) } }
    while let line = try lines.next() {
      guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else { continue }
      let account = try chosen ?? book.read { try $0.onlyAccount() }
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
  private let path: String
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(path: String) throws {
    self.path = path
    if path == "-" {
      handle = .standardInput
    } else {
      guard let handle = FileHandle(forReadingAtPath: path) else {
        throw Failure("file_not_found", "Could not read \(path); check the path.")
      }
      self.handle = handle
    }
  }

  /// The bytes of the next line without its end; `nil` after the last.
  func next() throws -> [UInt8]? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      if isAtEnd {
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return Array(buffer[start...])
      }
      buffer.removeFirst(start)
      start = 0
      searched = buffer.count
      let more = try read()
      if more.isEmpty { isAtEnd = true } else { buffer.append(contentsOf: more) }
    }
  }

  /// What has come by now, without waiting for more than one byte of it; nothing at the end.
  private func read() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = bytes.withUnsafeMutableBytes {
        Foundation.read(handle.fileDescriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        let reason = String(cString: strerror(errno)).lowercased()
        throw Failure("file_unreadable", "Could not read \(path): \(reason); check the path.")
      }
      return Array(bytes[..<count])
    }
  }
}
