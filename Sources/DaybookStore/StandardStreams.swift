import Foundation

/// Standard input, output and error of a command-line program.
package enum StandardStreams {
  /// Opens a placeholder for each stream that the program was started without (`2>&-`). Otherwise
  /// the next file to be opened becomes that stream, and the program's output is written into it.
  /// Reading and writing the placeholder fails, as if the stream were closed.
  package static func hold() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // `open` returns the lowest free number, which is this one.
      _ = open("/dev/null", mode)
    }
  }

  /// Writes a text to standard error or another stream, as far as possible. The work that is
  /// reported on continues when the disk behind the stream is full or nobody reads it any more.
  package static func writeAll(_ text: String, on descriptor: Int32 = STDERR_FILENO) {
    writeAll(Array(text.utf8), on: descriptor)
  }

  /// Writes bytes to standard error or another stream, as far as possible.
  package static func writeAll(_ bytes: [UInt8], on descriptor: Int32 = STDERR_FILENO) {
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
