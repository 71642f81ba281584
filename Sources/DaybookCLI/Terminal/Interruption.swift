import DaybookStore
import Foundation
import Journal
import Synchronization

/// Ends the program on Ctrl-C (SIGINT) as soon as no commit is being written: the book is whole, and it is said. The exit
/// code is 130, as shells have it.
enum Interruption {
  private struct State {
    /// The book that is written, while there is one.
    weak var book: Book?
    /// What takes back what was begun, given the last entry that is on disk.
    var undo: (@Sendable (Position?) -> Void)?
    /// Whether that is how the command is to end.
    var isExpected = false
  }

  private static let state = Mutex(State())
  /// What the handler of the signal writes to: it may do little else. Set once, before the handler.
  nonisolated(unsafe) private static var alarm: Int32 = -1

  /// Watches for the signal from now on.
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

  /// Names the book that is written: its commits are finished first.
  static func protect(_ book: Book) { state.withLock { $0.book = book } }

  /// Says that an interruption is how the command is to end.
  static func expect() { state.withLock { $0.isExpected = true } }

  /// Does work that is taken back when it is interrupted.
  ///
  /// - Parameters:
  ///   - undo: Takes it back, given the position of the last entry of the protected book, if there is one.
  ///   - work: The work.
  /// - Returns: What the work returns.
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
    Progress.end()
    if let book {
      // Nothing is written any more once this holds the log.
      book.atRest {
        end(isExpected, at: $0, "Interrupted. The book is whole, with all that was answered.")
      }
    }
    end(isExpected, at: nil, "Interrupted.")
  }

  private static func end(_ isExpected: Bool, at head: Position?, _ sentence: String) -> Never {
    state.withLock { $0.undo }?(head)
    if !isExpected { StandardStreams.tell("\(sentence)\n") }
    _exit(130)
  }
}
