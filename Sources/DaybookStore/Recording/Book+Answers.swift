package import Avro
package import Daybook
import Synchronization

extension Book {
  /// Carries out a command and returns its receipt and its row as the command left it.
  ///
  /// If the idempotency key was used before, the receipt and the row are those of the first use, whatever happened
  /// since. A caller who may no longer see the row's entity gets no row.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - actor: The account that asks.
  ///   - at: The book's clock. By default the machine's clock, but never before the last entry.
  ///   - id: An idempotency key.
  /// - Returns: The answer, once it is on disk.
  /// - Throws: ``Rejection``, or ``JournalError``; then nothing changed.
  package func answer<C: RequestBody>(
    to command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> RowReceipt<C.Answer> {
    let slot = RowSlot<C>()
    let envelope = CommandEnvelope(filling: slot, with: command, by: actor, at: at, id: id)
    let receipt: Receipt<C.Answer>
    do {
      receipt = slot.answer.receipt(try execute(envelope))
    } catch let rejection as Rejection
      where rejection.reason == .keyReused && isErased(actor)
    {
      // An erasure blanked its entries, so that they cannot be told from another command's.
      throw Rejection.accountNotFound
    }
    let seen = slot.found
    let refusal = receipt.isRepeated ? read { seen.refusal(in: $0, for: actor) } : nil
    return RowReceipt(receipt: receipt, row: refusal == nil ? seen.row : .null, refusal: refusal)
  }

  private func isErased(_ account: Account.ID?) -> Bool {
    account.flatMap { number in read { $0.accounts[number]?.isErased } } ?? false
  }
}

/// The outcome of a command: its receipt and its row.
package struct RowReceipt<Answer: Sendable>: Sendable {
  package let receipt: Receipt<Answer>
  /// The row as the command left it.
  package let row: JSON
  /// Why the row is withheld from a repeated command: the caller may no longer see the row's
  /// entity.
  package let refusal: Rejection?
}

/// A command's row, and how much of its entity the caller could see when it was made.
struct AnsweredRow: Sendable {
  let row: JSON
  let aggregate: Aggregate?
  let visibility: Visibility

  /// The row of an answer, in the state that the command left.
  init<C: RequestBody>(
    of answer: C.Answer, to command: C, for actor: Account.ID?, in state: BookState
  ) {
    row = command.row(of: answer, in: state)
    aggregate = command.aggregate(of: answer)
    visibility = aggregate.map { state.visibility(of: $0, for: actor) } ?? .nothing
  }

  /// Why the row is withheld in a later state; nil when it is not.
  func refusal(in state: BookState, for actor: Account.ID?) -> Rejection? {
    state.refusal(for: actor, about: aggregate, seenThen: visibility)
  }
}

/// A slot for a command's answer and row, kept until the caller takes them.
final class RowSlot<C: RequestBody>: Sendable {
  let answer = AnswerSlot<C.Answer>()
  private let kept = Mutex<AnsweredRow?>(nil)

  /// The row.
  var found: AnsweredRow {
    guard let seen = kept.withLock({ $0 }) else {
      preconditionFailure("the row of a decided command is kept")
    }
    return seen
  }

  fileprivate func fill(at state: BookState, _ command: C, for actor: Account.ID?) {
    guard let answer = answer.answer else { return }
    let seen = AnsweredRow(of: answer, to: command, for: actor, in: state)
    kept.withLock { $0 = seen }
  }
}

extension CommandEnvelope {
  /// A command that puts its row, as it leaves it, into a slot.
  init<C: RequestBody>(
    filling slot: RowSlot<C>, with command: C, by actor: Account.ID?, at: Instant?, id: Key?
  ) {
    self.init(by: actor, at: at, id: id) { slot.answer.keep(try command.decide($0, $1)) }
    inspect = { slot.fill(at: $0, command, for: actor) }
  }
}
