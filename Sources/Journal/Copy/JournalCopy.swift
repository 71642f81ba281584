import Avro

/// The contents of a backup or a restored book, and how it was made.
public struct JournalCopy: Sendable {
  /// The head of the copy, which is the original's at the moment or time where the copy ends.
  public internal(set) var head: Head
  /// How many entries the copy holds.
  public internal(set) var entryCount: Int64 = 0
  /// How many bytes its segments have.
  public internal(set) var byteCount = 0
  /// How many segments share their file with the book.
  public internal(set) var linkedCount = 0
  /// How many segments were copied.
  public internal(set) var copiedCount = 0
  /// How many segments of an earlier backup were kept as they were.
  public internal(set) var keptCount = 0
}

extension Journal {
  /// Makes a backup: a book of its own with everything recorded up to one moment.
  ///
  /// A writer may meanwhile append, start segments and seal, in any process. Sealed segments never
  /// change and are linked: the backup shares their files, which take no additional space. On
  /// another disk, or where there are no links, they are copied. So are the complete blocks of the
  /// other segments. The whole copy is verified before it becomes a book, so a damaged book gives
  /// no backup.
  ///
  /// An existing backup is brought up to date atomically: if that is interrupted anywhere, it is
  /// either the old backup or the new one.
  ///
  /// - Parameters:
  ///   - directory: The backup's directory: one that does not exist yet, or an earlier backup of
  ///     this book.
  ///   - linking: Whether to link; a copy also survives damaged sectors.
  ///   - rewrites: The intended rewrites.
  ///   - progress: Receives how many bytes are done, and how many there are.
  /// - Returns: What the backup holds.
  /// - Throws: ``JournalError/corrupt(_:)`` when the book or the earlier backup is damaged,
  ///   ``JournalError/anotherHistory(path:reason:)``, ``JournalError/notEmpty(path:)``,
  ///   ``JournalError/locked(path:holder:)``, ``JournalError/storage(_:)``.
  @discardableResult
  public func backup(
    to directory: String, linking: Bool = true, rewrites: Rewrites = Rewrites(),
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) -> JournalCopy {
    try copy(to: directory, until: .max, linking, updating: true, rewrites, progress)
  }

  /// Makes a new book of everything recorded until a time: the same entries at the same positions,
  /// with the same heads and the same id.
  ///
  /// - Parameters:
  ///   - directory: The new book's directory, which must not exist yet.
  ///   - last: Entries with a later `at` are left out, in milliseconds since 1970; nil for all
  ///     entries.
  ///   - linking: Whether to link sealed segments.
  ///   - rewrites: The intended rewrites.
  ///   - progress: Receives how many bytes are done, and how many there are.
  /// - Returns: What the new book holds.
  /// - Throws: as ``backup(to:linking:rewrites:progress:)``, and
  ///   ``JournalError/alreadyABook(path:)``. Damage after the time is not looked for.
  @discardableResult
  public func restore(
    to directory: String, until last: Int64? = nil, linking: Bool = true,
    rewrites: Rewrites = Rewrites(), progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) -> JournalCopy {
    try copy(to: directory, until: last ?? .max, linking, updating: false, rewrites, progress)
  }

  private func copy(
    to directory: String, until last: Int64, _ linking: Bool, updating: Bool, _ rewrites: Rewrites,
    _ progress: (Int, Int) -> Void
  ) throws(JournalError) -> JournalCopy {
    // Read before anything is made, so that nothing is left behind where there is no book.
    _ = try segments()
    guard directory != self.directory else { throw .alreadyABook(path: directory) }
    let target = Journal(directory: directory, storage: storage)
    return try withoutActuallyEscaping(progress) { progress throws(JournalError) in
      var copier = JournalCopier(
        self, try JournalStage(target, updating: updating), until: last, linking, rewrites, progress
      )
      return try copier.run()
    }
  }
}
