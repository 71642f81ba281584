#if PLANTED_BUGS
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Deliberate mistakes for testing the tests. They are compiled in if `DAYBOOK_PLANTED_BUGS` is set for the
  /// build; the variable `PLANTED_BUG` selects one, and the tests must find it
  /// (`Tests/Durability/planted_bugs.py`).
  package enum PlantedBug: String, CaseIterable {
    /// A commit is acknowledged before it is on disk.
    case acknowledgeBeforeSync
    /// The writer continues after a failed sync.
    case goOnAfterFailedSync
    /// A new segment's name is not synced.
    case noDirectorySync
    /// A commit is written without checking for other writers.
    case appendWithoutLooking
    /// A segment is renamed before it is on disk.
    case nameBeforeSync
    /// After a full disk, the truncation is not synced before the next segment begins.
    case cutNotSynced
    /// A successful sync is trusted although an earlier one by another writer failed, and the bytes are only
    /// in memory.
    case trustLaterSync
    /// A sealed file replaces the old one before it is on disk.
    case sealBeforeSync
    /// The segments of a backup under update are renamed one by one, without a prior record of the intent.
    case updateUndecided
    /// Bytes are truncated although a valid block follows them.
    case cutPastCorruption
    /// The checksum of a block is ignored.
    case skipChecksum
    /// A sealed segment lacks its last block, and nothing compares it.
    case sealWithoutLastBlock
    /// A verification reports the head of the previous entry.
    case verifyOffByOne
    /// An index lacks an entry.
    case dropIndexEntry
    /// A snapshot is used for a later position than its own.
    case snapshotOfWrongPosition

    private static let planted: PlantedBug? = {
      guard let name = unsafe getenv("PLANTED_BUG") else { return nil }
      return unsafe PlantedBug(rawValue: String(cString: name))
    }()

    /// Whether this mistake is active.
    package var isPlanted: Bool { Self.planted == self }
  }
#endif
