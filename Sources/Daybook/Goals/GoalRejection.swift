/// Why a command about a goal is refused.
public enum GoalRejection: Rejection, Hashable {
  /// The one who asks is not known.
  case account(AccountRejection)
  /// There is no such goal, or it was deleted.
  case goalNotFound
  /// The goal is another's.
  case notOwner
  /// The key names something already.
  case keyTaken(Key)
  /// The title is empty.
  case emptyTitle
  /// It holds control characters.
  case invalidTitle
  /// More was given than is taken.
  case beyond(LimitRejection)

  /// The stable code.
  public var code: String {
    switch self {
    case .account(let rejection): rejection.code
    case .goalNotFound: "goal_not_found"
    case .notOwner: "not_owner"
    case .keyTaken: "key_taken"
    case .emptyTitle: "empty_title"
    case .invalidTitle: "invalid_title"
    case .beyond(let rejection): rejection.code
    }
  }

  /// The field that it is about.
  public var field: String? {
    switch self {
    case .account(let rejection): rejection.field
    case .goalNotFound, .notOwner: "goal"
    case .keyTaken: "key"
    case .emptyTitle, .invalidTitle: "title"
    case .beyond(let rejection): rejection.field
    }
  }

  /// One sentence for the person.
  public var description: String {
    switch self {
    case .account(let rejection): rejection.description
    case .goalNotFound: "There is no such goal."
    case .notOwner: "Only its owner may do that to a goal."
    case .keyTaken(let key): "The key \(key) already names something else."
    case .emptyTitle: "title: a goal needs a title."
    case .invalidTitle: "title: the title holds control characters; leave them out."
    case .beyond(let rejection): rejection.description
    }
  }
}

extension Limit {
  /// Refuses a text that is longer.
  func checkGoal(_ text: String?, _ field: String) throws(GoalRejection) {
    do { try check(text, field) } catch { throw .beyond(error) }
  }
}
