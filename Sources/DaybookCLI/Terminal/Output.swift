import Daybook
import DaybookStore
import Foundation

/// Buffered standard output, or a pager for it.
enum Output {
  // Only the running command writes, and only on one thread at a time: there is one command, and it awaits
  // its work before it continues.
  nonisolated(unsafe) private static var buffer: [UInt8] = []
  /// Whether the reader has closed the output.
  nonisolated(unsafe) private(set) static var isClosed = false
  nonisolated(unsafe) private static var wasFlushed = false
  nonisolated(unsafe) private static var pager: Pager?
  /// The number of buffered lines that have not been shown.
  nonisolated(unsafe) private static var heldLineCount = 0

  /// The screen that answers are laid out for.
  nonisolated(unsafe) static var screen = TerminalScreen()
  /// Whether the arguments ask for JSON.
  nonisolated(unsafe) static var isForPrograms = false {
    didSet { if isForPrograms { screen = .ofPrograms } }
  }

  /// Whether nothing has been written.
  static var isUntouched: Bool { buffer.isEmpty && !wasFlushed }

  /// Writes a line, wrapped to the width of the screen.
  static func line(_ text: String = "", indentation: Int? = nil) {
    guard let width = screen.columnCount else { return whole(text) }
    for line in text.wrapped(to: width, indentation: indentation) { whole(line) }
  }

  /// Writes a line that is never wrapped.
  static func whole(_ text: String) {
    // Output for programs has its own escapes for control characters.
    buffer.append(contentsOf: (isForPrograms ? text : text.withoutSteering).utf8)
    buffer.append(0x0A)
    heldLineCount += 1
    passOn()
  }

  /// Writes an answer as a line of JSON, piece by piece.
  static func answer(_ answer: some QuestionAnswer) {
    answer.writePieces { Output.bytes($0) }
    whole("")
  }

  /// Writes raw bytes of text.
  static func bytes(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    if screen.rowCount != nil { heldLineCount += bytes.count { $0 == 0x0A } }
    passOn()
  }

  /// Writes raw text.
  static func text(_ text: String) { bytes(Array(text.utf8)) }

  /// Flushes a full buffer, or starts a pager when the answer exceeds the screen.
  private static func passOn() {
    if let rows = screen.rowCount, !wasFlushed, heldLineCount >= rows {
      pager = Pager()
      flush()
    } else if buffer.count > 1 << 16 {
      flush()
    }
  }

  /// Flushes the buffer.
  static func flush() {
    var start = 0
    if !buffer.isEmpty { wasFlushed = true }
    // No progress bar may appear among the lines of an answer.
    if isatty(STDOUT_FILENO) == 1 { ProgressBar.end() }
    let descriptor = pager?.descriptor ?? STDOUT_FILENO
    while start < buffer.count {
      let written = buffer.withUnsafeBytes { bytes in
        write(descriptor, bytes.baseAddress?.advanced(by: start), buffer.count - start)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        // The reader has closed the output, as `| head` does: there is nothing left to print, and nothing
        // went wrong.
        guard errno != EPIPE else {
          isClosed = true
          break
        }
        let reason = String(cString: strerror(errno)).lowercased()
        // Half an answer must not pass for a whole one.
        buffer.removeAll()
        note(
          "Could not write the answer: \(reason); free some space. What was recorded stays "
            + "recorded; a question can be asked again."
        )
        exit(1)
      }
      start += written
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Flushes everything, and returns when the user quits the pager; called last.
  static func finish() {
    ProgressBar.end()
    flush()
    pager?.close()
    pager = nil
  }

  /// Prints a remark on standard error.
  static func note(_ text: String) {
    ProgressBar.clear()
    StandardStreams.writeAll(text.withoutSteering + "\n")
  }
}
