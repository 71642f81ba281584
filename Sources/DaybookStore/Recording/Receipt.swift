package import Avro

/// What came of a command.
public struct Receipt<Answer: Sendable>: Sendable {
  /// The command's answer.
  public let answer: Answer
  /// The position of the command's first entry; the book's last one when nothing was appended.
  public let position: Int64
  /// How many entries the command came to; 0 when there was nothing to do.
  public let count: Int
  /// The position of the last entry of the command; the book's last one when nothing was appended. What is asked from
  /// there on knows all of the command.
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

/// Where the entries of a command stand, as answers tell it.
package struct CommandSpan: Hashable, Sendable {
  /// The first entry's position; the book's last one when there is none.
  var position: Int64
  /// How many there are.
  var count: Int

  /// The last entry's position.
  var last: Int64 { count == 0 ? position : position + Int64(count) - 1 }

  /// Writes ``members``: a million answers do not make a million lists of them.
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
  /// Where the command's entries stand.
  package var span: CommandSpan { CommandSpan(position: position, count: count) }
}
