/// Why a command about a task or a label is refused.
public enum TaskRejection: Rejection, Hashable {
  /// The one who asks is not known.
  case account(AccountRejection)
  /// There is no such task, or it was deleted.
  case taskNotFound
  /// There is no such parent: it may come yet, and the command may then be repeated.
  case parentNotFound
  /// There is no such label, or it was deleted.
  case labelNotFound
  /// The task or the label is another's.
  case notOwner
  /// The key names something already.
  case keyTaken(Key)
  /// The title is empty.
  case emptyTitle
  /// It holds control characters.
  case invalidTitle
  /// The task would be a part of itself.
  case taskCycle
  /// The neighbour is not of the same list.
  case invalidNeighbour
  /// The rule is none, or repeats within a day.
  case invalidRecurrence(RecurrenceError)
  /// The text is no rank.
  case invalidRank
  /// The label's name is empty.
  case emptyName
  /// It holds control characters.
  case invalidName
  /// The account has another label of that name.
  case nameTaken(String)
  /// The text is no colour.
  case invalidColor(String)
  /// No entry of that position is there, or it is another account's.
  case entryNotFound(Int64)
  /// The entry is not about a task or a label.
  case notUndoable(Int64)
  /// What would be restored was changed by a later entry.
  case changedSince(Int64)
  /// What it is a part of is done or deleted meanwhile.
  case parentChanged
  /// A part of it is there, or open, meanwhile.
  case partChanged
  /// A task has the label meanwhile.
  case labelGiven
  /// Everything is as it was before already.
  case nothingToUndo(Int64)
  /// More was given than is taken.
  case beyond(LimitRejection)

  /// The stable code.
  public var code: String {
    switch self {
    case .account(let rejection): rejection.code
    case .taskNotFound: "task_not_found"
    case .parentNotFound: "parent_not_found"
    case .labelNotFound: "label_not_found"
    case .notOwner: "not_owner"
    case .keyTaken: "key_taken"
    case .emptyTitle: "empty_title"
    case .invalidTitle: "invalid_title"
    case .taskCycle: "task_cycle"
    case .invalidNeighbour: "invalid_neighbour"
    case .invalidRecurrence: "invalid_recurrence"
    case .invalidRank: "invalid_rank"
    case .emptyName: "empty_name"
    case .invalidName: "invalid_name"
    case .nameTaken: "name_taken"
    case .invalidColor: "invalid_color"
    case .entryNotFound: "entry_not_found"
    case .notUndoable: "not_undoable"
    case .changedSince, .parentChanged, .partChanged, .labelGiven: "changed_since"
    case .nothingToUndo: "nothing_to_undo"
    case .beyond(let rejection): rejection.code
    }
  }

  /// The field that it is about.
  public var field: String? {
    switch self {
    case .account(let rejection): rejection.field
    case .beyond(let rejection): rejection.field
    case .taskNotFound: "task"
    case .parentNotFound, .taskCycle: "parent_task_id"
    case .labelNotFound: "label"
    case .notOwner: nil
    case .keyTaken: "key"
    case .emptyTitle, .invalidTitle: "title"
    case .invalidNeighbour: nil
    case .invalidRecurrence: "recurrence_rule"
    case .invalidRank: "rank"
    case .emptyName, .invalidName, .nameTaken: "name"
    case .invalidColor: "color"
    case .entryNotFound, .notUndoable, .changedSince, .parentChanged, .partChanged, .labelGiven,
      .nothingToUndo:
      "position"
    }
  }

  /// One sentence for the person.
  public var description: String {
    switch self {
    case .account(let rejection): rejection.description
    case .beyond(let rejection): rejection.description
    case .taskNotFound: "There is no such task."
    case .parentNotFound:
      "parent_task_id: there is no such task yet; send it first, then this one again."
    case .labelNotFound: "There is no such label."
    case .notOwner: "Only its owner may do that."
    case .keyTaken(let key): "The key \(key) already names something else."
    case .emptyTitle: "title: a task needs a title."
    case .invalidTitle: "title: the title holds control characters; leave them out."
    case .taskCycle: "parent_task_id: a task cannot be a part of itself."
    case .invalidNeighbour: "A task is put beside one that has the same parent and bucket."
    case .invalidRecurrence(let error): "recurrence_rule: \(error)"
    case .invalidRank: "rank: this is no rank; leave it out, and move the task instead."
    case .emptyName: "name: a label needs a name."
    case .invalidName: "name: the name holds control characters; leave them out."
    case .nameTaken(let name): "name: there is a label \"\(name)\" already."
    case .invalidColor(let text): "color: \"\(text)\" is not a colour such as #FF9F1C."
    case .entryNotFound(let position): "position: you have no entry \(position)."
    case .notUndoable(let position):
      "position: entry \(position) is not about a task or a label; only those are undone."
    case .changedSince(let position):
      "position: what it changed was changed again by entry \(position); undo that first."
    case .parentChanged:
      "position: what it is a part of is done or gone meanwhile; reopen or restore that first."
    case .partChanged:
      "position: it has a part meanwhile that is still there or open; delete or complete that first."
    case .labelGiven: "position: a task has the label meanwhile; take it from the task first."
    case .nothingToUndo(let position): "position: what entry \(position) did is undone already."
    }
  }
}

extension Limit {
  /// Refuses a text that is longer.
  func checkTask(_ text: String?, _ field: String) throws(TaskRejection) {
    do { try check(text, field) } catch { throw .beyond(error) }
  }
}
