extension Storage {
  /// Writes a file in the place of what has its name. The name is given last, when all of it is on disk: a crash leaves
  /// the file as it was, or whole.
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
  /// What a file of this name is called until all of it is on disk.
  package var unfinished: String { self + ".new" }

  /// Whether it is what a file is called of which not all is on disk.
  package var isUnfinished: Bool { hasSuffix("".unfinished) }
}
