package import Avro

/// A command that takes back another one, which is known by the position of one of its entries.
package protocol UndoingCommand: ColumnCommand, Equatable where Answer == Undone {
  /// The position of one of the command's entries.
  var position: Int64 { get }

  /// What is told of an event that happened instead.
  static func summary(of event: Event, in state: BookState) -> JSON

  /// Makes the command, with what is at the position: nothing when there is no command of one's own.
  init(_ position: Int64, _ past: CommandPast?)
}

/// What an undo did.
package struct Undone: Sendable {
  /// The position that was undone.
  package let position: Int64
  /// What was done instead.
  package let events: [Event]
}

extension UndoingCommand {
  /// By the position: what is there stays as it is.
  public static func == (left: Self, right: Self) -> Bool { left.position == right.position }

  /// Of nothing yet.
  package static var defaults: Self { Self(0, nil) }

  /// `position`.
  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(UndoPositionCodec<Self>(), &self)
  }

  /// What was undone, and what happened instead.
  package func row(of answer: Undone, in state: BookState) -> JSON {
    [
      "undone": .number(answer.position),
      "did": .array(answer.events.map { Self.summary(of: $0, in: state) }),
    ]
  }

  /// What was changed first.
  package func aggregate(of answer: Undone) -> Aggregate? {
    answer.events.lazy.compactMap(\.subject.aggregate).first
  }
}

/// `position`: that of one of the entries of what is undone. The journal is asked for the rest.
struct UndoPositionCodec<Command: UndoingCommand>: ColumnCodec {
  var columns: [Column] {
    [
      Column(
        "position", Int64.self, isNeeded: true, "that of one of the entries of what is undone")
    ]
  }
  var examples: (Command, Command) { (Command(1, nil), Command(2, nil)) }

  func read(_ reader: inout RequestReader) throws -> Command? {
    let position = Int64(try reader.required("position", "a position") { $0.integer })
    return Command(position, try reader.past?(position))
  }

  func members(of value: Command, in state: BookState) -> [JSON.Member] {
    [.init("position", value.position.json(state))]
  }
}
