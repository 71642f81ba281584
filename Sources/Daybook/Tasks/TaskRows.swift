public import Avro

extension State {
  /// The task's row of `tasks`.
  public func taskRow(_ task: TaskItem) -> JSON {
    [
      "id": .key(task.key), "user_id": .key(accounts[task.owner]?.key),
      "bucket_key": .string(task.bucket.rawValue),
      "parent_task_id": .key(task.parent.flatMap { tasks[$0]?.key }),
      "title": .string(task.title), "description": .text(task.description),
      "due_at": .instant(task.due), "recurrence_rule": .text(task.repetition?.rule),
      "recurrence_from": .text(task.repetition?.origin.rawValue),
      "is_completed": .bool(task.isDone), "completed_at": .instant(task.completed),
      "rank": .string(task.rank.text), "created_at": .instant(task.created),
      "updated_at": .instant(task.updated), "deleted_at": .instant(task.deleted),
    ]
  }

  /// The label's row of `labels`.
  public func labelRow(_ label: TaskLabel) -> JSON {
    [
      "id": .key(label.key), "user_id": .key(accounts[label.owner]?.key),
      "name": .string(label.name), "color": .string(label.color),
      "created_at": .instant(label.created), "updated_at": .instant(label.updated),
      "deleted_at": .instant(label.deleted),
    ]
  }

  /// A row of `task_labels`.
  func taskLabelRow(_ task: TaskItem, _ link: TaskLabelLink) -> JSON {
    [
      "task_id": .key(task.key), "label_id": .key(labels[link.label]?.key),
      "user_id": .key(accounts[task.owner]?.key), "created_at": .instant(link.created),
      "updated_at": .instant(link.updated), "deleted_at": .instant(link.removed),
    ]
  }

  /// A row of `task_completions`.
  func occurrenceRow(_ task: TaskItem, _ occurrence: TaskOccurrence) -> JSON {
    [
      "id": .key(occurrence.key), "task_id": .key(task.key),
      "user_id": .key(accounts[task.owner]?.key),
      "slot": occurrence.day.map { .day($0) } ?? .instant(occurrence.due),
      "due_at": .instant(occurrence.due), "completed_at": .instant(occurrence.completed),
      "deleted_at": .instant(occurrence.removed),
    ]
  }

  var taskRows: [JSON] { tasksByKey.map { taskRow($0) } }

  var labelRows: [JSON] {
    labels.elements.filter { !$0.isDeleted }.sorted { $0.key < $1.key }.map { labelRow($0) }
  }

  var taskLabelRows: [JSON] {
    tasksByKey.flatMap { task in
      task.labels
        .compactMap { link -> (key: Key, link: TaskLabelLink)? in
          guard link.removed == nil, let label = labels[link.label], !label.isDeleted else {
            return nil
          }
          return (label.key, link)
        }
        .sorted { $0.key < $1.key }.map { taskLabelRow(task, $0.link) }
    }
  }

  var taskCompletionRows: [JSON] {
    tasksByKey.flatMap { task in
      task.occurrences.filter { $0.removed == nil }.map { (task, $0) }
    }
    .sorted { $0.1.key < $1.1.key }.map { occurrenceRow($0.0, $0.1) }
  }

  private var tasksByKey: [TaskItem] {
    tasks.elements.filter { !$0.isDeleted }.sorted { $0.key < $1.key }
  }
}
