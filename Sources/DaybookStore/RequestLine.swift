public import Avro
public import Daybook

extension Book {
  /// Carries out one command in its JSON form, and returns the outcome once it is on disk:
  /// `{"ok":{…row…},"position":17,"last_position":17,"changed":true}` or
  /// `{"error":{"code":"not_owner","message":"…"}}`.
  ///
  /// The row is as the command itself left it, also when its id is repeated. A caller who may no
  /// longer see the row's entity then gets no row:
  /// `{"error":{"code":"household_not_found","message":"…"},"position":17}`.
  ///
  /// - Parameters:
  ///   - line: The JSON text.
  ///   - actor: The account that asks when the text has no `as`.
  /// - Returns: The answer, and whether the command was accepted.
  /// - Throws: ``JournalError``: the disk refused, and will refuse the next line, too.
  public func record(line: String, by actor: Account.ID? = nil) throws -> RequestOutcome {
    try record(line: Array(line.utf8), by: actor)
  }

  /// Carries out a line as ``record(line:by:)`` does, from its bytes: invalid UTF-8 is refused, not
  /// repaired.
  ///
  /// - Returns: The answer, and whether the command was accepted.
  /// - Throws: ``JournalError``: the disk refused, and will refuse the next line, too.
  public func record(line: [UInt8], by actor: Account.ID? = nil) throws -> RequestOutcome {
    try record(line: line, from: .owner { _ in actor })
  }

  /// Carries out a line as ``record(line:by:)`` does, for a caller. For lines from outside the
  /// program that is ``Caller/account(_:)``.
  ///
  /// - Returns: The answer, and whether the command was accepted.
  /// - Throws: ``JournalError``: the disk refused, and will refuse the next line, too.
  public func record(line: [UInt8], from caller: Caller) throws -> RequestOutcome {
    let write = PendingLine(line, for: self, from: caller)
    wait(for: write) { write.ticket.wait($0) }
    return try write.result.get()
  }

  /// Carries out several lines one after another, as ``record(line:from:)`` does. Many share a
  /// commit and its sync; a refused line disturbs no other.
  ///
  /// Other writers get their turns between the commits.
  ///
  /// - Parameters:
  ///   - lines: The JSON texts.
  ///   - caller: Who calls.
  ///   - answer: Receives the answers to the next lines, in order, once they are on disk: each call
  ///     has the answers of one commit.
  /// - Throws: ``JournalError``: the disk refused, and lines without an answer were not carried
  ///   out; or what `answer` throws.
  public func record(
    lines: [[UInt8]], from caller: Caller, _ answer: ([RequestOutcome]) throws -> Void
  ) throws {
    try record(read(lines: lines, from: caller), answer)
  }

  /// Parses lines for ``record(_:_:)``, while another thread carries out those before them.
  ///
  /// - Parameters:
  ///   - lines: The JSON texts.
  ///   - caller: Who calls.
  /// - Returns: The parsed lines.
  public func read(lines: [[UInt8]], from caller: Caller) -> CommandLines {
    CommandLines(
      writes: lines.map { line in
        let write = PendingLine(line, for: self, from: caller)
        write.lookUp(receipts)
        return write
      })
  }

  /// Carries out lines that were parsed before, as ``record(lines:from:_:)`` does.
  ///
  /// - Throws: as ``record(lines:from:_:)``.
  public func record(
    _ lines: CommandLines, _ answer: ([RequestOutcome]) throws -> Void
  ) throws {
    var writes = lines.writes[...]
    while !writes.isEmpty {
      let count = commitPrefix(writes.prefix(CommitQueue.groupCount))
      var outcomes: [RequestOutcome] = []
      let failure = Result {
        for write in writes.prefix(count) { outcomes.append(try write.result.get()) }
      }
      try answer(outcomes)
      try failure.get()
      writes = writes.dropFirst(count)
    }
  }

  /// Carries out the first lines as one commit; returns how many.
  private func commitPrefix(_ writes: ArraySlice<PendingLine>) -> Int {
    queue.takeTurn()
    let (count, failure) = commit(writes.map { $0 as any GroupedWrite }[...])
    queue.passTurn(of: self)
    for write in writes.prefix(count) { write.settle(after: failure) }
    return count
  }
}

/// Command lines that were parsed and not carried out yet. They can be carried out once.
public struct CommandLines: Sendable {
  let writes: [PendingLine]
}

/// The outcome of a command line.
public struct RequestOutcome: Sendable {
  /// The answer as JSON text in UTF-8: one line without its line break.
  public let text: [UInt8]
  /// Whether the command was accepted.
  public let isAccepted: Bool

  /// The answer.
  public var json: JSON { JSON(written: { $0.written(text) }) }

  /// An accepted command: the row that `write` writes, and where its entries are.
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

  /// An accepted command, as text.
  init(text: [UInt8]) {
    self.text = text
    isAccepted = true
  }

  /// A refusal: its code, the field at fault if there is one, a sentence, and further members.
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

  /// A refusal. With a span, the command was carried out there before, and its row is withheld now.
  init(_ rejection: Rejection, at span: CommandSpan? = nil) {
    self.init(rejection, beside: span?.members ?? [])
  }

  /// The refusal of a command that was carried out from a position on, when its number of entries
  /// is no longer known.
  init(_ rejection: Rejection, from position: Int64) {
    self.init(rejection, beside: [.init("position", .number(position))])
  }

  private init(_ rejection: Rejection, beside members: [JSON.Member]) {
    self.init(
      code: rejection.code, field: rejection.field, message: rejection.description, beside: members)
  }
}
