import Journal
import Synchronization

/// The outcome of a ``GroupedWrite``; only the holder of the turn sets and clears it.
struct GroupDecision<Answer: Sendable>: ~Copyable, Sendable {
  // Not private: otherwise the compiler (6.3.1) cannot lay out the mutex from another file.
  struct State: Sendable {
    var outcome: Result<Answer, any Error>?
    /// Whether the outcome holds only if the group reaches the disk: the write appends something,
    /// or was decided in a state with the group's other writes.
    var needsGroup = true
  }

  private let state = Mutex(State())

  /// Whether there is an outcome.
  var isMade: Bool { state.withLock { $0.outcome != nil } }

  func make(_ outcome: Result<Answer, any Error>, needsGroup: Bool) {
    state.withLock { $0 = State(outcome: outcome, needsGroup: needsGroup) }
  }

  /// Clears an outcome that was made in a group whose commit lost to another book.
  func discardDecision() {
    state.withLock { state in
      if state.needsGroup { state = State() }
    }
  }

  /// Answers the ticket, now that the group is on disk or was refused by it.
  ///
  /// - Precondition: there is an outcome, or the group was refused.
  func settle(_ ticket: borrowing Ticket<Answer>, after failure: JournalError?) {
    let state = state.withLock { $0 }
    if let failure, state.needsGroup { return ticket.settle(.failure(failure)) }
    guard let outcome = state.outcome else {
      preconditionFailure("a write is decided before it is answered")
    }
    ticket.settle(outcome)
  }
}
