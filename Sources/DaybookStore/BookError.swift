public import Daybook

/// Why a book does not take a command, besides the rules of the domain and its journal.
public enum BookError: Rejection {
  /// A time was given that is before the book's last entry.
  case clockBackwards(given: Instant, last: Instant)
  /// The idempotency key was used by another command.
  case keyReused(Key)
  /// The book has gone on since the one who asks looked at it.
  case conflict(expected: Int64, actual: Int64)

  /// The stable code.
  public var code: String {
    switch self {
    case .clockBackwards: "clock_backwards"
    case .keyReused: "key_reused"
    case .conflict: "conflict"
    }
  }

  /// The field that it is about.
  public var field: String? {
    switch self {
    case .clockBackwards: "at"
    case .keyReused: "id"
    case .conflict: nil
    }
  }

  /// One sentence: what happened, and what to do next.
  public var description: String {
    switch self {
    case .clockBackwards(let given, let last):
      "at: \(given) is before the book's last entry (\(last)); a book's clock never runs backwards."
    case .keyReused(let key):
      "id: \(key) was given to another command before; give each command an id of its own."
    case .conflict(let expected, let actual):
      "The book's last entry is \(actual), not \(expected): others recorded meanwhile; look again, and ask"
        + " again."
    }
  }
}
