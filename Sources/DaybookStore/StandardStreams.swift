import Foundation

/// Standard input, output and error of a program of ours.
package enum StandardStreams {
  /// Puts something in the place of each that the program was begun without (`2>&-`): otherwise the next file that is opened
  /// becomes it, and what the program says is written there. Reading and writing it fails, as if it were closed.
  package static func hold() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest number that is free is given: this one.
      _ = open("/dev/null", mode)
    }
  }

  /// Says something on standard error, or another stream, as far as that takes it. Where the disk behind it is full, or
  /// nobody reads any more, the work that is told about goes on.
  package static func tell(_ text: String, on descriptor: Int32 = STDERR_FILENO) {
    tell(Array(text.utf8), on: descriptor)
  }

  /// Says bytes on standard error, or another stream, as far as that takes them.
  package static func tell(_ bytes: [UInt8], on descriptor: Int32 = STDERR_FILENO) {
    var start = 0
    while start < bytes.count {
      let written = bytes.withUnsafeBytes { bytes in
        write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      start += written
    }
  }
}
