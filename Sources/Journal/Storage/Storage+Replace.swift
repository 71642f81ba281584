extension Storage {
  /// Writes a file and replaces the one with its name. It gets the name last, when all of it is on
  /// disk, so a crash leaves either the old file or the new one.
  ///
  /// - Throws: ``StorageError``; then the file is as it was.
  package func replace(_ path: String, with bytes: [UInt8]) throws(StorageError) {
    do throws(StorageError) {
      let file = try open(path.unfinished, .create)
      try file.write(bytes, at: 0)
      try file.synchronize()
      try rename(path.unfinished, to: path)
    } catch {
      try? remove(path.unfinished)
      throw error
    }
  }
}

extension String {
  /// The temporary name of a file that is not completely on disk yet.
  package var unfinished: String { self + ".new" }

  /// Whether this is the temporary name of an incomplete file.
  package var isUnfinished: Bool { hasSuffix("".unfinished) }
}
