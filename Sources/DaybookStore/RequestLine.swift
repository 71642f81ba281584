public import Avro
public import Daybook

extension Book {
  /// Carries out one command in its JSON form, and returns what came of it, once it is on disk:
  /// `{"ok":{…row…},"position":17,"last_position":17,"changed":true}` or
  /// `{"error":{"code":"not_owner","message":"…"}}`. The row is as the command itself left it, also when its id repeats
  /// it. Whoever may not see any more what it is about is told no row then:
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
    try apply(line: line, from: .owner { _ in actor })
  }

  /// As ``apply(line:by:)``, on somebody's behalf: for lines that come from elsewhere, ``Caller/account(_:)``.
  ///
  /// - Returns: The answer, and whether the command was accepted.
  /// - Throws: ``JournalError``: the disk refused, and so it will the next line.
  public func apply(line: [UInt8], from caller: Caller) throws -> RequestOutcome {
    let write = PendingLine(line, for: self, from: caller)
    wait(for: write) { write.ticket.wait($0) }
    return try write.result.get()
  }

  /// Carries out lines that are there already, one after another, as ``apply(line:from:)`` does. Many share a commit
  /// and its sync; a refused line disturbs no other.
  ///
  /// Others who record come in between commits.
  ///
  /// - Parameters:
  ///   - lines: The JSON texts.
  ///   - caller: Who calls.
  ///   - answer: Is given the answers to the next lines, in order, once they are on disk: all together those of one
  ///     commit.
  /// - Throws: ``JournalError``: the disk refused, and lines that were not answered were not carried out; or what
  ///   `answer` throws.
  public func apply(
    lines: [[UInt8]], from caller: Caller, _ answer: ([RequestOutcome]) throws -> Void
  ) throws {
    try apply(read(lines: lines, from: caller), answer)
  }

  /// Reads lines to be carried out with ``apply(_:_:)``, while those before them are carried out by another thread.
  ///
  /// - Parameters:
  ///   - lines: The JSON texts.
  ///   - caller: Who calls.
  /// - Returns: What they say.
  public func read(lines: [[UInt8]], from caller: Caller) -> CommandLines {
    CommandLines(
      writes: lines.map { line in
        let write = PendingLine(line, for: self, from: caller)
        write.lookUp(receipts)
        return write
      })
  }

  /// As ``apply(lines:from:_:)``, for lines that were read before.
  ///
  /// - Throws: as ``apply(lines:from:_:)``.
  public func apply(
    _ lines: CommandLines, _ answer: ([RequestOutcome]) throws -> Void
  ) throws {
    var writes = lines.writes[...]
    while !writes.isEmpty {
      let count = carryOutTogether(writes.prefix(CommitQueue.groupCount))
      var outcomes: [RequestOutcome] = []
      let failure = Result {
        for write in writes.prefix(count) { outcomes.append(try write.result.get()) }
      }
      try answer(outcomes)
      try failure.get()
      writes = writes.dropFirst(count)
    }
  }

  /// Carries out the first of the lines as one commit; returns how many.
  private func carryOutTogether(_ writes: ArraySlice<PendingLine>) -> Int {
    queue.takeTurn()
    let (count, failure) = carryOut(writes.map { $0 as any GroupedWrite }[...])
    queue.passTurn(of: self)
    for write in writes.prefix(count) { write.settle(after: failure) }
    return count
  }
}

/// Lines of commands that were read and not carried out yet. They are carried out once.
public struct CommandLines: Sendable {
  let writes: [PendingLine]
}

/// What came of a line of commands.
public struct RequestOutcome: Sendable {
  /// The answer as JSON text, in UTF-8, on one line without its end.
  public let text: [UInt8]
  /// Whether the command was accepted.
  public let isAccepted: Bool

  /// The answer.
  public var json: JSON { JSON(written: { $0.written(text) }) }

  /// A row, which `write` writes, and where what was recorded stands.
  init(_ span: CommandSpan, _ write: (inout JSONWriter) -> Void) {
    var json = JSONWriter()
    json.object { json in
      json.name("ok")
      write(&json)
      span.write(to: &json)
    }
    text = json.bytes
    isAccepted = true
  }

  /// What was accepted, as text.
  init(text: [UInt8]) {
    self.text = text
    isAccepted = true
  }

  /// A refusal: its code, the field that is at fault, if one is, and a sentence; and what is told beside them.
  package init(code: String, field: String?, message: String, beside members: [JSON.Member] = []) {
    var json = JSONWriter()
    json.object { json in
      json.name("error")
      json.object { json in
        json.name("code")
        json.string(code)
        json.name("message")
        json.string(message)
        if let field {
          json.name("field")
          json.string(field)
        }
      }
      for member in members {
        json.name(member.name)
        json.value(member.value)
      }
    }
    text = json.bytes
    isAccepted = false
  }

  /// A refusal. One with a span is of a command that was carried out there before, and is not told again.
  init(_ rejection: Rejection, at span: CommandSpan? = nil) {
    self.init(rejection, beside: span?.members ?? [])
  }

  /// A refusal of a command that was carried out from a position on, and of which nobody can tell any more how much it did.
  init(_ rejection: Rejection, from position: Int64) {
    self.init(rejection, beside: [.init("position", .number(position))])
  }

  private init(_ rejection: Rejection, beside members: [JSON.Member]) {
    self.init(
      code: rejection.code, field: rejection.field, message: rejection.description, beside: members)
  }
}
