import Avro
import Daybook
import DaybookStore

/// Records a command and prints the answer: a sentence, or its row and position as JSON.
struct CommandAnswer {
  let options: BookOptions
  let actor: ActorOptions
  let at: Instant?

  init(_ options: BookOptions, _ actor: ActorOptions, _ clock: ClockOptions) throws {
    self.options = options
    self.actor = actor
    at = try clock.instant { try actor.dayClock(in: options) }
  }

  /// Records a command, and prints the result.
  func run<C: RequestBody>(
    _ command: C, id: Key? = nil, words: (C.Answer, BookState) throws -> String
  ) throws {
    try run(id: id, { _, _ in command }, words: words)
  }

  /// Records a command that is built from the state, and prints the result.
  ///
  /// - Parameters:
  ///   - id: An idempotency key.
  ///   - isUndoable: Whether to mention how to undo the command, if it had an effect.
  ///   - command: Builds the command.
  ///   - words: Describes the result.
  /// - Throws: The refusal of the command, or an error of `words`.
  func run<C: RequestBody>(
    id: Key? = nil, isUndoable: Bool = false, _ command: (BookState, Account.ID) throws -> C,
    words: (C.Answer, BookState) throws -> String
  ) throws {
    _ = try record(id: id, isUndoable: isUndoable, command, words: words)
  }

  /// The same as ``run(id:isUndoable:_:words:)``, for callers that also need the answer.
  func record<C: RequestBody>(
    id: Key? = nil, isUndoable: Bool = false, _ command: (BookState, Account.ID) throws -> C,
    words: (C.Answer, BookState) throws -> String
  ) throws -> C.Answer {
    try record(
      id: id, isUndoable: isUndoable, command,
      describing: { receipt, state in
        try words(receipt.answer, state)
      })
  }

  /// The same as ``record(id:isUndoable:_:words:)``, for sentences that depend on whether anything changed.
  @discardableResult
  func record<C: RequestBody>(
    id: Key? = nil, isUndoable: Bool = false, _ command: (BookState, Account.ID) throws -> C,
    describing words: (Receipt<C.Answer>, BookState) throws -> String
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
    Self.print(answer)
    return receipt.answer
  }

  /// Executes a command as ``record(id:isUndoable:_:words:)`` does, prints the result it would have, and
  /// rolls it back. The JSON has the row, and states that nothing was recorded.
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

  /// Prints the result of a command as JSON: its row and position.
  static func print<Answer>(_ answer: RowReceipt<Answer>) {
    Output.line(JSON.object([.init("ok", answer.row)] + answer.receipt.span.members).encoded)
  }

  /// The query as of the command's instant, for questions such as the current day or streak.
  func query(_ state: BookState) -> Query {
    Query(asOf: at ?? max(BookClock.system.now(), state.at), zones: options.reader.zones)
  }
}
