import Avro
import Daybook
import DaybookStore
import Journal

/// A book of the entries that the replica's account may see, as far as they were pulled.
///
/// It holds nothing that the server does not have, so it can be pulled again at any time.
struct Mirror: Sendable {
  /// The directory's last part: `mirror-a` or `mirror-b`. While one is in use, the other one may be filled anew.
  let slot: String
  /// The number of the mirror; each new one gets the next.
  let number: Int
  let book: Book
  /// The scope of its lines; nil before the first answer.
  var scope: String?
  /// The book's lines.
  var cursor: ChainDigest
  /// The id of the account's last command among the lines, or of an earlier one.
  var last: Key?

  /// What the head file says about a mirror.
  struct Record: Hashable, Sendable {
    var slot: String
    var number: Int
    var scope: String?
    /// The lines up to which the answers were noted. The book may have more, after a crash.
    var cursor: ChainDigest
    var last: Key?
  }

  var record: Record {
    Record(slot: slot, number: number, scope: scope, cursor: cursor, last: last)
  }

  /// Opens a mirror.
  ///
  /// - Returns: The mirror; nil when the book is not there or lacks lines that were noted.
  /// - Throws: ``ReplicaError`` when another process has it, or the disk refuses.
  static func open(
    _ record: Record, in directory: String, _ storage: any Storage, _ clock: BookClock,
    _ zones: any TimeZones
  ) throws(ReplicaError) -> Mirror? {
    let path = directory + "/" + record.slot
    do throws(JournalError) {
      let book = try Book(at: path, storage: storage, clock: clock, zones: zones)
      guard let cursor = try lines(of: book, after: record.cursor) else { return nil }
      return Mirror(
        slot: record.slot, number: record.number, book: book, scope: record.scope, cursor: cursor,
        last: record.last)
    } catch {
      switch error {
      case .locked(let path, let holder): throw .held(path: path, holder: holder)
      case .storage(let error): throw .storage(error)
      // Whatever else is wrong with it: a mirror is pulled again.
      default: return nil
      }
    }
  }

  /// The lines of a book, of which some were noted; nil when it does not have those.
  private static func lines(
    of book: Book, after noted: ChainDigest
  ) throws(JournalError) -> ChainDigest? {
    let count = book.read { $0.position }
    guard count != noted.count else { return noted }
    // A crash came between the book's last commit and the next note.
    var (chain, hasNoted) = (ChainDigest(), noted == ChainDigest())
    do {
      try book.reader.export(as: .jsonl) { line in
        chain.add(String(line.dropLast()))
        if chain.count == noted.count { hasNoted = chain == noted }
      }
    } catch {
      guard let error = error as? JournalError else { return nil }
      throw error
    }
    return hasNoted ? chain : nil
  }

  /// Makes an empty mirror, in place of what is in its slot.
  ///
  /// - Throws: ``ReplicaError``.
  static func make(
    slot: String, number: Int, in directory: String, _ storage: any Storage, _ clock: BookClock,
    _ zones: any TimeZones
  ) throws(ReplicaError) -> Mirror {
    do throws(StorageError) {
      try removeFiles(in: directory + "/" + slot, storage)
    } catch { throw .storage(error) }
    let record = Record(slot: slot, number: number, scope: nil, cursor: ChainDigest())
    guard let mirror = try open(record, in: directory, storage, clock, zones) else {
      throw .unsettled(path: directory + "/" + slot)
    }
    return mirror
  }

  /// Removes the files in a directory and in those below it.
  static func removeFiles(in directory: String, _ storage: any Storage) throws(StorageError) {
    for name in try storage.names(in: directory) ?? [] {
      let path = directory + "/" + name
      if try storage.names(in: path) != nil {
        try removeFiles(in: path, storage)
      } else {
        try storage.remove(path)
      }
    }
    if try storage.names(in: directory) != nil { try storage.synchronizeDirectory(directory) }
  }

  /// Adds the lines of an answer.
  ///
  /// - Throws: ``ReplicaError/unusable(reason:)`` when they do not continue the book's lines, or when this program does
  ///   not understand them; ``ReplicaError/storage(_:)``.
  mutating func take(_ answer: SyncAnswer) throws(ReplicaError) {
    var chain = cursor
    for line in answer.lines { chain.add(line) }
    guard chain == answer.cursor else { throw .unusable(reason: "its lines are not complete") }
    do {
      try book.append(mirrored: answer.lines)
    } catch let error as JournalError {
      throw ReplicaError(error, of: slot)
    } catch {
      throw .unusable(reason: "\(error)")
    }
    cursor = chain
    scope = answer.scope
    // Others' ids are not in the lines.
    if let line = answer.lines.last(where: { $0.contains(#""id":""#) }),
      let id = (try? JSON(parsing: Array(line.utf8)))?["id"]?.text.flatMap({ Key($0) })
    {
      last = id
    }
  }

  /// The digest of all of the book's lines, computed anew.
  ///
  /// - Throws: ``JournalError``.
  func digest() throws -> ChainDigest {
    var chain = ChainDigest()
    try book.reader.export(as: .jsonl) { chain.add(String($0.dropLast())) }
    return chain
  }
}
