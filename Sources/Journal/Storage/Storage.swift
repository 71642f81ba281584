/// The journal's interface to a disk; nothing else touches one.
///
/// A real disk (``FileStorage``) and an in-memory one (``MemoryStorage``) pass the same tests.
public protocol Storage: Sendable {
  /// Creates a directory and its parents, on disk when it returns; an existing one stays as it is.
  ///
  /// - Throws: ``StorageError``.
  func createDirectory(_ path: String) throws(StorageError)
  /// The names in a directory, ascending; `nil` when there is no such directory.
  ///
  /// - Throws: ``StorageError``.
  func names(in directory: String) throws(StorageError) -> [String]?
  /// Opens a file.
  ///
  /// - Throws: ``StorageError``.
  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile
  /// Renames a file and replaces any file with the new name, atomically.
  ///
  /// - Throws: ``StorageError``.
  func rename(_ path: String, to newPath: String) throws(StorageError)
  /// Gives a file a second name; both names lead to the same bytes. An existing file with that name
  /// is not replaced.
  ///
  /// - Throws: ``StorageError``; some file systems do not support second names.
  func link(_ path: String, to newPath: String) throws(StorageError)
  /// Makes a file read-only for everybody; it can still be renamed and removed.
  ///
  /// - Throws: ``StorageError``.
  func makeReadOnly(_ path: String) throws(StorageError)
  /// Removes a file.
  ///
  /// - Throws: ``StorageError``.
  func remove(_ path: String) throws(StorageError)
  /// Waits until the directory's names are on disk.
  ///
  /// - Throws: ``StorageError``.
  func synchronizeDirectory(_ path: String) throws(StorageError)
  /// Distinguishes the file at a path from earlier and later files with that path; nil when the
  /// storage cannot tell. The identity of a file may change when it is written to.
  ///
  /// - Throws: ``StorageError``.
  func identity(of path: String) throws(StorageError) -> FileIdentity?
  /// Takes the lock that a file stands for, or returns who holds it. Removing the file does not
  /// release the lock.
  ///
  /// - Throws: ``StorageError``.
  func lock(_ path: String) throws(StorageError) -> LockAttempt
}

extension Storage {
  /// Returns nil, because most storages cannot tell.
  public func identity(of path: String) throws(StorageError) -> FileIdentity? { nil }
}

/// Distinguishes a file from others that get its name.
public struct FileIdentity: Hashable, Sendable {
  private let numbers: [Int64]

  public init(_ numbers: [Int64]) { self.numbers = numbers }
}

/// The purpose of opening a file.
public enum FileAccess: Sendable {
  /// An existing file, to read.
  case read
  /// An existing file, to read and write.
  case readWrite
  /// A new, empty file. An old file with the name loses it, and keeps its bytes under any other
  /// name.
  case create
}

/// An open file; it closes when nobody holds the object any more.
public protocol StorageFile: AnyObject, Sendable {
  /// The file's length in bytes.
  ///
  /// - Throws: ``StorageError``.
  func byteCount() throws(StorageError) -> Int
  /// Reads up to `count` bytes from `offset` and appends them to the buffer; fewer only at the file's end.
  ///
  /// - Throws: ``StorageError``.
  func read(_ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]) throws(StorageError)
  /// Writes all of the bytes at `offset`.
  ///
  /// - Throws: ``StorageError``; then any part of them may have been written.
  func write(_ bytes: [UInt8], at offset: Int) throws(StorageError)
  /// Truncates the file to a length.
  ///
  /// - Throws: ``StorageError``.
  func truncate(to byteCount: Int) throws(StorageError)
  /// Waits until the file's bytes and length are on disk.
  ///
  /// - Throws: ``StorageError``; then it is unknown what is on disk.
  func synchronize() throws(StorageError)
  /// Checks that a path still leads to this file, and that its length is the one given: somebody
  /// may have moved it, replaced it, or written to it.
  ///
  /// - Throws: ``StorageError`` with ``StorageError/Reason/replaced`` when that is not so.
  func check(at path: String, byteCount: Int) throws(StorageError)
}

extension StorageFile {
  /// Does nothing, because in most storages nobody else writes.
  public func check(at path: String, byteCount: Int) throws(StorageError) {}
}

/// The result of an attempt to take a lock.
public enum LockAttempt: Sendable {
  /// The lock is ours while the value lives.
  case taken(any StorageLock)
  /// Another holds it; the note says who.
  case held(by: String)
}

/// A lock that is held while the value lives.
public protocol StorageLock: AnyObject, Sendable {
  /// Checks that the file at the path is still the one that was locked.
  ///
  /// - Throws: ``StorageError`` with ``StorageError/Reason/replaced`` when somebody removed or replaced it.
  func check() throws(StorageError)
}

/// Why a file operation failed.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed.
  public enum Reason: Hashable, Sendable {
    /// The disk or the quota is full.
    case full
    /// The user is not permitted to do that, or the file system is read-only.
    case notPermitted
    /// There is no such file.
    case notFound
    /// It is a symbolic link, and links to a book's files are not followed.
    case link
    /// Another process has it open for writing.
    case held
    /// The file was replaced or changed by somebody else.
    case replaced
    /// The book has no files: it is kept elsewhere.
    case noFiles
    /// Anything else, by the system's error number.
    case system(Int32)
  }

  /// The operation: "write", "sync", ….
  public var operation: String
  /// The file or directory.
  public var path: String
  /// Why the operation failed.
  public var reason: Reason
  /// The system's message.
  public var message: String

  public init(operation: String, path: String, reason: Reason, message: String) {
    self.operation = operation
    self.path = path
    self.reason = reason
    self.message = message
  }

  /// One sentence: what failed, and what to do next.
  public var description: String {
    let remedy =
      switch reason {
      case .full: "free some space and try again"
      case .notPermitted: "check who owns it and whether it is read-only"
      case .notFound: "check the path"
      case .link: "replace it with the file itself"
      case .held: "wait for that to end"
      case .replaced: "see who else changes the book's files, then open the book again"
      case .noFiles: "use a book in a directory for that"
      case .system: "check the disk, then open the book again"
      }
    return "Could not \(operation) \(path): \(message); \(remedy)."
  }
}
