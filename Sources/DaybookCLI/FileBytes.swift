import Foundation
import Journal

/// Reads and writes whole files that a person names.
enum FileBytes {
  /// The bytes of a file.
  static func read(_ path: String) throws -> [UInt8] {
    let file = try FileStorage(followingLinks: true).open(path, .read)
    var bytes: [UInt8] = []
    try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
    return bytes
  }

  /// Writes a file, replacing one with that name.
  static func replace(_ path: String, with bytes: [UInt8]) throws {
    try replace(path) { try $0.write(bytes, at: 0) }
  }

  /// Writes a file, replacing one with that name. It is renamed last, so that half a file is never taken for
  /// the whole.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - write: Writes the content.
  /// - Returns: The result of `write`.
  /// - Throws: `CommandFailure` for a path inside a book, or the error of `write`; nothing is changed then.
  static func replace<Result>(
    _ path: String, _ write: (any StorageFile) throws -> Result
  ) throws -> Result {
    try checkIsOutsideBooks(path)
    try checkIsFile(path)
    let storage = FileStorage()
    let unfinished = path.unfinished
    let file = try storage.open(unfinished, .create)
    do {
      return try Interruption.undoing({ _ in try? FileStorage().remove(unfinished) }) {
        let result = try write(file)
        try file.synchronize()
        try storage.rename(unfinished, to: path)
        return result
      }
    } catch {
      try? storage.remove(unfinished)
      throw error
    }
  }

  /// Refuses a path that exists but is not a file: replacing a device or a pipe would destroy it.
  ///
  /// - Throws: `CommandFailure` for such a path.
  private static func checkIsFile(_ path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw CommandFailure(
      "not_a_file",
      "\(path) is not a file; name a file, or leave out --output to write to standard output.")
  }

  /// Refuses a path where a book keeps its files: in its directory, or in a directory inside it. A name that
  /// was completed one letter too early must not cost a book.
  ///
  /// - Throws: `CommandFailure` for such a path, `JournalError`.
  static func checkIsOutsideBooks(_ path: String) throws {
    let end = path.lastIndex(of: "/")
    let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    for place in [directory, directory + "/.."] {
      guard try Journal(directory: place).holdsFiles() else { continue }
      throw CommandFailure(
        "within_book", "\(path): this is inside a book's directory; write somewhere else.")
    }
  }
}
