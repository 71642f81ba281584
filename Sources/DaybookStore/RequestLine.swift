public import Avro
public import Daybook

extension Book {
  /// Carries out one command in its JSON form, and returns what came of it, once it is on disk:
  /// `{"ok":{…row…},"position":17}` or `{"error":{"code":"not_owner","message":"…"}}`. The row is as the command
  /// itself left it, also when its id repeats it. Whoever may not see any more what it is about is told no row then:
  /// `{"error":{"code":"household_not_found","message":"…"},"position":17}`.
  ///
  /// - Parameters:
  ///   - line: The JSON text.
  ///   - actor: Who asks when the text has no `as`.
  /// - Returns: The answer, and whether the command was accepted.
  /// - Throws: ``JournalError``: the disk refused, and so it will the next line.
  public func apply(line: String, by actor: Account.ID? = nil) throws -> RequestOutcome {
    try apply(line: Array(line.utf8), by: actor)
  }

  /// As ``apply(line:by:)``, from the line's bytes: those that are not UTF-8 are refused, not mended.
  ///
  /// - Returns: The answer, and whether the command was accepted.
  /// - Throws: ``JournalError``: the disk refused, and so it will the next line.
  public func apply(line: [UInt8], by actor: Account.ID? = nil) throws -> RequestOutcome {
    let call = LineCall(line, for: self) { _ in actor }
    wait(for: call) { call.ticket.wait($0) }
    return try call.result.get()
  }

  /// Carries out lines that are there already, one after another, as ``apply(line:by:)`` does. Many share a commit
  /// and its sync; a refused line disturbs no other.
  ///
  /// Others who record come in between commits.
  ///
  /// - Parameters:
  ///   - lines: The JSON texts.
  ///   - actor: Tells who asks when a text has no `as`, from the state that its line meets.
  ///   - answer: Is given the answers to the next lines, in order, once they are on disk: all together those of one
  ///     commit.
  /// - Throws: ``JournalError``: the disk refused, and lines that were not answered were not carried out; or what
  ///   `answer` throws.
  public func apply(
    lines: [[UInt8]], by actor: @escaping @Sendable (State) -> Account.ID?,
    _ answer: ([RequestOutcome]) throws -> Void
  ) throws {
    var calls = lines.map { LineCall($0, for: self, by: actor) }[...]
    for call in calls { call.lookUp(recall) }
    while !calls.isEmpty {
      let count = carryOutTogether(calls.prefix(CommitQueue.groupCount))
      var outcomes: [RequestOutcome] = []
      let failure = Result {
        for call in calls.prefix(count) { outcomes.append(try call.result.get()) }
      }
      try answer(outcomes)
      try failure.get()
      calls = calls.dropFirst(count)
    }
  }

  /// Carries out the first of the lines as one commit; returns how many.
  private func carryOutTogether(_ calls: ArraySlice<LineCall>) -> Int {
    queue.takeTurn()
    let (count, failure) = carryOut(calls.map { $0 as any Member }[...])
    queue.passTurn(of: self)
    for call in calls.prefix(count) { call.settle(after: failure) }
    return count
  }
}

/// What came of a line of commands.
public struct RequestOutcome: Sendable {
  /// The answer.
  public let json: JSON
  /// Whether the command was accepted.
  public let isAccepted: Bool

  init(row: JSON, position: Int64) {
    json = ["ok": row, "position": .number(position)]
    isAccepted = true
  }

  init(code: String, field: String?, message: String, position: Int64? = nil) {
    var members: [JSON.Member] = [
      .init("code", .string(code)), .init("message", .string(message)),
    ]
    if let field { members.append(.init("field", .string(field))) }
    var answer: [JSON.Member] = [.init("error", .object(members))]
    if let position { answer.append(.init("position", .number(position))) }
    json = .object(answer)
    isAccepted = false
  }

  /// A refusal. One with a position is of a command that was carried out there before, and is not told again.
  init(_ rejection: any Rejection, position: Int64? = nil) {
    self.init(
      code: rejection.code, field: rejection.field, message: rejection.description,
      position: position)
  }
}
