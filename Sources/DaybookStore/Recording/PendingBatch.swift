import Daybook
import Journal

/// Several commands that wait to be recorded together, all or none.
///
/// The body keeps its result in an ``AnswerSlot``, so that nothing here looks up types at run time.
final class PendingBatch: GroupedWrite {
  let ticket = Ticket<Void>()
  private let body: @Sendable (inout Batch) throws -> Void
  private let receipts: ReceiptLookup
  private let decision = GroupDecision<Void>()
  let isLong: Bool

  init(
    _ body: @escaping @Sendable (inout Batch) throws -> Void, _ receipts: ReceiptLookup,
    isLong: Bool
  ) {
    self.body = body
    self.receipts = receipts
    self.isLong = isLong
  }

  func admit() -> Bool { ticket.admit() }
  var isCancelled: Bool { ticket.isCancelled }
  /// How long a batch takes depends on its body.
  var mayTakeLong: Bool { true }
  func lookUp(_ receipts: ReceiptLookup) {}
  func isAnswered(in state: () -> BookState) -> Bool { false }
  func lookUpAgain(_ receipts: ReceiptLookup, isFirst: Bool, in state: () -> BookState) {}

  func decide(in group: inout CommitGroup, on state: inout BookState) -> Bool {
    guard !decision.isMade else { return true }
    let isFirst = group.isEmpty
    // The state moves into the batch and back, so that nobody else holds what the batch changes.
    var batch = Batch(
      consume state, clock: group.clock, zones: group.zones, receipts, besides: group.usedKeys)
    let outcome = Result { try body(&batch) }
    let (entries, mustWait, newReceipts) = (batch.entries ?? [], batch.mustWait, batch.newReceipts)
    state = batch.finish()
    if case .success = outcome, !mustWait, !entries.isEmpty {
      do throws(CommitGroup.Full) { try group.appendApplied(entries, in: &state) } catch {
        return false
      }
      for receipt in newReceipts { group.keep(receipt) }
      decision.make(outcome, needsGroup: true)
      return true
    }
    if !entries.isEmpty { group.rebuild(&state) }
    if mustWait { return false }
    decision.make(outcome, needsGroup: !isFirst)
    return true
  }

  func discardDecision() { decision.discardDecision() }
  func settle(after failure: JournalError?) { decision.settle(ticket, after: failure) }
}
