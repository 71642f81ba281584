import DaybookStore
import Dispatch
import Synchronization

/// Gathers lines and writes them together: a write to the system for each line would cost more than the line.
final class LineBuffer: Sendable {
  /// What goes to standard error.
  static let standardError = LineBuffer { StandardStreams.tell($0) }

  private struct Contents {
    var bytes: [UInt8] = []
    var isAwaited = false
  }

  /// How much is held before it is written without delay.
  private static let capacity = 64 << 10
  private static let delay = DispatchTimeInterval.milliseconds(100)

  private let contents = Mutex(Contents())
  /// Writes in order, and never on a thread that runs tasks.
  private let queue = DispatchQueue(label: "daybook.lines")
  private let write: @Sendable ([UInt8]) -> Void

  init(_ write: @escaping @Sendable ([UInt8]) -> Void) { self.write = write }

  /// Adds a line.
  ///
  /// - Parameters:
  ///   - line: Its bytes, without an end of line.
  ///   - isUrgent: Whether it is written, with all before it, before this returns.
  func add(_ line: [UInt8], isUrgent: Bool) {
    let (isFirst, isFull) = contents.withLock { contents in
      contents.bytes += line
      contents.bytes.append(UInt8(ascii: "\n"))
      defer { contents.isAwaited = true }
      return (!contents.isAwaited, contents.bytes.count > Self.capacity)
    }
    if isUrgent {
      flush()
    } else if isFirst {
      queue.asyncAfter(deadline: .now() + Self.delay) { [self] in writeAll() }
    } else if isFull {
      queue.async { [self] in writeAll() }
    }
  }

  /// Writes all lines that were added, unless it takes longer than some seconds: whoever reads them may have stopped.
  func flush(within interval: DispatchTimeInterval = .seconds(2)) {
    let written = DispatchSemaphore(value: 0)
    queue.async { [self] in
      writeAll()
      written.signal()
    }
    _ = written.wait(timeout: .now() + interval)
  }

  private func writeAll() {
    let bytes = contents.withLock { contents in
      defer { contents = Contents() }
      return contents.bytes
    }
    if !bytes.isEmpty { write(bytes) }
  }
}
