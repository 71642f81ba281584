package import Avro

/// A command that undoes another one, given the position of one of its entries.
package protocol UndoingCommand: ColumnCommand, Equatable where Answer == UndoResult {
  /// The position of one of the command's entries.
  var position: Int64 { get }
  /// The command; nothing when there is none at the position.
  var past: CommandHistory? { get }

  /// A summary of an event of the undo.
  static func summary(of event: Event, in state: BookState) -> JSON

  /// Makes the command, given the past at the position: nothing when the actor has no command there.
  init(_ position: Int64, _ past: CommandHistory?)
}

/// The result of an undo.
package struct UndoResult: Sendable {
  /// The position that was undone.
  package let position: Int64
  /// The events of the undo.
  package let events: [Event]
}

extension UndoingCommand {
  /// Compares positions: the entries at a position never change.
  public static func == (left: Self, right: Self) -> Bool { left.position == right.position }

  /// The defaults; no command to undo is named yet.
  package static var defaults: Self { Self(0, nil) }

  /// `position`.
  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(UndoPositionCodec<Self>(), &self)
  }

  /// Begins to decide the command.
  ///
  /// - Throws: ``Rejection``: there is no actor, or no command at the position.
  func reversal(_ state: BookState, _ context: Context) throws(Rejection) -> CommandReversal {
    let (actor, account) = try state.actor(context)
    guard let past, let first = past.entries.first, first.head.position <= state.position else {
      throw .entryNotFound(position)
    }
    return CommandReversal(position, past, state, context, actor, account)
  }

  /// The position that was undone, and the events of the undo.
  package func row(of answer: UndoResult, in state: BookState) -> JSON {
    [
      "undone": .number(answer.position),
      "did": .array(answer.events.map { Self.summary(of: $0, in: state) }),
    ]
  }

  /// The aggregate that was changed first.
  package func aggregate(of answer: UndoResult) -> Aggregate? {
    answer.events.lazy.compactMap(\.subject.aggregate).first
  }
}

/// `position`: the position of one of the entries to undo. The rest is read from the journal.
struct UndoPositionCodec<Command: UndoingCommand>: ColumnCodec {
  var columns: [Column] {
    [
      Column(
        "position", Int64.self, isNeeded: true, "the position of any entry of the command to undo")
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
