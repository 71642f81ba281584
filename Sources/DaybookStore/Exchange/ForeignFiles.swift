import Archives
import Journal

/// The files of another program, found by their relative paths in a directory or a ZIP archive. An
/// archive may hold everything in one folder.
struct ForeignFiles {
  /// The path of the directory or archive, for errors.
  let path: String
  private let source: Source

  private enum Source {
    case directory(any Storage)
    case archive([String: [UInt8]])
  }

  /// Finds the files at a path.
  ///
  /// - Parameters:
  ///   - path: A directory, or an archive.
  ///   - storage: The storage.
  ///   - isWanted: Which files of an archive to read, by their paths in it.
  /// - Throws: ``ExchangeError``.
  init(
    at path: String, _ storage: any Storage, _ isWanted: (String) -> Bool
  ) throws(ExchangeError) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    if Self.isDirectory(path, storage) {
      source = .directory(storage)
    } else {
      let bytes = try Self.bytes(of: path, storage)
      source = .archive(try Self.archived(bytes, path, isWanted))
    }
  }

  /// Finds the files of an archive whose bytes are given, with its name for errors.
  ///
  /// - Throws: ``ExchangeError``.
  init(
    archive bytes: [UInt8], named name: String, _ isWanted: (String) -> Bool
  ) throws(ExchangeError) {
    path = name
    source = .archive(try Self.archived(bytes, name, isWanted))
  }

  /// Whether a path is that of a directory.
  static func isDirectory(_ path: String, _ storage: any Storage) -> Bool {
    ((try? storage.names(in: path)) ?? nil) != nil
  }

  /// All bytes of a file.
  ///
  /// - Throws: ``ExchangeError/storage(_:)``.
  static func bytes(of path: String, _ storage: any Storage) throws(ExchangeError) -> [UInt8] {
    try onDisk { () throws(StorageError) in
      let file = try storage.open(path, .read)
      var bytes: [UInt8] = []
      try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
      return bytes
    }
  }

  /// The files of an archive. Paths are relative to the one folder that holds everything, if there
  /// is one.
  ///
  /// - Throws: ``ExchangeError`` when it is damaged, too large, a database, or something else.
  static func archived(
    _ bytes: [UInt8], _ path: String, _ isWanted: (String) -> Bool
  ) throws(ExchangeError) -> [String: [UInt8]] {
    guard ZipArchive.begins(bytes) else {
      throw bytes.starts(with: databaseMark)
        ? .database(path: path) : .notUnderstood(path: path, reason: "it is not a ZIP archive")
    }
    let files: [ZipArchive.File]
    do throws(ArchiveError) {
      files = try ZipArchive(bytes).files { name in
        // The files that macOS adds beside each file hold nothing of interest.
        !name.hasPrefix("__MACOSX/") && isWanted(name)
      }
    } catch { throw .notUnderstood(path: path, reason: error.description) }
    let folders = Set(files.map { $0.name.split(separator: "/", maxSplits: 1).first ?? "" })
    let isWrapped = folders.count == 1 && files.allSatisfy { $0.name.contains("/") }
    return Dictionary(
      files.map { file in
        (isWrapped ? String(file.name.drop { $0 != "/" }.dropFirst()) : file.name, file.bytes)
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// The paths of the files in an archive that are too large to be unpacked.
  ///
  /// - Throws: ``ExchangeError`` when it is damaged or holds too many files.
  static func oversized(
    _ bytes: [UInt8], _ path: String, _ isWanted: (String) -> Bool
  ) throws(ExchangeError) -> [String] {
    do throws(ArchiveError) {
      return try ZipArchive(bytes).oversized.filter(isWanted)
    } catch { throw .notUnderstood(path: path, reason: error.description) }
  }

  /// The first bytes of an SQLite database.
  static let databaseMark = Array("SQLite format 3\u{0}".utf8)

  /// The names of the files in a folder, or of all files; nil when there is no such folder.
  func names(in folder: String? = nil) throws(ExchangeError) -> [String]? {
    switch source {
    case .directory(let storage):
      return try Self.onDisk { () throws(StorageError) in
        try storage.names(in: folder.map { "\(path)/\($0)" } ?? path)
      }
    case .archive(let files):
      let prefix = folder.map { $0 + "/" } ?? ""
      let names = files.keys.filter { $0.hasPrefix(prefix) }.map { name in
        String(name.dropFirst(prefix.count).prefix { $0 != "/" })
      }
      return names.isEmpty ? nil : Set(names).sorted()
    }
  }

  /// A file's bytes.
  ///
  /// - Throws: ``ExchangeError`` when it is not there.
  func bytes(of name: String) throws(ExchangeError) -> [UInt8] {
    switch source {
    case .directory(let storage): return try Self.bytes(of: "\(path)/\(name)", storage)
    case .archive(let files):
      guard let bytes = files[name] else {
        throw .notUnderstood(path: path, reason: "there is no \(name) in it")
      }
      return bytes
    }
  }

  /// A file as a table, with its path for errors.
  func table(_ name: String) throws(ExchangeError) -> CSVReader {
    CSVReader(try bytes(of: name), file: "\(path)/\(name)")
  }

  /// Runs file operations and turns storage errors into exchange errors.
  private static func onDisk<Result>(
    _ operations: () throws(StorageError) -> Result
  ) throws(ExchangeError) -> Result {
    do throws(StorageError) { return try operations() } catch { throw .storage(error) }
  }
}
