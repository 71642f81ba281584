import Daybook
import Journal
import Synchronization

/// A write that waits in a ``CommitQueue`` and may share a commit with others.
protocol GroupedWrite: Sendable {
  /// Takes the write up, if it was not cancelled.
  func take() -> Bool
  /// Whether it was cancelled.
  var isCancelled: Bool { get }
  /// Looks whether it was carried out before. Only the journal knows, so this may take its time; it needs no turn.
  func lookUp(_ receipts: ReceiptLookup)
  /// Whether it was, and can be answered by that in a state; nothing is decided then.
  func isAnswered(in state: () -> BookState) -> Bool
  /// Looks again, in the turn, at what was recorded since; and at what else only the journal knows, when it is the
  /// first of a group.
  func lookAgain(_ receipts: ReceiptLookup, isFirst: Bool, in state: () -> BookState)
  /// Whether it may take long to decide, so that nobody who reads must wait for it.
  var mayTakeLong: Bool { get }
  /// Whether it takes so long that it has a commit of its own.
  var isLong: Bool { get }
  /// Decides it as the next of a group; says whether the group had room.
  func decide(in group: inout CommitGroup, on state: inout BookState) -> Bool
  /// Forgets what was decided in a group that came too late, to be decided again.
  func reconsider()
  /// Answers, now that the group is on disk, or was refused by it.
  func settle(after failure: JournalError?)
}

extension GroupedWrite {
  /// One command is decided at once.
  var mayTakeLong: Bool { false }

  /// One command is short enough to share a commit.
  var isLong: Bool { false }
}

/// A write that waits in a ``CommitQueue`` for a commit of its own.
protocol ExclusiveWrite: Sendable {
  /// Takes the write up, if it was not cancelled.
  func take() -> Bool
  /// Whether it was cancelled.
  var isCancelled: Bool { get }
  /// Carries it out, and returns what answers it.
  func carryOut(on book: Book) -> () -> Void
}

/// A command that waits to be recorded.
final class PendingCommand: GroupedWrite {
  let envelope: CommandEnvelope
  let ticket = Ticket<Receipt<Void>>()
  private let decision = GroupDecision<Receipt<Void>>()
  /// When its key was looked for in vain.
  private let lookedUp = Mutex<IdempotencyKeys.Moment?>(nil)

  init(_ envelope: CommandEnvelope) { self.envelope = envelope }

  func take() -> Bool { ticket.take() }
  var isCancelled: Bool { ticket.isCancelled }

  func lookUp(_ receipts: ReceiptLookup) {
    guard envelope.id != nil, !decision.isMade else { return }
    let moment = receipts.keys.moment
    do {
      guard let receipt = try receipts.receipt(of: envelope) else {
        return lookedUp.withLock { $0 = moment }
      }
      decision.make(.success(receipt), needsGroup: false)
    } catch {
      decision.make(.failure(error), needsGroup: false)
    }
  }

  func isAnswered(in state: () -> BookState) -> Bool { decision.isMade }

  func lookAgain(_ receipts: ReceiptLookup, isFirst: Bool, in state: () -> BookState) {
    guard let id = envelope.id else { return }
    if let moment = lookedUp.withLock({ $0 }), receipts.keys.holdsNot(id, lookedForAt: moment) {
      return
    }
    lookUp(receipts)
  }

  func decide(in group: inout CommitGroup, on state: inout BookState) -> Bool {
    guard !decision.isMade else { return true }
    let isFirst = group.entries.isEmpty
    do {
      let receipt = try group.decide(envelope, on: &state)
      decision.make(.success(receipt), needsGroup: !isFirst || receipt.count > 0)
    } catch is CommitGroup.Full {
      return false
    } catch {
      decision.make(.failure(error), needsGroup: !isFirst)
    }
    return true
  }

  func reconsider() { decision.reconsider() }
  func settle(after failure: JournalError?) { decision.settle(ticket, after: failure) }
}
