import Archives
package import Journal
package import Kitchen

/// The recipes in a file that another program wrote: a saved page or its JSON-LD, a recipe of Mealie or Paprika, or an
/// archive of these, such as Paprika's `.paprikarecipes` and Mealie's export.
package enum RecipeFiles {
  /// Reads all recipes of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - storage: Where the path leads.
  /// - Returns: The recipes, in the order of the file; of an archive by the names of its files.
  /// - Throws: ``ExchangeError``: there is none, or a file cannot be read.
  package static func recipes(
    at path: String, storage: any Storage = FileStorage(followingLinks: true)
  ) throws(ExchangeError) -> [RecipeImport] {
    let bytes = try ForeignFiles.bytes(of: path, storage)
    guard ZipArchive.begins(bytes) else {
      guard !bytes.starts(with: ForeignFiles.databaseMark) else {
        throw .notUnderstood(
          path: path, reason: "it is a database; export the recipes from the program that made it.")
      }
      return try recipes(of: bytes, path)
    }
    let files = try ForeignFiles.archived(bytes, path) { name in
      let name = name.lowercased()
      return ["json", "html", "htm", "paprikarecipe"].contains { name.hasSuffix(".\($0)") }
    }
    var recipes: [RecipeImport] = []
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      do throws(ExchangeError) { recipes += try self.recipes(of: bytes, "\(path)/\(name)") } catch {
        // A file of an archive may hold no recipe: settings, lists.
        guard case .noRecipe = error else { throw error }
      }
    }
    guard recipes.isEmpty else { return recipes }
    let isBackup = files.keys.contains { $0.hasSuffix("database.json") }
    throw .notUnderstood(
      path: path,
      reason: isBackup
        ? "it is a backup of Mealie, whose recipes lie in pieces; export the recipes instead."
        : "there is no recipe in it.")
  }

  private static func recipes(
    of bytes: [UInt8], _ path: String
  ) throws(ExchangeError) -> [RecipeImport] {
    var bytes = bytes
    if GzipFile.begins(bytes) {
      do throws(ArchiveError) {
        bytes = try GzipFile.content(of: bytes, atMost: ArchiveLimits.usual.fileByteCount)
      } catch { throw .notUnderstood(path: path, reason: error.description) }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .notUnderstood(path: path, reason: "the text is not valid UTF-8.")
    }
    do throws(RecipeImportError) { return try RecipeImport.recipes(inText: text) } catch {
      if error == .noRecipe { throw .noRecipe(path: path) }
      throw .notUnderstood(path: path, reason: error.description)
    }
  }
}
