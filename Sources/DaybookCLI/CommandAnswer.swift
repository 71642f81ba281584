import Avro
import Daybook
import DaybookStore

/// A command that is recorded, and how it is answered: by a sentence, or by its row and where it stands in JSON.
struct CommandAnswer {
  let options: BookOptions
  let actor: ActorOptions
  let at: Instant?

  init(_ options: BookOptions, _ actor: ActorOptions, _ clock: ClockOptions) throws {
    self.options = options
    self.actor = actor
    at = try clock.instant { try actor.dayClock(in: options) }
  }

  /// Records a command, and says what came of it.
  func write<C: RequestBody>(
    _ command: C, id: Key? = nil, words: (C.Answer, BookState) throws -> String
  ) throws {
    try write(id: id, { _, _ in command }, words: words)
  }

  /// Records a command that is made from the state, and says what came of it.
  ///
  /// - Parameters:
  ///   - id: An idempotency key.
  ///   - isUndoable: Whether to say how the command is undone, if it came to anything.
  ///   - command: Makes the command.
  ///   - words: Says what came of it.
  /// - Throws: what refuses the command, or what `words` throws.
  func write<C: RequestBody>(
    id: Key? = nil, isUndoable: Bool = false, _ command: (BookState, Account.ID) throws -> C,
    words: (C.Answer, BookState) throws -> String
  ) throws {
    _ = try record(id: id, isUndoable: isUndoable, command, words: words)
  }

  /// Records a command as ``write(id:isUndoable:_:words:)`` does, for who looks at the answer, too.
  func record<C: RequestBody>(
    id: Key? = nil, isUndoable: Bool = false, _ command: (BookState, Account.ID) throws -> C,
    words: (C.Answer, BookState) throws -> String
  ) throws -> C.Answer {
    try record(
      id: id, isUndoable: isUndoable, command,
      telling: { receipt, state in
        try words(receipt.answer, state)
      })
  }

  /// As ``record(id:isUndoable:_:words:)``, for sentences that also say whether anything changed.
  @discardableResult
  func record<C: RequestBody>(
    id: Key? = nil, isUndoable: Bool = false, _ command: (BookState, Account.ID) throws -> C,
    telling words: (Receipt<C.Answer>, BookState) throws -> String
  ) throws -> C.Answer {
    let book = try options.open()
    let (account, made) = try book.read { state in
      let account = try actor.account(in: state)
      return (account, try EditArgument.checked(command(state, account)))
    }
    let answer = try book.answer(to: made, by: account, at: at, id: id)
    if let refusal = answer.refusal { throw refusal }
    let receipt = answer.receipt
    guard options.json else {
      let hint =
        isUndoable && receipt.count > 0 ? " Undo: `daybook undo \(receipt.position)`." : ""
      Output.line(try book.read { try words(receipt, $0) } + hint)
      return receipt.answer
    }
    Self.write(answer)
    return receipt.answer
  }

  /// Carries a command out as ``record(id:isUndoable:_:words:)`` does, says what would come of it, and takes all of it
  /// back. What scripts are told is the row, and that nothing was recorded.
  func attempt<C: RequestBody>(
    _ command: (BookState, Account.ID) throws -> C, words: (C.Answer, BookState) throws -> String
  ) throws -> C.Answer {
    let book = try options.open()
    let (found, row, words) = try book.transaction(trying: true) { (batch: inout Batch) in
      let account = try actor.account(in: batch.state)
      let made = try EditArgument.checked(command(batch.state, account))
      let answer = try batch.record(made, by: account, at: at)
      return (answer, made.row(of: answer, in: batch.state), try words(answer, batch.state))
    }
    let answer: JSON = ["ok": row, "dry_run": true]
    Output.line(options.json ? answer.encoded : words)
    return found
  }

  /// Tells scripts what came of a command: its row, and where it stands.
  static func write<Answer>(_ answer: RowReceipt<Answer>) {
    Output.line(JSON.object([.init("ok", answer.row)] + answer.receipt.span.members).encoded)
  }

  /// The question that a command raises at its instant: what day is it, how does the streak stand?
  func query(_ state: BookState) -> Query {
    Query(asOf: at ?? max(BookClock.system.now(), state.at), zones: options.reader.zones)
  }
}
