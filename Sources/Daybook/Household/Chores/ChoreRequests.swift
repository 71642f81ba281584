public import Avro

extension CreateChore: RequestBody {
  /// `household`, `key`, `title`, `description`, `due_date`, `due_time`, `priority` (medium), `assigned_to`.
  public init(_ reader: inout RequestReader) throws {
    let household = try reader.household()
    self.init(
      in: household, key: try reader.optionalKey("key"),
      ChoreContent(
        title: try reader.text("title"), description: try reader.optionalText("description"),
        dueDate: try reader.optionalDay("due_date"),
        dueTime: try reader.optional("due_time", LocalTime.words) {
          $0.text.flatMap { LocalTime($0) }
        },
        priority: try reader.optional("priority", ChorePriority.words) {
          $0.text.flatMap { ChorePriority(rawValue: $0) }
        } ?? .medium),
      assignee: try reader.assignee().applied(to: nil))
  }

  /// The task's row.
  public func row(of answer: Chore.ID, in state: State) -> JSON { state.choreRow(answer) }
}

extension UpdateChore: RequestBody {
  /// `task`, and of `title`, `description`, `due_date`, `due_time`, `priority`, `assigned_to` those that change.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.chore())
    title = try reader.textEdit("title")
    description = try reader.clearableEdit("description")
    dueDate = try reader.dayEdit("due_date")
    dueTime = try reader.edit("due_time", LocalTime.words) { json in
      if case .null = json { return .some(nil) }
      return json.text.flatMap { LocalTime($0) }.map { .some($0) }
    }
    priority = try reader.edit("priority", ChorePriority.words) {
      $0.text.flatMap { ChorePriority(rawValue: $0) }
    }
    assignee = try reader.assignee()
  }

  /// The task's row.
  public func row(of answer: Chore.ID, in state: State) -> JSON { state.choreRow(answer) }
}

extension AssignChore: RequestBody {
  /// `task`, `assigned_to`: an account, or null for nobody in particular.
  public init(_ reader: inout RequestReader) throws {
    let chore = try reader.chore()
    guard case .set(let assignee) = try reader.assignee() else {
      throw Rejection.missingField("assigned_to")
    }
    self.init(chore, to: assignee)
  }

  /// The task's row.
  public func row(of answer: Chore.ID, in state: State) -> JSON { state.choreRow(answer) }
}

extension CompleteChore: RequestBody {
  /// `task`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.chore()) }

  /// The task's row.
  public func row(of answer: Chore.ID, in state: State) -> JSON { state.choreRow(answer) }
}

extension ReopenChore: RequestBody {
  /// `task`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.chore()) }

  /// The task's row.
  public func row(of answer: Chore.ID, in state: State) -> JSON { state.choreRow(answer) }
}

extension DeleteChore: RequestBody {
  /// `task`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.chore()) }

  /// The key of what is gone.
  public func row(of answer: Chore.ID, in state: State) -> JSON {
    ["id": .key(state.chores[answer]?.key), "deleted": true]
  }
}

extension RequestReader {
  fileprivate mutating func chore() throws -> Chore.ID {
    try thing("task", in: state.chores, missing: .choreNotFound)
  }

  /// Who is to do it: an account by its key, or null for nobody.
  fileprivate mutating func assignee() throws -> Edit<Account.ID?> {
    switch try edit("assigned_to", "a UUID or null", RequestReader.keyOrNull) {
    case .keep: return .keep
    case .set(nil): return .set(nil)
    case .set(.some(let key)):
      guard let number = state.accounts.number(of: key) else {
        throw Rejection.personNotFound
      }
      return .set(number)
    }
  }

  /// A day, or null for none.
  mutating func dayEdit(_ name: String) throws(Rejection) -> Edit<Day?> {
    try edit(name, "a date such as 2026-03-01, or null") { json in
      if case .null = json { return .some(nil) }
      return json.text.flatMap { Day($0) }.map { .some($0) }
    }
  }

  /// A key, or null for none.
  static func keyOrNull(_ json: JSON) -> Key?? {
    if case .null = json { return .some(nil) }
    return json.text.flatMap { Key($0) }.map { .some($0) }
  }
}

extension LocalTime {
  fileprivate static let words = "a time of day such as 18:30"
}

extension ChorePriority {
  fileprivate static let words = "one of low, medium, high, urgent"
}
