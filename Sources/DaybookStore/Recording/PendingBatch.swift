import Daybook
import Journal
import Synchronization

/// Several commands that wait to be recorded together: whole, or not at all.
///
/// What they come to is kept in an ``AnswerSlot`` by the body, so that nothing here looks up types while it runs.
final class PendingBatch: GroupedWrite {
  let ticket = Ticket<Void>()
  private let body: @Sendable (inout Batch) throws -> Void
  private let receipts: ReceiptLookup
  /// What was decided; only the holder of the turn sets it.
  private let decision = Mutex<Decision?>(nil)

  private struct Decision: Sendable {
    var outcome: Result<Void, any Error>
    /// Whether it holds only if the group comes to be on disk.
    var needsGroup: Bool
  }

  init(_ body: @escaping @Sendable (inout Batch) throws -> Void, _ receipts: ReceiptLookup) {
    self.body = body
    self.receipts = receipts
  }

  func take() -> Bool { ticket.take() }
  var isCancelled: Bool { ticket.isCancelled }
  /// A batch is as long as its body makes it.
  var mayTakeLong: Bool { true }
  func lookUp(_ receipts: ReceiptLookup) {}
  func isAnswered(in state: () -> BookState) -> Bool { false }
  func lookAgain(_ receipts: ReceiptLookup, isFirst: Bool, in state: () -> BookState) {}

  func decide(in group: inout CommitGroup, on state: inout BookState) -> Bool {
    guard decision.withLock({ $0 == nil }) else { return true }
    let isFirst = group.isEmpty
    // The state goes into the batch and comes back, so that nobody else holds what the batch changes.
    var batch = Batch(
      consume state, clock: group.clock, zones: group.zones, receipts, besides: group.usedKeys)
    let outcome = Result { try body(&batch) }
    let (entries, mustWait, newReceipts) = (batch.entries ?? [], batch.mustWait, batch.newReceipts)
    state = batch.end()
    if case .success = outcome, !mustWait, !entries.isEmpty {
      do throws(CommitGroup.Full) { try group.takeUp(entries, in: &state) } catch { return false }
      for receipt in newReceipts { group.keep(receipt) }
      note(outcome, needsGroup: true)
      return true
    }
    if !entries.isEmpty { group.remake(&state) }
    if mustWait { return false }
    note(outcome, needsGroup: !isFirst)
    return true
  }

  func reconsider() {
    decision.withLock { decision in
      if decision?.needsGroup ?? false { decision = nil }
    }
  }

  private func note(_ outcome: Result<Void, any Error>, needsGroup: Bool) {
    decision.withLock { $0 = Decision(outcome: outcome, needsGroup: needsGroup) }
  }

  func settle(after failure: JournalError?) {
    let decision = decision.withLock { $0 }
    if let failure, decision?.needsGroup ?? true { return ticket.settle(.failure(failure)) }
    guard let decision else { preconditionFailure("a write is decided before it is answered") }
    ticket.settle(decision.outcome)
  }
}
