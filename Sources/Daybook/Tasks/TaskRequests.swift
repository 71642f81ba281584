public import Avro

extension Request {
  /// The commands about tasks and labels.
  static let taskTypes: [String: any RequestBody.Type] = [
    "create_task": CreateTask.self, "update_task": UpdateTask.self, "move_task": MoveTask.self,
    "complete_task": CompleteTask.self, "reopen_task": ReopenTask.self,
    "delete_task": DeleteTask.self, "upsert_task": UpsertTask.self,
    "create_label": CreateLabel.self, "update_label": UpdateLabel.self,
    "delete_label": DeleteLabel.self, "upsert_label": UpsertLabel.self,
    "set_task_labels": SetTaskLabels.self, "undo_task": UndoTask.self,
  ]
}

extension CreateTask: RequestBody {
  /// `key`, `title`, `description`, `bucket_key`, `parent_task_id`, `due_at`, `recurrence_rule`,
  /// `recurrence_from`, `labels`, and where: `before`, `after` or `place`.
  public init(_ reader: inout RequestReader) throws {
    self.init(
      key: try reader.optionalKey("key"), title: try reader.text("title"),
      description: try reader.optionalText("description"), bucket: try reader.bucket(),
      parent: try reader.optionalTask("parent_task_id", orElse: .parentNotFound),
      due: try reader.optionalInstant("due_at"),
      recurrence: try reader.optionalText("recurrence_rule"),
      from: try reader.origin().applied(to: .due), place: try reader.place(),
      labels: try reader.labels("labels"))
  }

  /// The task's row.
  public func row(of answer: TaskItem.ID, in state: State) -> JSON { state.taskRow(answer) }
}

extension UpdateTask: RequestBody {
  /// `task`, and `title`, `description`, `due_at`, `recurrence_rule`, `recurrence_from` as they change; `labels`
  /// that it gets, `removed_labels` that it loses.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.task())
    title = try reader.textEdit("title")
    description = try reader.clearableEdit("description")
    due = try reader.instantEdit("due_at")
    recurrence = try reader.clearableEdit("recurrence_rule")
    origin = try reader.origin()
    added = try reader.labels("labels")
    removed = try reader.labels("removed_labels", isLoss: true)
  }

  /// The task's row.
  public func row(of answer: TaskItem.ID, in state: State) -> JSON { state.taskRow(answer) }
}

extension MoveTask: RequestBody {
  /// `task`; `bucket_key`, `parent_task_id` (null: part of nothing); and where: `before`, `after` or `place`.
  public init(_ reader: inout RequestReader) throws {
    let task = try reader.task()
    let bucket = try reader.bucket()
    var parent = Edit<TaskItem.ID?>.keep
    if let json = reader.value("parent_task_id") {
      parent =
        json == .null
        ? .set(nil) : .set(try reader.task("parent_task_id", orElse: .parentNotFound))
    }
    self.init(task, to: bucket, under: parent, place: try reader.place())
  }

  /// The task's row.
  public func row(of answer: TaskItem.ID, in state: State) -> JSON { state.taskRow(answer) }
}

extension CompleteTask: RequestBody {
  /// `task`, `due_at` (the occurrence that is meant), `completed_at`.
  public init(_ reader: inout RequestReader) throws {
    let task = try reader.task()
    self.init(
      task, slot: try reader.optionalInstant("due_at"),
      at: try reader.optionalInstant("completed_at"))
  }

  /// The task's row.
  public func row(of answer: TaskItem.ID, in state: State) -> JSON { state.taskRow(answer) }
}

extension ReopenTask: RequestBody {
  /// `task`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.task()) }

  /// The task's row.
  public func row(of answer: TaskItem.ID, in state: State) -> JSON { state.taskRow(answer) }
}

extension DeleteTask: RequestBody {
  /// `task`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.task()) }

  /// The key of what is gone.
  public func row(of answer: TaskItem.ID, in state: State) -> JSON {
    ["id": .key(state.tasks[answer]?.key), "deleted": true]
  }
}

extension UpsertTask: RequestBody {
  /// The columns of `tasks`; `id` (or `key`) names the task. `created_at` and `updated_at` are the book's, and
  /// what the row says of them is not used.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.rowKey())
    owner = try reader.optionalKey("user_id")
    if let key = try reader.bucket() { bucket = .set(key) }
    parent = try reader.edit("parent_task_id", "a UUID or null") { json in
      json == .null ? .some(nil) : json.text.flatMap { Key($0) }.map { .some($0) }
    }
    title = try reader.textEdit("title")
    description = try reader.clearableEdit("description")
    due = try reader.instantEdit("due_at")
    recurrence = try reader.clearableEdit("recurrence_rule")
    origin = try reader.origin()
    rank = try reader.edit("rank", "a rank or null") { json in
      json == .null ? .some(nil) : json.text.flatMap { Rank($0) }.map { .some($0) }
    }
    isDone = try reader.edit("is_completed", "true or false") { $0.boolean }
    completed = try reader.instantEdit("completed_at").applied(to: nil)
    isDeleted = try reader.instantEdit("deleted_at").applied(to: nil) != nil
    for stamp in ["created_at", "updated_at"] { _ = reader.value(stamp) }
  }

  /// The task's row.
  public func row(of answer: TaskItem.ID, in state: State) -> JSON { state.taskRow(answer) }
}

extension CreateLabel: RequestBody {
  /// `key`, `name`, `color`.
  public init(_ reader: inout RequestReader) throws {
    self.init(
      key: try reader.optionalKey("key"), name: try reader.text("name"),
      color: try reader.optionalText("color") ?? CreateLabel.usualColor)
  }

  /// The label's row.
  public func row(of answer: TaskLabel.ID, in state: State) -> JSON { state.labelRow(answer) }
}

extension UpdateLabel: RequestBody {
  /// `label`, and `name` or `color` as they change.
  public init(_ reader: inout RequestReader) throws {
    let label = try reader.label()
    self.init(label, name: try reader.textEdit("name"), color: try reader.textEdit("color"))
  }

  /// The label's row.
  public func row(of answer: TaskLabel.ID, in state: State) -> JSON { state.labelRow(answer) }
}

extension DeleteLabel: RequestBody {
  /// `label`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.label()) }

  /// The key of what is gone.
  public func row(of answer: TaskLabel.ID, in state: State) -> JSON {
    ["id": .key(state.labels[answer]?.key), "deleted": true]
  }
}

extension UpsertLabel: RequestBody {
  /// The columns of `labels`; `id` (or `key`) names the label. The stamps are the book's.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.rowKey())
    owner = try reader.optionalKey("user_id")
    name = try reader.textEdit("name")
    // A row without a colour has null.
    if let text = try reader.optionalText("color") { color = .set(text) }
    isDeleted = try reader.instantEdit("deleted_at").applied(to: nil) != nil
    for stamp in ["created_at", "updated_at"] { _ = reader.value(stamp) }
  }

  /// The label's row.
  public func row(of answer: TaskLabel.ID, in state: State) -> JSON { state.labelRow(answer) }
}

extension SetTaskLabels: RequestBody {
  /// `task`, `labels` (those that it gets), `removed` (those that it loses); or the columns of one row of
  /// `task_labels`, which is removed where `deleted_at` is set. The stamps are the book's. A label that is not
  /// there need not be taken, nor one from a task that is not there.
  public init(_ reader: inout RequestReader) throws {
    guard try reader.optionalKey("label_id") != nil else {
      let added = try reader.labels("labels")
      let isLoss = added.isEmpty && reader.value("removed") != nil
      let removed = try reader.labels("removed", isLoss: true)
      let task = isLoss ? try reader.taskIfAny("task") : try reader.task()
      self.init(task ?? reader.state.tasks.nextNumber, add: added, remove: removed)
      isOfNothing = task == nil
      return
    }
    let isDeleted = try reader.instantEdit("deleted_at").applied(to: nil) != nil
    let task = isDeleted ? try reader.taskIfAny("task_id") : try reader.task("task_id")
    let label = try reader.label("label_id", isLoss: isDeleted)
    self.init(
      task ?? reader.state.tasks.nextNumber, add: isDeleted ? [] : label,
      remove: isDeleted ? label : [])
    isOfNothing = task == nil
    owner = try reader.optionalKey("user_id")
    for stamp in ["created_at", "updated_at"] { _ = reader.value(stamp) }
  }

  /// The task's key, and the labels that it has.
  public func row(of answer: TaskItem.ID, in state: State) -> JSON {
    guard let task = state.tasks[answer] else { return .null }
    let keys = task.currentLabels.compactMap { state.labels[$0] }
      .filter { !$0.isDeleted }.map(\.key).sorted()
    return ["task_id": .key(task.key), "labels": .array(keys.map { .key($0) })]
  }
}

extension UndoTask: RequestBody {
  /// `position`.
  public init(_ reader: inout RequestReader) throws {
    let position = try reader.required("position", "a position") { $0.integer }
    self.init(Int64(position), try reader.past?(Int64(position)))
  }

  /// What was undone, and what happened instead.
  public func row(of answer: Answer, in state: State) -> JSON {
    ["undone": .number(answer.position), "did": .array(answer.events.map { state.deed($0) })]
  }

  /// The first task or label to which something happened.
  public func aggregate(of answer: Answer) -> Aggregate? {
    answer.events.lazy.compactMap(\.subject.aggregate).first
  }
}

extension State {
  fileprivate func taskRow(_ number: TaskItem.ID) -> JSON {
    tasks[number].map { taskRow($0) } ?? .null
  }

  fileprivate func labelRow(_ number: TaskLabel.ID) -> JSON {
    labels[number].map { labelRow($0) } ?? .null
  }

  /// What happened to what.
  func deed(_ event: Event) -> JSON {
    guard let entity = event.subject.aggregate.flatMap({ entity($0) }) else { return .null }
    let column = entity is TaskItem ? "task_id" : "label_id"
    return .object([
      .init("event", .string(event.name)), .init(column, .key(entity.key)),
      .init("name", .string(entity.calledName)),
    ])
  }
}

extension RequestReader {
  /// The number of the task that a field names by key.
  mutating func task(
    _ name: String = "task", orElse missing: Rejection = .taskNotFound
  ) throws -> TaskItem.ID {
    guard let number = try optionalTask(name, orElse: missing) else {
      throw Rejection.missingField(name)
    }
    return number
  }

  fileprivate mutating func optionalTask(
    _ name: String, orElse missing: Rejection = .taskNotFound
  ) throws -> TaskItem.ID? {
    guard let key = try optionalKey(name) else { return nil }
    guard let number = state.tasks.number(of: key) else { throw missing }
    return number
  }

  /// The number of the task that a field names by key, if it is there.
  fileprivate mutating func taskIfAny(_ name: String) throws -> TaskItem.ID? {
    guard let key = try optionalKey(name) else { throw Rejection.missingField(name) }
    return state.tasks.number(of: key)
  }

  /// The label that a field names, as a list: one that is lost need not be there.
  fileprivate mutating func label(_ name: String, isLoss: Bool) throws -> [TaskLabel.ID] {
    guard let key = try optionalKey(name) else { throw Rejection.missingField(name) }
    if let number = state.labels.number(of: key) { return [number] }
    guard isLoss else { throw Rejection.labelNotFound }
    return []
  }

  fileprivate mutating func label(_ name: String = "label") throws -> TaskLabel.ID {
    guard let key = try optionalKey(name) else { throw Rejection.missingField(name) }
    guard let number = state.labels.number(of: key) else { throw Rejection.labelNotFound }
    return number
  }

  /// The labels that a field names; those that are lost need not be there.
  fileprivate mutating func labels(
    _ name: String, isLoss: Bool = false
  ) throws -> [TaskLabel.ID] {
    let keys = try optional(name, "a list of UUIDs") { json -> [Key]? in
      guard let elements = json.elements else { return nil }
      let keys = elements.compactMap { $0.text.flatMap { Key($0) } }
      return keys.count == elements.count ? keys : nil
    }
    return try (keys ?? []).compactMap { key in
      guard let number = state.labels.number(of: key) else {
        if isLoss { return nil }
        throw Rejection.labelNotFound
      }
      return number
    }
  }

  fileprivate mutating func bucket() throws(Rejection) -> TaskBucket? {
    try optional(
      "bucket_key", "one of \(TaskBucket.allCases.map(\.rawValue).joined(separator: ", "))"
    ) { $0.text.flatMap { TaskBucket(rawValue: $0) } }
  }

  fileprivate mutating func origin() throws(Rejection) -> Edit<TaskRepetition.Origin> {
    let origin = try optional("recurrence_from", "due or completion") {
      $0.text.flatMap { TaskRepetition.Origin(rawValue: $0) }
    }
    return origin.map { .set($0) } ?? .keep
  }

  /// `before` or `after` a task, or `place`: `first` or `last`.
  fileprivate mutating func place() throws -> TaskPlace {
    let before = try optionalTask("before")
    let after = try optionalTask("after")
    let place = try optional("place", "first or last") { json -> TaskPlace? in
      switch json.text {
      case "first": .first
      case "last": .last
      default: nil
      }
    }
    let places = [before.map { TaskPlace.before($0) }, after.map { .after($0) }, place]
      .compactMap(\.self)
    guard places.count < 2 else {
      throw Rejection.invalidField("place", "give one of before, after and place")
    }
    return places.first ?? .last
  }

  /// The key of a row: `key`, or `id` as the tables call it. Beside a `key`, `id` is the idempotency key.
  fileprivate mutating func rowKey() throws -> Key {
    if let key = try optionalKey("key") { return key }
    guard let key = try optionalKey("id") else { throw Rejection.missingField("id") }
    return key
  }

  /// An edit that null clears. A time without a zone is UTC, as some clients write it.
  fileprivate mutating func instantEdit(
    _ name: String
  ) throws(Rejection) -> Edit<Instant?> {
    try edit(name, "a time such as 2026-03-01T12:00:00Z, or null") { json in
      if case .null = json { return .some(nil) }
      return json.text.flatMap { Instant($0) ?? Instant($0 + "Z") }.map { .some($0) }
    }
  }
}
