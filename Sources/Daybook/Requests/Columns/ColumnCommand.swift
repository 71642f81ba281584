public import Avro

/// A command whose JSON form follows from its columns.
package protocol ColumnCommand: RequestBody, Columns {
  /// What it is called, what it is for and what it answers.
  static var form: CommandForm { get }
}

/// What is to be known of a command besides its columns.
package struct CommandForm: Hashable, Sendable {
  /// What it is called: "create_habit".
  package let name: String
  /// What it is for, in one sentence.
  package let summary: String
  /// What it answers: the name of a row such as "habit", or the members of an object: "id, deleted".
  package let answer: String

  init(_ name: String, _ summary: String, answer: String) {
    self.name = name
    self.summary = summary
    self.answer = answer
  }
}

extension ColumnCommand {
  /// Takes the command's columns off the reader.
  ///
  /// - Throws: ``Rejection`` that names the column, or a rejection when a key names nothing.
  public init(_ reader: inout RequestReader) throws {
    self = Self.defaults
    try visitColumns(&reader)
  }
}

extension Request {
  /// The request as JSON: reading it again, in the same state, gives the same request.
  ///
  /// - Parameter state: Tells which key an entity has.
  /// - Returns: Nothing for a command that has no such form.
  public func json(in state: BookState) -> JSON? {
    guard let command = body as? any ColumnCommand else { return nil }
    var members = [JSON.Member("do", .string(type(of: command).form.name))]
    if let actor { members.append(.init("as", actor.json(state))) }
    members += command.commandMembers(in: state)
    if let at { members.append(.init("at", at.json(state))) }
    if let id { members.append(.init("id", id.json(state))) }
    return .object(members)
  }
}

extension ColumnCommand {
  fileprivate func commandMembers(in state: BookState) -> [JSON.Member] {
    var writer = ColumnWriter(in: state, leavingOutNull: true)
    var copy = self
    copy.visitColumns(&writer)
    return writer.members
  }
}

extension Columns {
  /// All columns as the members of a JSON object; the state tells which key an entity has.
  public func members(in state: BookState) -> [JSON.Member] {
    var writer = ColumnWriter(in: state)
    var copy = self
    copy.visitColumns(&writer)
    return writer.members
  }
}

/// What a command answers that is shown as a row.
package protocol RowAnswer: Sendable {
  /// The row.
  func row(in state: BookState) -> JSON
}

extension ColumnCommand where Answer: RowAnswer {
  /// The row of the answer.
  package func row(of answer: Answer, in state: BookState) -> JSON { answer.row(in: state) }
}

/// A kind of thing of which commands answer with the row.
package protocol RowThing: Entity {
  /// Its row.
  func row(in state: BookState) -> JSON
}

extension EntityNumber: RowAnswer where Kind: RowThing {
  /// The row of what the number names, or that it is gone.
  package func row(in state: BookState) -> JSON {
    guard let thing = state.entity(self) else { return .null }
    return thing.isDeleted ? ["id": .key(thing.key), "deleted": true] : thing.row(in: state)
  }
}

extension BookState {
  /// The entity of a number, whatever its kind.
  func entity<Thing: Entity>(_ number: EntityNumber<Thing>) -> Thing? {
    EntityKind(of: Thing.self).flatMap { table(of: $0).entity(number.number) } as? Thing
  }
}
