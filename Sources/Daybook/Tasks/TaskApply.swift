import Avro
import Calendar

/// An event that changes one existing task and nothing else.
protocol TaskChange: TaskRecord, ChangeEvent where Changed == TaskItem {
  /// The facets that it changes.
  static var facets: [TaskFacet<TaskItem>] { get }
  /// Which task.
  var task: TaskItem.ID { get }
  /// Changes the task.
  ///
  /// - Returns: Whether the task's own row changed.
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool
}

/// An event that changes one existing label and nothing else.
protocol LabelChange: TaskRecord, ChangeEvent where Changed == TaskLabel {
  /// The facets that it changes.
  static var facets: [TaskFacet<TaskLabel>] { get }
  /// Which label.
  var label: TaskLabel.ID { get }
  func change(_ item: inout TaskLabel, at instant: Instant)
}

// Texts about tasks and labels are whole sentences: ``BookState/words(of:for:_:)``.
extension TaskChange {
  var verb: String { Self.recordName }
}

extension LabelChange {
  var verb: String { Self.recordName }
}

extension TaskChange {
  var changed: TaskItem.ID { task }

  func change(_ task: inout TaskItem, _ head: EntryHead) {
    task.changed = head.position
    if change(&task, at: head.at) { task.updated = head.at }
  }
}

extension TaskChange where Self: SetEvent {
  static var facets: [TaskFacet<TaskItem>] { [isSame] }
}

extension LabelChange {
  var changed: TaskLabel.ID { label }

  func change(_ label: inout TaskLabel, _ head: EntryHead) {
    label.changed = head.position
    label.updated = head.at
    change(&label, at: head.at)
  }
}

extension LabelChange where Self: SetEvent {
  static var facets: [TaskFacet<TaskLabel>] { [isSame] }
}

extension TaskItem {
  fileprivate mutating func apply(_ event: TaskOccurrenceCompleted, at instant: Instant) {
    let occurrence = TaskOccurrence(
      key: event.key, due: event.due, day: event.day,
      rule: repetition?.rule ?? endedSeries?.rule ?? "", completed: event.completed)
    if let place = occurrences.firstIndex(where: { $0.key == event.key }) {
      occurrences[place] = occurrence
    } else {
      occurrences.append(occurrence)
    }
    repetition = event.repetition
    if event.repetition == nil {
      (due, completed) = (event.nextDue ?? due, completed ?? event.completed)
      saidDone = instant
    } else {
      due = event.nextDue
    }
  }

  fileprivate mutating func addLabel(_ label: TaskLabel.ID, at instant: Instant) {
    guard let place = labels.firstIndex(where: { $0.label == label }) else {
      return labels.append(TaskLabelLink(label: label, created: instant, updated: instant))
    }
    (labels[place].removed, labels[place].updated) = (nil, instant)
    labels[place].isPurged = false
  }

  fileprivate mutating func lose(_ label: TaskLabel.ID, purged: Bool, at instant: Instant) {
    guard let place = labels.firstIndex(where: { $0.label == label }) else { return }
    // A label that was lost before and is purged now keeps the time of its loss.
    let isGone = labels[place].removed != nil && labels[place].isPurged != purged
    if !isGone { labels[place].removed = instant }
    (labels[place].isPurged, labels[place].updated) = (purged, instant)
  }
}

// MARK: The changes

extension TaskCreated: CreationEvent {
  func created(_ head: EntryHead) -> TaskItem {
    TaskItem(
      key: key, owner: owner, bucket: bucket, parent: parent, rank: rank, title: title,
      description: description, due: due, repetition: repetition, created: begun(head),
      updated: head.at, changed: head.position)
  }
}

extension TaskDescribed: TaskChange, SetEvent {
  init(_ id: TaskItem.ID, as item: TaskItem) {
    self.init(task: id, title: item.title, description: item.description)
  }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    (item.title, item.description) = (title, description)
    return true
  }
}

extension TaskScheduled: TaskChange, SetEvent {
  init(_ id: TaskItem.ID, as item: TaskItem) {
    self.init(task: id, due: item.due, repetition: item.repetition)
  }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    (item.due, item.repetition) = (due, repetition)
    return true
  }
}

extension TaskMoved: TaskChange, SetEvent {
  init(_ id: TaskItem.ID, as item: TaskItem) {
    self.init(task: id, bucket: item.bucket, parent: item.parent, rank: item.rank)
  }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    (item.bucket, item.parent, item.rank) = (bucket, parent, rank)
    return true
  }
}

extension TaskDeleted: TaskChange {
  static var facets: [TaskFacet<TaskItem>] { [TaskItem.hasSameExistence] }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    item.deleted = item.deleted ?? instant
    item.isPurged = purged
    return true
  }
}

extension TaskRestored: TaskChange {
  static var facets: [TaskFacet<TaskItem>] { [TaskItem.hasSameExistence] }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    item.deleted = nil
    item.isPurged = false
    return true
  }
}

extension TaskLabelsChanged: TaskChange {
  static var facets: [TaskFacet<TaskItem>] { [TaskItem.hasSameLabels] }
  /// Returns false: the task's own row does not hold its labels.
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    for label in added { item.addLabel(label, at: instant) }
    for label in removed { item.lose(label, purged: purged, at: instant) }
    return false
  }
}

extension TaskCompleted: TaskChange {
  static var facets: [TaskFacet<TaskItem>] { [TaskItem.hasSameCompletion] }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    item.saidDone = instant
    // A repeated completion changes nothing, unless its time differs.
    if item.completed == completed { return false }
    item.completed = completed
    item.wasDoneWithParent = withParent
    return true
  }
}

extension TaskReopened: TaskChange {
  static var facets: [TaskFacet<TaskItem>] { [TaskItem.hasSameCompletion] }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    (item.completed, item.wasDoneWithParent) = (nil, false)
    return true
  }
}

extension TaskOccurrenceCompleted: TaskChange {
  static var facets: [TaskFacet<TaskItem>] {
    [TaskItem.hasSameCompletion, TaskScheduled.isSame]
  }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    item.apply(self, at: instant)
    return true
  }
}

extension TaskOccurrenceReopened: TaskChange {
  static var facets: [TaskFacet<TaskItem>] {
    [TaskItem.hasSameCompletion, TaskScheduled.isSame]
  }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    for index in item.occurrences.indices
    where item.occurrences[index].key == key && item.occurrences[index].removed == nil {
      item.occurrences[index].removed = instant
    }
    (item.due, item.repetition) = (due, repetition)
    // If there is no series to continue, the event was recorded after the series ended, and a done task stays done.
    if repetition != nil { item.completed = nil }
    return true
  }
}

extension LabelCreated: CreationEvent {
  func created(_ head: EntryHead) -> TaskLabel {
    TaskLabel(
      key: key, owner: owner, name: name, color: color, created: begun(head), updated: head.at,
      changed: head.position)
  }
}

extension LabelDescribed: LabelChange, SetEvent {
  init(_ id: TaskLabel.ID, as item: TaskLabel) {
    self.init(label: id, name: item.name, color: item.color)
  }
  func change(_ item: inout TaskLabel, at instant: Instant) {
    (item.name, item.color) = (name, color)
  }
}

extension LabelDeleted: LabelChange {
  static var facets: [TaskFacet<TaskLabel>] { [TaskLabel.hasSameExistence] }
  func change(_ item: inout TaskLabel, at instant: Instant) {
    item.deleted = item.deleted ?? instant
    item.isPurged = purged
  }
}

extension LabelRestored: LabelChange {
  static var facets: [TaskFacet<TaskLabel>] { [TaskLabel.hasSameExistence] }
  func change(_ item: inout TaskLabel, at instant: Instant) {
    item.deleted = nil
    item.isPurged = false
  }
}
