import Avro

/// What a backup or a restored book holds, and how it came by it.
public struct JournalCopy: Sendable {
  /// The head of the copy: of the book it was made from, up to the moment or time at which it ends.
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
  /// Makes a backup: a book of its own that holds all that was recorded up to one moment.
  ///
  /// A writer may go on meanwhile, in any process: append, roll over and seal. Sealed segments, which never
  /// change, are linked: the backup shares their files, and takes no room for them. Where there are no links,
  /// or on another disk, they are copied; so are the whole blocks of the others. All of the copy is verified
  /// before it becomes a book, so a damaged book makes no backup.
  ///
  /// A backup that is there already is brought up to date at once: when that is interrupted, wherever, it is what
  /// it was or what it was to be.
  ///
  /// - Parameters:
  ///   - directory: Where; not there yet, or an earlier backup of this book.
  ///   - linking: Whether to link; a copy survives the death of the disk's sectors, too.
  ///   - rewrites: What was rewritten on purpose.
  ///   - progress: Is told how many bytes are done, and how many there are.
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

  /// Makes a new book of all that was recorded until a time: the same entries at the same positions, with the
  /// same heads. It has the same id, too.
  ///
  /// - Parameters:
  ///   - directory: Where; not there yet.
  ///   - last: Entries with a later `at` are left out, in milliseconds since 1970; all are taken without it.
  ///   - linking: Whether to link sealed segments.
  ///   - rewrites: What was rewritten on purpose.
  ///   - progress: Is told how many bytes are done, and how many there are.
  /// - Returns: What the new book holds.
  /// - Throws: as ``backup(to:linking:rewrites:progress:)``, and ``JournalError/alreadyABook(path:)``. Damage
  ///   after the time is not looked for.
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
    // Read before anything is made: where there is no book, nothing is left behind.
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
