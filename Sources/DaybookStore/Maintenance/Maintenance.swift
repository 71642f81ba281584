import Journal
import Synchronization

/// When a book seals full segments.
public enum SealingTime: Sendable {
  /// On a thread of its own; closing the book waits for it.
  case inBackground
  /// Before the commit that filled the segment returns.
  case atOnce
  /// When ``Book/seal()`` is called.
  case onRequest
}

/// The work that a book does in the background: it seals closed segments, indexes them, and writes
/// snapshots of the state at their ends.
///
/// None of it delays or fails a commit. Work that was not done is done when the next segment is
/// closed, or when the book is opened again.
final class Maintenance: Sendable {
  private let executor: any MaintenanceExecutor
  private let sealer: Mutex<SegmentSealer>
  private let indexes: IndexKeeper
  private let keyIndexes: KeyIndexKeeper
  private let keys: IdempotencyKeys
  private let receipts: ReceiptKeeper
  private let snapshots: SnapshotKeeper
  private let failure = Mutex<JournalError?>(nil)

  private let time: SealingTime

  init(
    _ reader: BookReader, lock: any StorageLock, _ time: SealingTime, _ spacing: SnapshotSpacing,
    _ keys: IdempotencyKeys, _ receipts: ReceiptKeeper, on executor: any MaintenanceExecutor
  ) {
    self.time = time
    self.keys = keys
    self.receipts = receipts
    self.executor = executor
    keyIndexes = KeyIndexKeeper(journal: reader.journal)
    indexes = IndexKeeper(journal: reader.journal)
    snapshots = SnapshotKeeper(reader, spacing)
    sealer = Mutex(
      SegmentSealer(reader.journal, lock: lock) { () throws(JournalError) in
        try reader.rewrites()
      })
  }

  /// The error of the last background round, if it failed.
  var lastFailure: JournalError? { failure.withLock { $0 } }

  /// Starts a round after a segment was closed. A thorough round is for a book in which a bad index or
  /// snapshot was found: it reads all of them.
  func begin(before active: SegmentName, isThorough: Bool = false) {
    switch time {
    case .inBackground: executor.later { self.tryRound(before: active, isThorough) }
    case .atOnce: executor.now { tryRound(before: active, isThorough) }
    case .onRequest: break
    }
  }

  private func tryRound(before active: SegmentName, _ isThorough: Bool) {
    do throws(JournalError) {
      _ = try round(before: active, isThorough: isThorough)
      failure.withLock { $0 = nil }
    } catch {
      failure.withLock { $0 = error }
    }
  }

  /// Seals and indexes everything before the active segment, and reads every index; returns the
  /// segments that were sealed.
  func run(before active: SegmentName) throws(JournalError) -> [SegmentName] {
    var result = Result<[SegmentName], JournalError>.success([])
    executor.now {
      do throws(JournalError) {
        result = .success(try round(before: active, isThorough: true))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }

  /// Returns once no work is under way.
  func finish() {
    executor.now {}
    receipts.finish()
  }

  private func round(
    before active: SegmentName, isThorough: Bool = false
  ) throws(JournalError) -> [SegmentName] {
    var sealed: [SegmentName] = []
    let meter = indexes.journal.meter
    meter?.begin("Sealing", try unsealedCount(before: active), isInBackground: true)
    defer { meter?.end() }
    while let (next, outline) = try sealNext(before: active) {
      sealed.append(next)
      meter?.advance(by: 1)
      _ = try indexes.update(isThorough: false, outline.map { [next: $0] } ?? [:])
    }
    _ = try indexes.update(isThorough: isThorough)
    try updateKeys(before: active, isThorough: isThorough)
    // Without snapshots everything can still be read, only more slowly, so a failure here is
    // ignored.
    _ = try? snapshots.update(isThorough: isThorough)
    return sealed
  }

  /// How many segments wait to be sealed; only counted when there is a meter.
  private func unsealedCount(before active: SegmentName) throws(JournalError) -> Int {
    let journal = indexes.journal
    guard journal.meter != nil else { return 0 }
    return try journal.segmentsBySeal(before: active).unsealed.count
  }

  private func updateKeys(
    before active: SegmentName, isThorough: Bool
  ) throws(JournalError) {
    let sealed = try keyIndexes.journal.segmentsBySeal(before: active).sealed
    try keyIndexes.update(sealed, isThorough: isThorough)
    keys.forgetIndexed(sealed, in: keyIndexes.journal)
    receipts.rewrite(sealed)
  }

  private func sealNext(
    before active: SegmentName
  ) throws(JournalError) -> (name: SegmentName, outline: MapOutline?)? {
    typealias Sealed = (name: SegmentName, outline: MapOutline?)
    let result = sealer.withLock { sealer -> Result<Sealed?, JournalError> in
      do throws(JournalError) {
        return .success(try sealer.sealNext(before: active).map { ($0, sealer.outline) })
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
