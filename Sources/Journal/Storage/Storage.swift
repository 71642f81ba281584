/// All that a journal asks of a disk: the one seam to it.
///
/// A real disk (``FileStorage``) and an in-memory one (``MemoryStorage``) pass the same tests.
public protocol Storage: Sendable {
  /// Makes a directory and those above it, on disk when it returns; an existing one stays as it is.
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
  /// Gives a file another name, replacing what had it, at once or not at all.
  ///
  /// - Throws: ``StorageError``.
  func rename(_ path: String, to newPath: String) throws(StorageError)
  /// Gives a file a second name; both lead to the same bytes. What has the name already is not replaced.
  ///
  /// - Throws: ``StorageError``; some file systems have no second names.
  func link(_ path: String, to newPath: String) throws(StorageError)
  /// Lets nobody write to a file any more; it can still be read, renamed and removed.
  ///
  /// - Throws: ``StorageError``.
  func makeReadOnly(_ path: String) throws(StorageError)
  /// Removes a file.
  ///
  /// - Throws: ``StorageError``.
  func remove(_ path: String) throws(StorageError)
  /// Returns once the directory's names are on disk.
  ///
  /// - Throws: ``StorageError``.
  func synchronizeDirectory(_ path: String) throws(StorageError)
  /// What tells the file at a path from one that had or will have the path: nothing when the disk cannot
  /// say. A file that is written to may keep or change it.
  ///
  /// - Throws: ``StorageError``.
  func identity(of path: String) throws(StorageError) -> FileIdentity?
  /// Takes the lock that a file stands for, or says who holds it. To remove the file lets nobody else in.
  ///
  /// - Throws: ``StorageError``.
  func lock(_ path: String) throws(StorageError) -> LockAttempt
}

extension Storage {
  /// Most disks cannot say.
  public func identity(of path: String) throws(StorageError) -> FileIdentity? { nil }
}

/// What tells one file from another that comes to have its name.
public struct FileIdentity: Hashable, Sendable {
  private let numbers: [Int64]

  public init(_ numbers: [Int64]) { self.numbers = numbers }
}

/// What a file is opened for.
public enum FileAccess: Sendable {
  /// An existing file, to read.
  case read
  /// An existing file, to read and write.
  case readWrite
  /// A new file, empty. What had the name before has it no more, and keeps its bytes where it has another.
  case create
}

/// An open file; it closes when nobody holds it any more.
public protocol StorageFile: AnyObject, Sendable {
  /// How long the file is.
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
  /// Cuts the file to a length.
  ///
  /// - Throws: ``StorageError``.
  func truncate(to byteCount: Int) throws(StorageError)
  /// Returns once the file's bytes and length are on disk.
  ///
  /// - Throws: ``StorageError``; then nobody knows what is on disk.
  func synchronize() throws(StorageError)
  /// Sees to it that the file is the one that a path leads to, and as long as it was left: somebody may have
  /// moved it, put another in its place, or written to it.
  ///
  /// - Throws: ``StorageError`` with ``StorageError/Reason/replaced`` when it is not.
  func check(at path: String, byteCount: Int) throws(StorageError)
}

extension StorageFile {
  /// On most disks nobody else writes.
  public func check(at path: String, byteCount: Int) throws(StorageError) {}
}

/// What came of trying to take a lock.
public enum LockAttempt: Sendable {
  /// It is ours until the value is gone.
  case taken(any StorageLock)
  /// Another holds it; the note says who.
  case held(by: String)
}

/// A lock that is held while the value lives.
public protocol StorageLock: AnyObject, Sendable {
  /// Sees to it that the file at the path is still the one that was locked.
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
    /// The user may not do that, or the file system is read-only.
    case notPermitted
    /// There is no such file.
    case notFound
    /// It is a symbolic link, and none is followed to a file of a book.
    case link
    /// Another has it open to write.
    case held
    /// It is not the file that it was, or not as it was left: somebody else was at it.
    case replaced
    /// There are no files: what is asked of is kept elsewhere.
    case noFiles
    /// Anything else, by the system's error number.
    case system(Int32)
  }

  /// What was being done: "write", "sync", ….
  public var operation: String
  /// The file or directory.
  public var path: String
  /// Why it failed.
  public var reason: Reason
  /// The system's words for it.
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
      case .link: "put the file itself in its place"
      case .held: "wait for that to end"
      case .replaced: "see who else changes the book's files, then open the book again"
      case .noFiles: "make a book at a path for that"
      case .system: "check the disk, then open the book again"
      }
    return "Could not \(operation) \(path): \(message); \(remedy)."
  }
}
