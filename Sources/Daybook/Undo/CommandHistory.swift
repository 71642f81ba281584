/// A recorded command, with the full history of the entities that it touched: the input of an undo.
public struct CommandHistory: Sendable {
  /// The entries of the command, in order.
  public let entries: [Entry]
  /// The entries of all entities that the command touched, oldest first.
  public let histories: [Aggregate: [Entry]]

  public init(entries: [Entry], histories: [Aggregate: [Entry]]) {
    self.entries = entries
    self.histories = histories
  }
}

extension BookState {
  /// The aggregate of an event; for a creation, the created one.
  package func aggregate(of event: Event) -> Aggregate? {
    switch event.subject {
    case .aggregate(let aggregate): aggregate
    case .new(let kind, let key, _):
      table(of: kind).entityNumber(of: key).map { Aggregate(kind, $0) }
    }
  }
}
