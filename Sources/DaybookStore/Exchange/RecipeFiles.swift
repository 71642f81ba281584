import Archives
package import Journal
package import Kitchen

/// Reads recipes from other programs' files: a saved page or its JSON-LD, a recipe of Mealie or
/// Paprika, or an archive of these, such as Paprika's `.paprikarecipes` and Mealie's export.
package enum RecipeFiles {
  /// A recipe and its file, or a file that exceeds a limit.
  package enum Found: Sendable {
    /// A recipe, and the file that it stands in.
    case recipe(RecipeImport, file: String)
    /// A file that exceeds a limit, with a sentence that says which.
    case overLimit(file: String, reason: String)
  }

  /// Reads all recipes of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - storage: The storage.
  /// - Returns: What was found, in the order of the file; for an archive in the order of its files'
  ///   names, after those that are too large. Never empty.
  /// - Throws: ``ExchangeError`` when there is no recipe, or a file cannot be read for another
  ///   reason than its size.
  package static func found(
    at path: String, storage: any Storage = FileStorage(followingLinks: true)
  ) throws(ExchangeError) -> [Found] {
    try found(of: try ForeignFiles.bytes(of: path, storage), named: path)
  }

  /// Reads all recipes of a file whose bytes are given, with its name for errors.
  ///
  /// - Throws: ``ExchangeError``.
  package static func found(
    of bytes: [UInt8], named path: String
  ) throws(ExchangeError) -> [Found] {
    guard ZipArchive.begins(bytes) else {
      guard !bytes.starts(with: ForeignFiles.databaseMark) else {
        throw .notUnderstood(
          path: path, reason: "it is a database; export the recipes from the program that made it.")
      }
      return try found(in: bytes, path)
    }
    return try found(inArchive: bytes, path)
  }

  private static func found(
    inArchive bytes: [UInt8], _ path: String
  ) throws(ExchangeError) -> [Found] {
    let isWanted = { (name: String) in
      let name = name.lowercased()
      return ["json", "html", "htm", "paprikarecipe"].contains { name.hasSuffix(".\($0)") }
    }
    let oversized = Set(try ForeignFiles.oversized(bytes, path, isWanted))
    let files = try ForeignFiles.archived(bytes, path) { isWanted($0) && !oversized.contains($0) }
    var found = oversized.sorted().map { overLimit("\(path)/\($0)", .fileTooLarge) }
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      do throws(ExchangeError) { found += try self.found(in: bytes, "\(path)/\(name)") } catch {
        // A file in an archive may hold no recipe, but settings or lists.
        guard case .noRecipe = error else { throw error }
      }
    }
    guard found.isEmpty else { return found }
    let isBackup = files.keys.contains { $0.hasSuffix("database.json") }
    throw .notUnderstood(
      path: path,
      reason: isBackup
        ? "it is a backup of Mealie, which has no whole recipes; export the recipes instead."
        : "there is no recipe in it.")
  }

  private static func found(
    in bytes: [UInt8], _ path: String
  ) throws(ExchangeError) -> [Found] {
    var bytes = bytes
    if GzipFile.begins(bytes) {
      do throws(ArchiveError) {
        bytes = try GzipFile.content(of: bytes, atMost: ArchiveLimits.usual.fileByteCount)
      } catch {
        if error == .fileTooLarge { return [overLimit(path, error)] }
        throw .notUnderstood(path: path, reason: error.description)
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .notUnderstood(path: path, reason: "the text is not valid UTF-8.")
    }
    do throws(RecipeImportError) {
      return try RecipeImport.recipes(inText: text).map { .recipe($0, file: path) }
    } catch {
      if error == .noRecipe { throw .noRecipe(path: path) }
      if error.isOverLimit { return [.overLimit(file: path, reason: error.description)] }
      throw .notUnderstood(path: path, reason: error.description)
    }
  }

  private static func overLimit(_ file: String, _ error: ArchiveError) -> Found {
    .overLimit(file: file, reason: error.description)
  }
}

extension ArchiveError {
  /// A single file unpacks to more than is allowed.
  fileprivate static var fileTooLarge: ArchiveError {
    .tooLarge(maximum: ArchiveLimits.usual.fileByteCount)
  }
}
