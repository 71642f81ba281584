package import Daybook
public import Journal

// Rejections by the book itself, besides those of the domain's rules and of the journal.
extension Rejection {
  /// The given time is before the book's last entry.
  package static func clockBackwards(given: Instant, last: Instant) -> Rejection {
    Rejection(
      .clockBackwards,
      "at: \(given) is before the book's last entry (\(last)); a book's clock never runs backwards."
    )
  }

  /// The idempotency key was used by another command.
  package static func keyReused(_ key: Key) -> Rejection {
    Rejection(
      .keyReused,
      "id: \(key) was used for another command before; give each command its own id.")
  }
}

/// The book has more entries than the caller expected. The command was not refused as such and may
/// be sent again.
public struct PositionConflict: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position that the book's last entry should have had.
  public let expected: Position
  /// The position that the book's last entry has.
  public let actual: Position

  public init(expected: Position, actual: Position) {
    self.expected = expected
    self.actual = actual
  }

  /// "conflict".
  public var code: String { "conflict" }

  /// One sentence: what happened, and what to do next.
  public var description: String {
    "The book's last entry is \(actual), not \(expected): others have recorded meanwhile; read "
      + "again, and retry."
  }
}
