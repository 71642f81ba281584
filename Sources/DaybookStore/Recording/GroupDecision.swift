import Journal
import Synchronization

/// What a ``GroupedWrite`` came to; only the holder of the turn makes and forgets it.
struct GroupDecision<Answer: Sendable>: ~Copyable, Sendable {
  // Not private: the compiler (6.3.1) cannot lay out the mutex from another file then.
  struct Made: Sendable {
    var outcome: Result<Answer, any Error>?
    /// Whether it holds only if the group comes to be on disk: it appends something, or was decided in what others of
    /// the group append.
    var needsGroup = true
  }

  private let made = Mutex(Made())

  /// Whether it is made.
  var isMade: Bool { made.withLock { $0.outcome != nil } }

  func make(_ outcome: Result<Answer, any Error>, needsGroup: Bool) {
    made.withLock { $0 = Made(outcome: outcome, needsGroup: needsGroup) }
  }

  /// Forgets it, if it was made in a group that came too late.
  func reconsider() {
    made.withLock { made in
      if made.needsGroup { made = Made() }
    }
  }

  /// Answers with it, now that the group is on disk, or was refused by it.
  ///
  /// - Precondition: it is made, or the group was refused.
  func settle(_ ticket: borrowing Ticket<Answer>, after failure: JournalError?) {
    let made = made.withLock { $0 }
    if let failure, made.needsGroup { return ticket.settle(.failure(failure)) }
    guard let outcome = made.outcome else {
      preconditionFailure("a write is decided before it is answered")
    }
    ticket.settle(outcome)
  }
}
