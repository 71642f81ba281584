public import Avro

/// A command whose JSON form is derived from its columns.
package protocol ColumnCommand: RequestBody, Columns {
  /// The command's name, purpose and answer.
  static var form: CommandForm { get }
}

/// The description of a command besides its columns.
package struct CommandForm: Hashable, Sendable {
  /// The name: "create_habit".
  package let name: String
  /// The purpose, in one sentence.
  package let summary: String
  /// The answer: the name of a row such as "habit", or the members of an object: "id, deleted".
  package let answer: String

  init(_ name: String, _ summary: String, answer: String) {
    self.name = name
    self.summary = summary
    self.answer = answer
  }
}

extension ColumnCommand {
  /// Reads the command's columns.
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
  /// - Parameter state: The state in which entities' keys are looked up.
  /// - Returns: The request; nothing for a command without such a form.
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
  /// All columns as the members of a JSON object, with entities' keys from the state.
  public func members(in state: BookState) -> [JSON.Member] {
    var writer = ColumnWriter(in: state)
    var copy = self
    copy.visitColumns(&writer)
    return writer.members
  }
}

/// An answer that is shown as a row.
package protocol RowAnswer: Sendable {
  /// The row.
  func row(in state: BookState) -> JSON
}

extension ColumnCommand where Answer: RowAnswer {
  /// The row of the answer.
  package func row(of answer: Answer, in state: BookState) -> JSON { answer.row(in: state) }
}

/// A kind of entity whose row commands answer with.
package protocol RowEntity: Entity {
  /// Its row.
  func row(in state: BookState) -> JSON
}

extension RowEntity where Self: Columns {
  package func row(in state: BookState) -> JSON { .object(members(in: state)) }
}

extension EntityNumber: RowAnswer where Kind: RowEntity {
  /// The row of the entity with the number, or that it is gone.
  package func row(in state: BookState) -> JSON {
    guard let thing = state.entity(self) else { return .null }
    return thing.isDeleted ? ["id": .key(thing.key), "deleted": true] : thing.row(in: state)
  }
}

extension BookState {
  /// The entity with a number, of any kind.
  func entity<Thing: Entity>(_ number: EntityNumber<Thing>) -> Thing? {
    EntityKind(of: Thing.self).flatMap { table(of: $0).entity(number.number) } as? Thing
  }
}
