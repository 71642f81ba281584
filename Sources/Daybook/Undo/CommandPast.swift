/// A command as it was recorded, and all that was recorded of what it touched: what an undo is decided from.
public struct CommandPast: Sendable {
  /// The entries that the command came to, in order.
  public let entries: [Entry]
  /// The entries of everything that they touch, oldest first.
  public let histories: [Aggregate: [Entry]]

  /// Brings them together.
  public init(entries: [Entry], histories: [Aggregate: [Entry]]) {
    self.entries = entries
    self.histories = histories
  }
}

extension BookState {
  /// What an event is about, by its number; of one that creates something, what it created.
  package func aggregate(of event: Event) -> Aggregate? {
    switch event.subject {
    case .aggregate(let aggregate): aggregate
    case .new(let kind, let key, _):
      table(of: kind).entityNumber(of: key).map { Aggregate(kind, $0) }
    }
  }
}
