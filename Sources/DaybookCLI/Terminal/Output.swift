import Daybook
import DaybookStore
import Foundation

/// Standard output, written in large pieces; and whether it is a terminal that shows colour.
enum Output {
  /// Whether a person reads: standard output is a terminal.
  static let isTerminal = isatty(1) == 1
  /// Whether to colour: on a terminal, unless NO_COLOR is set (https://no-color.org).
  static let hasColor =
    isTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  /// How many columns the terminal has; 80 when it does not say.
  static var terminalWidth: Int {
    if let text = ProcessInfo.processInfo.environment["COLUMNS"], let width = Int(text), width > 0 {
      return width
    }
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  // Only the command that runs writes, one thread at a time: there is one command, and what it awaits is done
  // before it goes on.
  nonisolated(unsafe) private static var buffer: [UInt8] = []
  /// Whether nobody reads any more.
  nonisolated(unsafe) private(set) static var isClosed = false

  /// Whether nothing was written yet.
  static var isUntouched: Bool { buffer.isEmpty && !wasFlushed }
  nonisolated(unsafe) private static var wasFlushed = false

  /// Writes a line.
  static func line(_ text: String = "") {
    buffer.append(contentsOf: text.utf8)
    buffer.append(0x0A)
    if buffer.count > 1 << 16 { flush() }
  }

  /// Writes an answer as a line of JSON, a piece at a time.
  static func answer(_ answer: some QuestionAnswer) {
    answer.writePieces { Output.bytes($0) }
    line()
  }

  /// Writes bytes of text as they are.
  static func bytes(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    if buffer.count > 1 << 16 { flush() }
  }

  /// Writes text as it is.
  static func text(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > 1 << 16 { flush() }
  }

  /// Hands over what was written so far.
  static func flush() {
    var start = 0
    if !buffer.isEmpty { wasFlushed = true }
    while start < buffer.count {
      let written = buffer.withUnsafeBytes { bytes in
        write(1, bytes.baseAddress?.advanced(by: start), buffer.count - start)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        // Nobody reads any more, as with `| head`: there is nothing left to say, and nothing went wrong.
        guard errno != EPIPE else {
          isClosed = true
          break
        }
        let reason = String(cString: strerror(errno)).lowercased()
        // Half an answer must not pass for a whole one.
        buffer.removeAll()
        note("Could not write the answer: \(reason); free some space and ask again.")
        exit(1)
      }
      start += written
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Says something beside the answer, on standard error.
  static func note(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
