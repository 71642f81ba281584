package import Avro

/// The outcome of a command: its answer and where its entries are.
public struct Receipt<Answer: Sendable>: Sendable {
  /// The command's answer.
  public let answer: Answer
  /// The position of the command's first entry; the book's last position when nothing was appended.
  public let position: Int64
  /// How many entries the command appended; 0 when there was nothing to do.
  public let count: Int
  /// The position of the command's last entry; the book's last position when nothing was appended.
  /// A query as of this position sees the whole command.
  public var lastPosition: Int64 { span.last }
  /// Whether the idempotency key had been used before, and this is the first receipt.
  public let isRepeated: Bool

  @usableFromInline
  init(answer: Answer, position: Int64, count: Int, isRepeated: Bool) {
    self.answer = answer
    self.position = position
    self.count = count
    self.isRepeated = isRepeated
  }
}

/// Where the entries of a command are, as answers report it.
package struct CommandSpan: Hashable, Sendable {
  /// The first entry's position; the book's last position when there are no entries.
  var position: Int64
  /// How many entries there are.
  var count: Int

  /// The last entry's position.
  var last: Int64 { count == 0 ? position : position + Int64(count) - 1 }

  /// Writes ``members`` directly, so that a million answers do not make a million arrays.
  func write(to json: inout JSONWriter) {
    json.name("position")
    json.number(position)
    json.name("last_position")
    json.number(last)
    json.name("changed")
    json.value(.bool(count > 0))
  }

  /// `position`, `last_position`, and whether there are any entries: `changed`.
  package var members: [JSON.Member] {
    [
      .init("position", .number(position)), .init("last_position", .number(last)),
      .init("changed", .bool(count > 0)),
    ]
  }
}

extension Receipt {
  /// The positions of the command's entries.
  package var span: CommandSpan { CommandSpan(position: position, count: count) }
}
