package import Avro
package import Daybook

/// A command in its JSON form that is to be supposed, not carried out.
package struct SupposedCommand: Sendable, Hashable {
  /// The object, as for `daybook apply`.
  package let json: JSON

  /// Takes an object.
  package init(_ json: JSON) { self.json = json }

  /// Makes the JSON form of a command.
  ///
  /// - Parameters:
  ///   - body: The command.
  ///   - state: The state in which entities' keys are looked up.
  package init(_ body: any RequestBody, in state: BookState) {
    json = Request(body).json(in: state) ?? .null
  }

  /// Supposes the command on behalf of the asker.
  ///
  /// - Throws: ``Rejection`` where the command would be refused, where it gives another actor,
  ///   where it is more than a year ahead, and for commands that no account gives
  ///   (``Caller/checkIsAnAccounts(_:)``).
  package func record(into batch: inout Batch, by asker: Account.ID, knowing view: BookView) throws
  {
    if let actor = json["as"], actor != .null,
      actor.text.flatMap({ Key($0) }) != batch.state.accounts[asker]?.key
    {
      throw Rejection.callerActs("as")
    }
    if let name = json["do"]?.text { try Caller.checkIsAnAccounts(name) }
    let request = try Request(json, batch.state, actor: asker, seenBy: asker, hashing: nil) {
      try view.reader.commandHistory(at: $0, knowing: view.state)
    }
    if let at = request.at { try Limit.checkAhead(at, of: view.query.asOf, "at") }
    try Self.record(request.body, request, into: &batch, by: asker)
  }

  private static func record<Body: RequestBody>(
    _ body: Body, _ request: Request, into batch: inout Batch, by asker: Account.ID
  ) throws {
    try batch.record(body, by: asker, at: request.at, id: request.id)
  }
}

extension SupposedCommand: JSONForm {
  package static var jsonWords: String { "a command, as `apply` takes it" }

  package static var jsonSchema: JSON {
    ["type": "object", "description": "a command, as `apply` takes it; the asker acts"]
  }

  package static var examples: (SupposedCommand, SupposedCommand) {
    (SupposedCommand(["do": "resume"]), SupposedCommand(["do": "pause"]))
  }

  package init(json: JSON, _ keys: some Avro.EntityKeys) throws(JSONFault) {
    guard json.members != nil else { throw .form }
    self.json = json
  }

  package func json(_ keys: some Avro.EntityKeys) -> JSON { json }
}
