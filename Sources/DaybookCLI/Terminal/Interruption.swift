import DaybookStore
import Foundation
import Journal
import Synchronization

/// Ends the program on Ctrl-C (SIGINT) as soon as no commit is being written, and reports that the book is
/// whole. The exit code is 130, as in shells.
enum Interruption {
  private struct State {
    /// The book being written, if any.
    weak var book: Book?
    /// Undoes the work begun, given the last entry on disk.
    var undo: (@Sendable (Position?) -> Void)?
    /// Whether an interruption is the normal end of the command.
    var isExpected = false
  }

  private static let state = Mutex(State())
  /// The descriptor that the signal handler writes to, since it may do little else. Set once, before the
  /// handler is installed.
  nonisolated(unsafe) private static var alarm: Int32 = -1

  /// Starts watching for the signal.
  static func watch() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    let listener = ends[0]
    alarm = ends[1]
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while read(listener, &byte, 1) < 0, errno == EINTR {}
      end()
    }
    signal(SIGINT) { _ in
      var byte: UInt8 = 0
      _ = write(Interruption.alarm, &byte, 1)
    }
  }

  /// Registers the book being written: its commits are finished first.
  static func protect(_ book: Book) { state.withLock { $0.book = book } }

  /// Declares an interruption the normal end of the command.
  static func expect() { state.withLock { $0.isExpected = true } }

  /// Does work that is undone if it is interrupted.
  ///
  /// - Parameters:
  ///   - undo: Undoes the work, given the position of the last entry of the protected book, if there is one.
  ///   - work: The work.
  /// - Returns: The result of the work.
  /// - Throws: what the work throws.
  static func undoing<Result>(
    _ undo: @escaping @Sendable (Position?) -> Void, _ work: () throws -> Result
  ) rethrows -> Result {
    state.withLock { $0.undo = undo }
    defer { state.withLock { $0.undo = nil } }
    return try work()
  }

  private static func end() -> Never {
    let (book, isExpected) = state.withLock { ($0.book, $0.isExpected) }
    ProgressBar.end()
    if let book {
      // Nothing more is written while this holds the log.
      book.atRest {
        end(isExpected, at: $0, "Interrupted. The book is whole, with all that was answered.")
      }
    }
    end(isExpected, at: nil, "Interrupted.")
  }

  private static func end(_ isExpected: Bool, at head: Position?, _ sentence: String) -> Never {
    state.withLock { $0.undo }?(head)
    if !isExpected { StandardStreams.writeAll("\(sentence)\n") }
    _exit(130)
  }
}
