import DaybookStore
import Dispatch
import Synchronization

/// Collects lines and writes them together, because a system call for each line would cost more than the line.
final class LineBuffer: Sendable {
  /// The buffer of standard error.
  static let standardError = LineBuffer { StandardStreams.writeAll($0) }

  private struct Contents {
    var bytes: [UInt8] = []
    var isAwaited = false
  }

  /// The byte count at which lines are written without delay.
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
  ///   - isUrgent: Whether to write the line, and all before it, before returning.
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

  /// Writes all added lines, but gives up after some seconds, because the reader may have stopped.
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
