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
    let json: JSON
    do throws(JSONError) { json = try JSON(parsing: line) } catch {
      return RequestOutcome(code: "invalid_json", field: nil, message: "The line is \(error).")
    }
    do {
      return try apply(json, by: actor, in: read { $0 })
    } catch let rejection as any Rejection {
      return try applied(json, by: actor) ?? RequestOutcome(rejection)
    }
  }

  /// Carries out a command that is read in a state.
  private func apply(
    _ json: JSON, by actor: Account.ID?, in state: State
  ) throws -> RequestOutcome {
    let request = try Request(json, state, actor: actor, hashing: pepper?.hashing) {
      try self.reader.taskPast(at: $0, knowing: state)
    }
    return try carryOut(request.body, request)
  }

  /// What came of a command that is refused now because it was carried out before: what it names may be gone by
  /// now, through itself, or mean something else. So it is read again in the state that it met (HH-26).
  private func applied(_ json: JSON, by actor: Account.ID?) throws -> RequestOutcome? {
    guard let id = Request.id(of: json), let before = try state(before: id) else { return nil }
    do { return try apply(json, by: actor, in: before) } catch is any Rejection { return nil }
  }

  private func carryOut(_ body: some RequestBody, _ request: Request) throws -> RequestOutcome {
    let answer = try answer(to: body, by: request.actor, at: request.at, id: request.id)
    if let refusal = answer.refusal {
      return RequestOutcome(refusal, position: answer.receipt.position)
    }
    return RequestOutcome(row: answer.row, position: answer.receipt.position)
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
