import Daybook
import Foundation

/// Reads lines from a file or standard input as they come, each as soon as it is whole.
final class LineReader {
  /// A group is no larger, so that its answers do not wait long.
  private static let (groupCount, groupByteCount) = (4096, 1 << 20)
  private static let readByteCount = 1 << 18
  /// Longer lines are told cut, one byte longer than this; whoever takes them refuses them.
  private static let largestByteCount = Limit.command.maximum

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

  /// How many bytes there are; 0 where nobody knows, as of a pipe.
  var byteCount: Int {
    var status = stat()
    guard fstat(handle.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return 0
    }
    return Int(status.st_size)
  }

  /// The bytes of the next lines without their ends: those that are there already, at least one; `nil` after the last.
  /// It waits for the first alone. Blank lines are left out.
  func nextGroup() throws -> [[UInt8]]? {
    var lines: [[UInt8]] = []
    var byteCount = 0
    while lines.count < Self.groupCount, byteCount < Self.groupByteCount,
      let line = try next(isAwaited: lines.isEmpty)
    {
      guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else { continue }
      byteCount += line.count
      lines.append(line)
    }
    return lines.isEmpty ? nil : lines
  }

  /// The bytes of the next line without its end; `nil` after the last.
  func next() throws -> [UInt8]? { try next(isAwaited: true) }

  /// The next line; `nil` after the last, and where one would have to be awaited that is not.
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
      // Of a line that is too long no more is kept than tells so.
      if buffer.count > Self.largestByteCount {
        buffer.removeLast(buffer.count - Self.largestByteCount - 1)
      }
      searched = buffer.count
      let more = try read()
      if more.isEmpty { isAtEnd = true } else { buffer.append(contentsOf: more) }
    }
  }

  /// Where the next line ends that does not end before a place.
  private func lineEnd(from place: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard place < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + place, 0x0A, bytes.count - place)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// Whether something can be read without waiting: bytes, or that there are no more.
  private var isReadable: Bool {
    var descriptor = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  /// What has come by now, without waiting for more than one byte of it; nothing at the end.
  private func read() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.readByteCount)
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
