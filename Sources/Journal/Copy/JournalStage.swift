#if PLANTED_BUGS
  import Avro
#endif

/// A book in the making, at a directory of its own.
///
/// Its segments are files whose names end in `.part`, which no reader takes for segments, until all of them are
/// there, verified, and on disk. Then they get their names, the first segment last: what a crash leaves in
/// between has no beginning, and is no book. Making the same again clears it away.
///
/// A book that is there is brought up to date at once, or not at all. When its new segments are on disk the file
/// `UPDATE` gets its name beside them: before that they are nobody's, from then on the book is what they make of
/// it, and whoever comes next to the book, to read or to write, gives them their names if their maker did not.
///
/// A directory that holds something else is left alone, a damaged book too.
struct JournalStage {
  /// The book that is made.
  let journal: Journal
  /// The book that was there when the making began, which is to be brought up to date.
  let existing: [SegmentName]
  private let lock: any StorageLock
  private var staged: Set<SegmentName> = []

  private static let suffix = ".part"
  private static let updateName = "UPDATE"

  /// The name of a segment's file while it is made.
  static func partName(of segment: SegmentName) -> String { segment.fileName + suffix }

  /// Begins to make a book.
  ///
  /// - Parameters:
  ///   - journal: The book; its directory must not be there, or be empty, or be left from an unfinished making.
  ///   - updating: Whether it may also be a book, to be brought up to date.
  ///   - notes: The names of other files that a making may leave beside the journal.
  /// - Throws: ``JournalError/alreadyABook(path:)``, ``JournalError/notEmpty(path:)``,
  ///   ``JournalError/locked(path:holder:)``, or ``JournalError/storage(_:)``.
  init(_ journal: Journal, updating: Bool = false, notes: [String] = []) throws(JournalError) {
    self.journal = journal
    _ = try Self.look(at: journal, updating, notes)
    try onDisk { () throws(StorageError) in
      try journal.storage.createDirectory(journal.segmentDirectory)
    }
    lock = try JournalWriter.takeLock(of: journal)
    // Asked again, for another process may have been at work while this one waited for its turn.
    let names = try Self.look(at: journal, updating, notes)
    let segments = names.compactMap(SegmentName.init(fileName:)).sorted()
    let isBook = segments.first == .first
    existing = isBook ? segments : []
    try onDisk { () throws(StorageError) in
      // The first segment goes last: by it the rest is known for what it is.
      let first = Self.partName(of: .first)
      let isLeft = { $0.hasSuffix(Self.suffix) || !isBook && SegmentName(fileName: $0) != nil }
      for name in names where isLeft(name) && name != first {
        try journal.storage.remove("\(journal.segmentDirectory)/\(name)")
      }
      guard names.contains(first) else { return }
      try journal.storage.synchronizeDirectory(journal.segmentDirectory)
      try journal.storage.remove("\(journal.segmentDirectory)/\(first)")
    }
  }

  /// The names among the book's segments, if a book may be made there.
  private static func look(
    at journal: Journal, _ updating: Bool, _ notes: [String]
  ) throws(JournalError) -> [String] {
    let (names, segmentNames) = try onDisk { () throws(StorageError) in
      (
        try journal.storage.names(in: journal.directory) ?? [],
        try journal.storage.names(in: journal.segmentDirectory) ?? []
      )
    }
    if segmentNames.contains(SegmentName.first.fileName) {
      guard updating else { throw .alreadyABook(path: journal.directory) }
      return segmentNames
    }
    let isUnfinished = segmentNames.contains(partName(of: .first))
    let known = ["journal", "LOCK"] + notes.flatMap { [$0, $0 + suffix] }
    let isOurs =
      names.allSatisfy(known.contains)
      && segmentNames.allSatisfy {
        $0.hasSuffix(suffix) || isUnfinished && SegmentName(fileName: $0) != nil
      }
    guard isOurs else { throw .notEmpty(path: journal.directory) }
    return segmentNames
  }

  /// Where a segment's file is made.
  func partPath(of segment: SegmentName) -> String { journal.path(of: segment) + Self.suffix }

  /// Where a segment's file is now.
  func place(of segment: SegmentName) -> String {
    staged.contains(segment) ? partPath(of: segment) : journal.path(of: segment)
  }

  /// Gives a segment a place to be made at, and removes what was made there before.
  mutating func begin(_ segment: SegmentName) throws(JournalError) -> String {
    if !staged.insert(segment).inserted {
      try onDisk { () throws(StorageError) in try journal.storage.remove(partPath(of: segment)) }
    }
    return partPath(of: segment)
  }

  /// Writes a file beside the journal, on disk when it returns.
  func write(_ bytes: [UInt8], to note: String) throws(JournalError) {
    let path = "\(journal.directory)/\(note)"
    try onDisk { () throws(StorageError) in
      let file = try journal.storage.open(path + Self.suffix, .create)
      try file.write(bytes, at: 0)
      try file.synchronize()
      try journal.storage.rename(path + Self.suffix, to: path)
      try journal.storage.synchronizeDirectory(journal.directory)
    }
  }

  /// Removes what was made.
  func abandon() {
    for segment in staged.sorted(by: >) { try? journal.storage.remove(partPath(of: segment)) }
  }

  /// Gives the segments their names; from then on there is a book. All files must be on disk.
  consuming func publish() throws(JournalError) {
    let storage = journal.storage
    let directory = journal.segmentDirectory
    let segments = staged.sorted()
    try onDisk { () throws(StorageError) in
      if existing.isEmpty {
        // By the first one's present name the others are known for what they are.
        try storage.synchronizeDirectory(directory)
        for segment in segments.dropFirst().reversed() {
          try storage.rename(partPath(of: segment), to: journal.path(of: segment))
        }
        // A first segment that is on disk before the others would make a book that seems to end with it.
        try storage.synchronizeDirectory(directory)
        for segment in segments.prefix(1) {
          try storage.rename(partPath(of: segment), to: journal.path(of: segment))
        }
      } else if !segments.isEmpty {
        try decideUpdate()
        try Self.finishUpdate(of: journal)
      }
      try journal.synchronizeNames()
    }
    withExtendedLifetime(lock) {}
  }

  /// Says that the book is what the parts make of it.
  private func decideUpdate() throws(StorageError) {
    #if PLANTED_BUGS
      if PlantedBug.updateUndecided.isPlanted { return }
    #endif
    let path = "\(journal.segmentDirectory)/\(Self.updateName)"
    do throws(StorageError) {
      let file = try journal.storage.open(path + Self.suffix, .create)
      try file.write(
        Array("The segments that end in \(Self.suffix) belong to this book.\n".utf8), at: 0)
      try file.synchronize()
      // Their names are on disk before it is said that they count.
      try journal.storage.synchronizeDirectory(journal.segmentDirectory)
      try journal.storage.rename(path + Self.suffix, to: path)
    } catch {
      abandon()
      throw error
    }
  }

  /// Whether there is a book that is to be what its parts make of it.
  static func isUpdateDecided(_ names: [String]) -> Bool { names.contains(updateName) }

  /// Gives the parts of an update their names, as often as it takes; the caller holds the lock.
  static func finishUpdate(of journal: Journal) throws(StorageError) {
    let (storage, directory) = (journal.storage, journal.segmentDirectory)
    // Whoever decided it may have died before that was on disk.
    try storage.synchronizeDirectory(directory)
    let names = try storage.names(in: directory) ?? []
    for name in names where name.hasSuffix(suffix) {
      let fileName = String(name.dropLast(suffix.count))
      guard SegmentName(fileName: fileName) != nil else { continue }
      try storage.rename("\(directory)/\(name)", to: "\(directory)/\(fileName)")
    }
    try storage.synchronizeDirectory(directory)
    guard isUpdateDecided(names) else { return }
    try storage.remove("\(directory)/\(updateName)")
    try storage.synchronizeDirectory(directory)
  }
}
