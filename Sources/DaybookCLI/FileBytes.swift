import Foundation
import Journal

/// Whole files that a person names.
enum FileBytes {
  /// The bytes of a file.
  static func read(_ path: String) throws -> [UInt8] {
    let file = try FileStorage(followingLinks: true).open(path, .read)
    var bytes: [UInt8] = []
    try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
    return bytes
  }

  /// Writes a file, in the place of one of that name.
  static func replace(_ path: String, with bytes: [UInt8]) throws {
    try replace(path) { try $0.write(bytes, at: 0) }
  }

  /// Writes a file, in the place of one of that name; the name is given last, so that half of it is never taken
  /// for the whole.
  ///
  /// - Parameters:
  ///   - path: Where.
  ///   - write: Writes what is in it.
  /// - Returns: What `write` returns.
  /// - Throws: `Failure` for a path within a book, or what `write` throws; then nothing is there that was not.
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

  /// Refuses a path at which something else than a file is: a device or a pipe would be gone, and a file in its place.
  ///
  /// - Throws: `Failure` for one.
  private static func checkIsFile(_ path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw Failure(
      "not_a_file", "\(path) is no file; name one, or write to standard output without --output.")
  }

  /// Refuses a path at which a book keeps its own files: one in its directory, or in a directory of that. A name that was
  /// completed a letter too early must not cost a book.
  ///
  /// - Throws: `Failure` for one, `JournalError`.
  static func checkIsOutsideBooks(_ path: String) throws {
    let end = path.lastIndex(of: "/")
    let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    for place in [directory, directory + "/.."] {
      guard try Journal(directory: place).holdsFiles() else { continue }
      throw Failure(
        "within_book", "\(path): a book keeps its own files there; write to a place outside of it.")
    }
  }
}
