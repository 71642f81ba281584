import Daybook
import Journal
import Synchronization

/// Several commands that wait to be recorded together, decided in a copy of the state: whole, or not at all.
final class PendingBatch<Answer: Sendable>: GroupedWrite {
  let ticket = Ticket<Answer>()
  private let body: @Sendable (inout Batch) throws -> Answer
  private let receipts: ReceiptLookup
  /// What was decided; only the holder of the turn sets it.
  private let decision = Mutex<Decision?>(nil)

  private struct Decision: Sendable {
    var outcome: Result<Answer, any Error>
    /// Whether it holds only if the group comes to be on disk.
    var needsGroup: Bool
  }

  init(_ body: @escaping @Sendable (inout Batch) throws -> Answer, _ receipts: ReceiptLookup) {
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
    let (outcome, batch) = carryOut(after: group, on: state)
    guard let outcome else { return false }
    if case .success = outcome, let entries = batch.entries, !entries.isEmpty {
      do throws(CommitGroup.Full) {
        try group.take(entries, leaving: batch.state, on: &state)
      } catch { return false }
      for receipt in batch.newReceipts { group.keep(receipt) }
      note(outcome, needsGroup: true)
    } else {
      note(outcome, needsGroup: !isFirst)
    }
    return true
  }

  /// Carries the body out in a copy of the state; without an outcome it must wait for those before it.
  private func carryOut(
    after group: CommitGroup, on state: BookState
  ) -> (Result<Answer, any Error>?, Batch) {
    var batch = Batch(
      state, clock: group.clock, zones: group.zones, receipts, besides: group.usedKeys)
    let outcome = Result { try body(&batch) }
    return (batch.mustWait ? nil : outcome, batch)
  }

  func reconsider() {
    decision.withLock { decision in
      if decision?.needsGroup ?? false { decision = nil }
    }
  }

  private func note(_ outcome: Result<Answer, any Error>, needsGroup: Bool) {
    decision.withLock { $0 = Decision(outcome: outcome, needsGroup: needsGroup) }
  }

  func settle(after failure: JournalError?) {
    let decision = decision.withLock { $0 }
    if let failure, decision?.needsGroup ?? true { return ticket.settle(.failure(failure)) }
    guard let decision else { preconditionFailure("a write is decided before it is answered") }
    ticket.settle(decision.outcome)
  }
}
