package import Daybook
public import Journal

// Why a book does not take a command, besides the rules of the domain and its journal.
extension Rejection {
  /// A time was given that is before the book's last entry.
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
      "id: \(key) was given to another command before; give each command an id of its own.")
  }
}

/// The book has gone on since the one who asks looked at it: no refusal of what was asked, which may be asked again.
public struct PositionConflict: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position that the book's last entry should have had.
  public let expected: Position
  /// The position that it has.
  public let actual: Position

  public init(expected: Position, actual: Position) {
    self.expected = expected
    self.actual = actual
  }

  /// "conflict".
  public var code: String { "conflict" }

  /// One sentence: what happened, and what to do next.
  public var description: String {
    "The book's last entry is \(actual), not \(expected): others recorded meanwhile; look again, and ask again."
  }
}
