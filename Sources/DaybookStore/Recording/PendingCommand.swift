import Daybook
import Journal
import Synchronization

/// A write that waits in a ``CommitQueue`` and may share a commit with others.
protocol GroupedWrite: Sendable {
  /// Takes the write from the queue, unless it was cancelled.
  func admit() -> Bool
  /// Whether it was cancelled.
  var isCancelled: Bool { get }
  /// Looks up whether the write was carried out before. Only the journal knows, so this may take
  /// time; it does not need the turn.
  func lookUp(_ receipts: ReceiptLookup)
  /// Whether it was, and a given state suffices to answer it; nothing is decided then.
  func isAnswered(in state: () -> BookState) -> Bool
  /// Looks again, holding the turn, at what was recorded since; and, for the first of a group, at
  /// whatever else only the journal knows.
  func lookUpAgain(_ receipts: ReceiptLookup, isFirst: Bool, in state: () -> BookState)
  /// Whether deciding may take long, so that readers must not wait for it.
  var mayTakeLong: Bool { get }
  /// Whether deciding takes so long that the write gets a commit of its own.
  var isLong: Bool { get }
  /// Decides the write as the next of a group; returns whether the group had room.
  func decide(in group: inout CommitGroup, on state: inout BookState) -> Bool
  /// Drops the decision made in a group whose commit lost to another book, to be made again.
  func discardDecision()
  /// Answers the caller, now that the group is on disk or was refused by it.
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
  /// Takes the write from the queue, unless it was cancelled.
  func admit() -> Bool
  /// Whether it was cancelled.
  var isCancelled: Bool { get }
  /// Carries the write out, and returns a closure that answers the caller.
  func execute(on book: Book) -> () -> Void
}

/// A command that waits to be recorded.
final class PendingCommand: GroupedWrite {
  let envelope: CommandEnvelope
  let ticket = Ticket<Receipt<Void>>()
  private let decision = GroupDecision<Receipt<Void>>()
  /// The moment at which the key was looked up and not found.
  private let lookedUp = Mutex<IdempotencyKeys.Revision?>(nil)

  init(_ envelope: CommandEnvelope) { self.envelope = envelope }

  func admit() -> Bool { ticket.admit() }
  var isCancelled: Bool { ticket.isCancelled }

  func lookUp(_ receipts: ReceiptLookup) {
    guard envelope.id != nil, !decision.isMade else { return }
    let revision = receipts.keys.revision
    do {
      guard let receipt = try receipts.receipt(of: envelope) else {
        return lookedUp.withLock { $0 = revision }
      }
      decision.make(.success(receipt), needsGroup: false)
    } catch {
      decision.make(.failure(error), needsGroup: false)
    }
  }

  func isAnswered(in state: () -> BookState) -> Bool { decision.isMade }

  func lookUpAgain(_ receipts: ReceiptLookup, isFirst: Bool, in state: () -> BookState) {
    guard let id = envelope.id else { return }
    if let revision = lookedUp.withLock({ $0 }), receipts.keys.stillLacks(id, since: revision) {
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

  func discardDecision() { decision.discardDecision() }
  func settle(after failure: JournalError?) { decision.settle(ticket, after: failure) }
}
