/// What came of a command.
public struct Receipt<Answer: Sendable>: Sendable {
  /// The command's answer.
  public let answer: Answer
  /// The position of the command's first entry; the book's last one when nothing was appended.
  public let position: Int64
  /// How many entries the command came to; 0 when there was nothing to do.
  public let count: Int
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
