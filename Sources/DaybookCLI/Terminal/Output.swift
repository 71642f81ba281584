import Daybook
import DaybookStore
import Foundation

/// Standard output, written in large pieces, or what pages it.
enum Output {
  // Only the command that runs writes, one thread at a time: there is one command, and what it awaits is done
  // before it goes on.
  nonisolated(unsafe) private static var buffer: [UInt8] = []
  /// Whether nobody reads any more.
  nonisolated(unsafe) private(set) static var isClosed = false
  nonisolated(unsafe) private static var wasFlushed = false
  nonisolated(unsafe) private static var pager: Pager?
  /// How many lines were begun that nobody was shown yet.
  nonisolated(unsafe) private static var heldLineCount = 0

  /// What answers are laid out for.
  nonisolated(unsafe) static var screen = Screen()
  /// Whether the words ask for JSON.
  nonisolated(unsafe) static var isForPrograms = false {
    didSet { if isForPrograms { screen = .ofPrograms } }
  }

  /// Whether nothing was written yet.
  static var isUntouched: Bool { buffer.isEmpty && !wasFlushed }

  /// Writes a line, or several where it is wider than the screen.
  static func line(_ text: String = "", indentation: Int? = nil) {
    guard let width = screen.columnCount else { return whole(text) }
    for line in text.wrapped(to: width, indentation: indentation) { whole(line) }
  }

  /// Writes a line that is never broken.
  static func whole(_ text: String) {
    // What programs read has its own form for everything.
    buffer.append(contentsOf: (isForPrograms ? text : text.withoutSteering).utf8)
    buffer.append(0x0A)
    heldLineCount += 1
    passOn()
  }

  /// Writes an answer as a line of JSON, a piece at a time.
  static func answer(_ answer: some QuestionAnswer) {
    answer.writePieces { Output.bytes($0) }
    whole("")
  }

  /// Writes bytes of text as they are.
  static func bytes(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    if screen.rowCount != nil { heldLineCount += bytes.count { $0 == 0x0A } }
    passOn()
  }

  /// Writes text as it is.
  static func text(_ text: String) { bytes(Array(text.utf8)) }

  /// Hands over what is more than is held, to a pager where it is more than the screen shows.
  private static func passOn() {
    if let rows = screen.rowCount, !wasFlushed, heldLineCount >= rows {
      pager = Pager()
      flush()
    } else if buffer.count > 1 << 16 {
      flush()
    }
  }

  /// Hands over what was written so far.
  static func flush() {
    var start = 0
    if !buffer.isEmpty { wasFlushed = true }
    // Among the lines of an answer no bar comes any more.
    if isatty(STDOUT_FILENO) == 1 { Progress.end() }
    let descriptor = pager?.descriptor ?? STDOUT_FILENO
    while start < buffer.count {
      let written = buffer.withUnsafeBytes { bytes in
        write(descriptor, bytes.baseAddress?.advanced(by: start), buffer.count - start)
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
        note(
          "Could not write the answer: \(reason); free some space. What was recorded stays so; a question can be asked again."
        )
        exit(1)
      }
      start += written
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Hands everything over, and returns once a pager's reader has had enough: the last that is done.
  static func finish() {
    Progress.end()
    flush()
    pager?.close()
    pager = nil
  }

  /// Says something beside the answer, on standard error.
  static func note(_ text: String) {
    Progress.clear()
    StandardStreams.tell(text.withoutSteering + "\n")
  }
}
