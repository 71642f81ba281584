import Avro
import Daybook
import Journal
import Synchronization

/// Keeps the answers of lines with idempotency keys in a file beside each segment
/// (``ReceiptFile``), and finds them again.
///
/// Files are written after the commit on a thread of their own: nobody waits for them, and a
/// failure there fails no command. Until a receipt is in its file it is found in memory. A line
/// whose receipt is missing, damaged or does not fit is decided again (``FirstUse``), which gives
/// the same answer.
final class ReceiptKeeper: Sendable {
  /// A receipt of a line just carried out.
  struct NewReceipt: Sendable {
    let receipt: KeptReceipt
    let line: SentLine
  }

  /// The receipts of a commit, by ascending position, and the entries that they need.
  private struct Commit: Sendable {
    let receipts: [NewReceipt]
    let entries: [Entry]
    let segment: SegmentName

    /// The entry that carries the line's idempotency key; with the line, it goes into the receipt's
    /// digest.
    func first(of receipt: KeptReceipt) -> Entry? {
      guard let start = entries.first?.head.position,
        entries.indices ~= Int(receipt.position - start)
      else { return nil }
      return entries[Int(receipt.position - start)]
    }

    func digest(of new: NewReceipt) -> [UInt8]? {
      first(of: new.receipt).flatMap { new.line.digest(of: new.receipt, on: $0) }
    }

    subscript(position: Int64) -> NewReceipt? {
      guard let first = receipts.first, let last = receipts.last,
        first.receipt.position...last.receipt.position ~= position
      else { return nil }
      return receipts.first { $0.receipt.position == position }
    }
  }

  /// What waits to be written. It has its own lock, so that no commit waits for a file.
  private struct Waiting {
    /// Commits whose receipts are not in a file yet, oldest first.
    var commits: [Commit] = []
    /// How many receipts those commits have.
    var count = 0
    /// The segments for which the disk refused; no more receipts are kept there.
    var refused: Set<SegmentName> = []
  }

  private struct Open {
    var files: [SegmentName: ReceiptFile] = [:]
    /// How often all receipts were forgotten; a file that was opened before the last time is not
    /// kept.
    var forgettings = 0
  }

  /// The most receipts that wait for the disk.
  private static let waitingCount = 1 << 16
  private static let level = 1
  private static let sealedLevel = 3

  private let journal: Journal
  private let executor: any MaintenanceExecutor
  private let waiting = Mutex(Waiting())
  /// The lock is held while a block is written; with room on the disk, that is a copy in memory.
  private let open = Mutex(Open())

  init(_ journal: Journal, on executor: any MaintenanceExecutor) {
    self.journal = journal
    self.executor = executor
  }

  // MARK: Keeping

  /// Keeps the receipts of a commit that is on disk; the caller has the turn.
  func keep(_ receipts: [NewReceipt], of entries: [Entry], in segment: SegmentName?) {
    guard let segment, !receipts.isEmpty else { return }
    let isTaken = waiting.withLock { waiting in
      // If this disk is slower than the journal's, receipts must not fill the memory.
      guard !waiting.refused.contains(segment), waiting.count < Self.waitingCount else {
        return false
      }
      waiting.commits.append(Commit(receipts: receipts, entries: entries, segment: segment))
      waiting.count += receipts.count
      return true
    }
    if isTaken { executor.later { self.writeNext() } }
  }

  /// Writes the receipts of the oldest waiting commit.
  private func writeNext() {
    let next = waiting.withLock { waiting in
      waiting.commits.first.map { ($0, waiting.refused.contains($0.segment)) }
    }
    guard let (commit, isRefused) = next else { return }
    let isWritten = !isRefused && (try? append(try blocks(commit), to: commit.segment)) != nil
    waiting.withLock { waiting in
      waiting.commits.removeFirst()
      waiting.count -= commit.receipts.count
      if !isWritten { waiting.refused.insert(commit.segment) }
    }
  }

  private func blocks(_ commit: Commit) throws -> ReceiptBlocks {
    var blocks = try ReceiptBlocks(level: Self.level)
    for new in commit.receipts {
      if let digest = commit.digest(of: new) { try blocks.append(new.receipt, digest) }
    }
    try blocks.endBlock()
    return blocks
  }

  private func append(_ blocks: ReceiptBlocks, to segment: SegmentName) throws {
    guard let first = blocks.places.first?.position else { return }
    if open.withLock({ $0.files[segment]?.takes(from: first) != true }) {
      let file = try fileToAppendTo(of: segment, from: first)
      open.withLock { $0.files[segment] = file }
    }
    let failure = open.withLock { open -> (any Error)? in
      do { try open.files[segment]?.append(blocks) } catch {
        open.files[segment] = nil
        return error
      }
      return nil
    }
    if let failure { throw failure }
  }

  private func fileToAppendTo(
    of segment: SegmentName, from first: Int64
  ) throws -> ReceiptFile {
    guard let file = ReceiptFile(of: segment, .readWrite, in: journal), file.takes(from: first)
    else {
      return try ReceiptFile(creating: segment, in: journal)
    }
    try file.cutTail()
    return file
  }

  // MARK: Lookup

  /// The answer of the line whose idempotency key an entry carries; nil when it was not kept, or
  /// was another line's.
  func receipt(of line: SentLine, on first: IdempotencyKeys.Found) -> KeptReceipt? {
    let position = first.entry.head.position
    let waiting = waiting.withLock { waiting in
      waiting.commits.lazy.compactMap { commit in commit[position].map { (commit, $0) } }.first
    }
    if let (commit, new) = waiting {
      let asked = line.digest(of: new.receipt, on: first.entry)
      return asked != nil && asked == commit.digest(of: new) ? new.receipt : nil
    }
    guard let segment = first.segment, let file = file(toRead: segment),
      let (receipt, digest) = try? file.receipt(at: position),
      line.digest(of: receipt, on: first.entry) == digest,
      case .object? = try? JSON(parsing: receipt.answer)
    else { return nil }
    return receipt
  }

  private func file(toRead segment: SegmentName) -> ReceiptFile? {
    let (known, forgettings) = open.withLock { ($0.files[segment], $0.forgettings) }
    if let known { return known }
    guard let file = ReceiptFile(of: segment, .read, in: journal) else { return nil }
    return open.withLock { open in
      guard open.forgettings == forgettings else { return nil }
      // The writer may have opened it meanwhile.
      if let known = open.files[segment] { return known }
      open.files[segment] = file
      return file
    }
  }

  // MARK: Sealing and erasing

  /// Rewrites the receipt files of segments that were sealed, with larger, listed blocks.
  func rewrite(_ sealed: [SegmentName]) {
    executor.later { for name in sealed { self.rewrite(name) } }
  }

  private func rewrite(_ name: SegmentName) {
    if open.withLock({ $0.files[name]?.isListed == true }) { return }
    guard let file = ReceiptFile(of: name, .read, in: journal), !file.isListed,
      let header = try? journal.header(of: name), header.seal != nil
    else { return }
    let path = ReceiptFile.path(of: name, in: journal)
    do {
      var blocks = try ReceiptBlocks(level: Self.sealedLevel)
      try file.forEachReceipt { try blocks.append($0, $1) }
      try blocks.endBlock()
      guard !blocks.places.isEmpty else { return try journal.storage.remove(path) }
      try journal.storage.replace(path, with: ReceiptFile.encoded(blocks, of: header))
    } catch {
      // The file stays in its appended form, which can be read just as well.
    }
    open.withLock { $0.files[name] = nil }
  }

  /// Forgets all receipts while a body removes their files; meanwhile none is kept or rewritten.
  ///
  /// - Precondition: the caller holds the turn.
  /// - Throws: what the body throws.
  func forget(
    removing body: () throws(JournalError) -> Void
  ) throws(JournalError) {
    var result = Result<Void, JournalError>.success(())
    executor.now {
      result = Result { () throws(JournalError) in try body() }
      forget()
    }
    try result.get()
  }

  private func forget() {
    waiting.withLock { $0 = Waiting() }
    open.withLock { open in
      open.files = [:]
      open.forgettings += 1
    }
  }

  /// Waits for the work under way, then forgets the files.
  func finish() { executor.now { forget() } }
}
