#if PLANTED_BUGS
  import Avro
#endif

/// A book under construction, in a directory of its own.
///
/// Its segments are files whose names end in `.part`, which no reader takes for segments. Once all
/// of them are complete, verified and on disk, they get their names, the first segment last. If a
/// crash interrupts that, there is no first segment and therefore no book, and a repetition clears
/// the rest away.
///
/// An existing book is brought up to date atomically. When its new segments are on disk, the file
/// `UPDATE` gets its name beside them. Before that the new segments do not count. From then on the
/// book consists of them, and if their maker did not name them, the next process to read or write
/// the book does.
///
/// A directory that holds anything else is left alone, even a damaged book.
struct JournalStage {
  /// The book under construction.
  let journal: Journal
  /// The book that existed before and is to be brought up to date.
  let existing: [SegmentName]
  private let lock: any StorageLock
  private var staged: Set<SegmentName> = []

  private static let suffix = ".part"
  private static let updateName = "UPDATE"

  /// The name of a segment's file while it is under construction.
  static func partName(of segment: SegmentName) -> String { segment.fileName + suffix }

  /// Starts making a book.
  ///
  /// - Parameters:
  ///   - journal: The book. Its directory must not exist, or must be empty or left over from an
  ///     unfinished construction.
  ///   - updating: Whether it may also be an existing book, to be brought up to date.
  ///   - notes: The names of other files that may be left beside the journal.
  /// - Throws: ``JournalError/alreadyABook(path:)``, ``JournalError/notEmpty(path:)``,
  ///   ``JournalError/locked(path:holder:)``, or ``JournalError/storage(_:)``.
  init(_ journal: Journal, updating: Bool = false, notes: [String] = []) throws(JournalError) {
    self.journal = journal
    _ = try Self.segmentNames(at: journal, updating, notes)
    try onDisk { () throws(StorageError) in
      try journal.storage.createDirectory(journal.segmentDirectory)
    }
    lock = try JournalWriter.takeLock(of: journal)
    // Checked again, because another process may have been at work while this one waited for the
    // lock.
    let names = try Self.segmentNames(at: journal, updating, notes)
    let segments = names.compactMap(SegmentName.init(fileName:)).sorted()
    let isBook = segments.first == .first
    existing = isBook ? segments : []
    try onDisk { () throws(StorageError) in
      // The first segment's file is removed last, because it shows what the others are.
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

  /// The names in the book's segment directory, if a book may be made there.
  private static func segmentNames(
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

  /// The path of a segment's file while it is under construction.
  func partPath(of segment: SegmentName) -> String { journal.path(of: segment) + Self.suffix }

  /// The present path of a segment's file.
  func place(of segment: SegmentName) -> String {
    staged.contains(segment) ? partPath(of: segment) : journal.path(of: segment)
  }

  /// Prepares the path for a segment's file, and removes what is left there.
  mutating func begin(_ segment: SegmentName) throws(JournalError) -> String {
    if !staged.insert(segment).inserted {
      try onDisk { () throws(StorageError) in try journal.storage.remove(partPath(of: segment)) }
    }
    return partPath(of: segment)
  }

  /// Writes a file beside the journal; it is on disk when this returns.
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

  /// Removes everything made so far.
  func abandon() {
    for segment in staged.sorted(by: >) { try? journal.storage.remove(partPath(of: segment)) }
  }

  /// Gives the segments their names, which completes the book. All files must be on disk.
  consuming func publish() throws(JournalError) {
    let storage = journal.storage
    let directory = journal.segmentDirectory
    let segments = staged.sorted()
    try onDisk { () throws(StorageError) in
      if existing.isEmpty {
        // The temporary name of the first segment's file shows what the other files are.
        try storage.synchronizeDirectory(directory)
        for segment in segments.dropFirst().reversed() {
          try storage.rename(partPath(of: segment), to: journal.path(of: segment))
        }
        // If only the first segment were on disk, the book would seem to end with it.
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

  /// Commits the update: from now on the book consists of the parts.
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
      // The parts' names are on disk before they count.
      try journal.storage.synchronizeDirectory(journal.segmentDirectory)
      try journal.storage.rename(path + Self.suffix, to: path)
    } catch {
      abandon()
      throw error
    }
  }

  /// Whether an update was committed and its parts still need their names.
  static func isUpdateDecided(_ names: [String]) -> Bool { names.contains(updateName) }

  /// Gives the parts of an update their names; this can be repeated. The caller holds the lock.
  static func finishUpdate(of journal: Journal) throws(StorageError) {
    let (storage, directory) = (journal.storage, journal.segmentDirectory)
    // The process that committed the update may have died before its name was on disk.
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
