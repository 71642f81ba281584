#if PLANTED_BUGS
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Mistakes that a log can be made with. They are compiled in where `DAYBOOK_PLANTED_BUGS` is set for the build, one is
  /// planted by the variable `PLANTED_BUG`, and the tests must find it (`Tests/Durability/planted_bugs.py`).
  package enum PlantedBug: String, CaseIterable {
    /// A commit is acknowledged before it is on disk.
    case acknowledgeBeforeSync
    /// After a failed sync the writer goes on.
    case goOnAfterFailedSync
    /// A new segment's name is not synced.
    case noDirectorySync
    /// A commit is written without a look at who else was at the book.
    case appendWithoutLooking
    /// A segment gets its name before it is on disk.
    case nameBeforeSync
    /// What a full disk made the writer cut off is not synced away before the next segment is begun.
    case cutNotSynced
    /// A sync that succeeds is trusted, though one of somebody else failed before and the bytes are in memory alone.
    case trustLaterSync
    /// A sealed file is put in the place of the old one before it is on disk.
    case sealBeforeSync
    /// The segments of a backup that is brought up to date get their names one by one, and nothing says so before.
    case updateUndecided
    /// Bytes are cut off although a whole block follows them.
    case cutPastCorruption
    /// The checksum of a block is not looked at.
    case skipChecksum
    /// A sealed segment lacks its last block, and nobody compares.
    case sealWithoutLastBlock
    /// A verification tells the head of the entry before.
    case verifyOffByOne
    /// An index lacks an entry.
    case dropIndexEntry
    /// A snapshot is taken for one of a later position.
    case snapshotOfWrongPosition

    private static let planted: PlantedBug? = {
      guard let name = unsafe getenv("PLANTED_BUG") else { return nil }
      return unsafe PlantedBug(rawValue: String(cString: name))
    }()

    /// Whether the mistake is made.
    package var isPlanted: Bool { Self.planted == self }
  }
#endif
