import Daybook
import Foundation

/// Reads lines from a file or standard input, each as soon as it is complete.
final class LineReader {
  /// The size limits of a group, so that its answers are not delayed.
  private static let (groupCount, groupByteCount) = (4096, 1 << 20)
  private static let readByteCount = 1 << 18

  /// Longer lines are cut one byte after this limit; the receiver refuses them.
  private let largestByteCount: Int
  private let handle: FileHandle
  private let path: String
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(path: String, longestLine largestByteCount: Int = Limit.command.maximum) throws {
    self.path = path
    self.largestByteCount = largestByteCount
    if path == "-" {
      handle = .standardInput
    } else {
      guard let handle = FileHandle(forReadingAtPath: path) else {
        throw CommandFailure("file_not_found", "Could not read \(path); check the path.")
      }
      self.handle = handle
    }
  }

  /// The size of the input in bytes; 0 if unknown, as for a pipe.
  var byteCount: Int {
    var status = stat()
    guard fstat(handle.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return 0
    }
    return Int(status.st_size)
  }

  /// The bytes of the next lines without line ends: those that have already arrived, at least one; `nil`
  /// after the last. Waits only for the first. Blank lines are skipped.
  func nextGroup() throws -> [[UInt8]]? {
    var lines: [[UInt8]] = []
    var byteCount = 0
    while lines.count < Self.groupCount, byteCount < Self.groupByteCount,
      let line = try next(isAwaited: lines.isEmpty)
    {
      guard !Self.isBlank(line) else { continue }
      byteCount += line.count
      lines.append(line)
    }
    return lines.isEmpty ? nil : lines
  }

  /// The bytes of the next line that is not blank, without its end; `nil` after the last.
  func nextNonblank() throws -> [UInt8]? {
    while let line = try next() {
      if !Self.isBlank(line) { return line }
    }
    return nil
  }

  private static func isBlank(_ line: [UInt8]) -> Bool {
    line.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }
  }

  /// The bytes of the next line without its end; `nil` after the last.
  func next() throws -> [UInt8]? { try next(isAwaited: true) }

  /// The next line; `nil` after the last, or if it has not arrived and `isAwaited` is `false`.
  private func next(isAwaited: Bool) throws -> [UInt8]? {
    var searched = start
    while true {
      if let end = lineEnd(from: searched) {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      if isAtEnd {
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return Array(buffer[start...])
      }
      guard isAwaited || isReadable else { return nil }
      buffer.removeFirst(start)
      start = 0
      // If a line is too long, only enough of it is kept to recognise it.
      if buffer.count > largestByteCount {
        buffer.removeLast(buffer.count - largestByteCount - 1)
      }
      searched = buffer.count
      let more = try read()
      if more.isEmpty { isAtEnd = true } else { buffer.append(contentsOf: more) }
    }
  }

  /// The end of the first line that ends at or after an index.
  private func lineEnd(from place: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard place < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + place, 0x0A, bytes.count - place)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// Whether a read would not block: there are bytes, or the input has ended.
  private var isReadable: Bool {
    var descriptor = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  /// Reads what has arrived, waiting for at most one byte; empty at the end.
  private func read() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.readByteCount)
    while true {
      let count = bytes.withUnsafeMutableBytes {
        Foundation.read(handle.fileDescriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        let reason = String(cString: strerror(errno)).lowercased()
        throw CommandFailure(
          "file_unreadable", "Could not read \(path): \(reason); check the path.")
      }
      return Array(bytes[..<count])
    }
  }
}
