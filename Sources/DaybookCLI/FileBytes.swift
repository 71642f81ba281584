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

  /// Writes a file, in the place of one of that name; the name is given last, so that half of it is never taken
  /// for the whole.
  static func replace(_ path: String, with bytes: [UInt8]) throws {
    let storage = FileStorage()
    let file = try storage.open(path + ".new", .create)
    do {
      try file.write(bytes, at: 0)
      try file.synchronize()
      try storage.rename(path + ".new", to: path)
    } catch {
      try? storage.remove(path + ".new")
      throw error
    }
  }
}
