import Calendar

/// An event that changes one existing task and nothing else.
protocol TaskChange: FacetedRecord, ChangeEvent where Changed == TaskItem {
  /// Which task.
  var task: TaskItem.ID { get }
  /// Changes the task.
  ///
  /// - Returns: Whether the task's own row changed.
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool
}

/// An event that changes one existing label and nothing else.
protocol LabelChange: FacetedRecord, ChangeEvent where Changed == TaskLabel {
  /// Which label.
  var label: TaskLabel.ID { get }
  func change(_ item: inout TaskLabel, at instant: Instant)
}

extension TaskChange {
  var changed: TaskItem.ID { task }
  func change(_ task: inout TaskItem, _ head: EntryHead) { task.apply(self, head) }
}

extension LabelChange {
  var changed: TaskLabel.ID { label }
  func change(_ label: inout TaskLabel, _ head: EntryHead) { label.apply(self, head) }
}

extension TaskItem {
  /// The task that is created.
  init(_ event: TaskCreated, _ head: EntryHead) {
    self.init(
      key: event.key, owner: event.owner, bucket: event.bucket, parent: event.parent,
      rank: event.rank, title: event.title, description: event.description, due: event.due,
      repetition: event.repetition, created: event.begun(head), updated: head.at,
      changed: head.position)
  }

  /// The task that an event creates; `nil` when it creates none.
  init?(_ event: Event, _ head: EntryHead) {
    guard case .taskCreated(let event) = event else { return nil }
    self.init(event, head)
  }

  /// Applies an event about the task.
  mutating func apply(_ event: Event, _ head: EntryHead) {
    guard let change = event.content.record as? any TaskChange else { return }
    apply(change, head)
  }

  mutating func apply(_ event: some TaskChange, _ head: EntryHead) {
    changed = head.position
    if event.change(&self, at: head.at) { updated = head.at }
  }

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

  fileprivate mutating func take(_ label: TaskLabel.ID, at instant: Instant) {
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

extension TaskLabel {
  /// The label that is created.
  init(_ event: LabelCreated, _ head: EntryHead) {
    self.init(
      key: event.key, owner: event.owner, name: event.name, color: event.color,
      created: event.begun(head), updated: head.at, changed: head.position)
  }

  /// The label that an event creates; `nil` when it creates none.
  init?(_ event: Event, _ head: EntryHead) {
    guard case .labelCreated(let event) = event else { return nil }
    self.init(event, head)
  }

  /// Applies an event about the label.
  mutating func apply(_ event: Event, _ head: EntryHead) {
    guard let change = event.content.record as? any LabelChange else { return }
    apply(change, head)
  }

  mutating func apply(_ event: some LabelChange, _ head: EntryHead) {
    changed = head.position
    updated = head.at
    event.change(&self, at: head.at)
  }
}

// MARK: The changes

extension TaskCreated: FacetedRecord, CreationEvent {
  static var facets: TaskFacets { .all }
  func created(_ head: EntryHead) -> TaskItem { TaskItem(self, head) }
}

extension TaskDescribed: TaskChange {
  static var facets: TaskFacets { .text }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    (item.title, item.description) = (title, description)
    return true
  }
}

extension TaskScheduled: TaskChange {
  static var facets: TaskFacets { .schedule }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    (item.due, item.repetition) = (due, repetition)
    return true
  }
}

extension TaskMoved: TaskChange {
  static var facets: TaskFacets { .place }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    (item.bucket, item.parent, item.rank) = (bucket, parent, rank)
    return true
  }
}

extension TaskDeleted: TaskChange {
  static var facets: TaskFacets { .existence }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    item.deleted = item.deleted ?? instant
    item.isPurged = purged
    return true
  }
}

extension TaskRestored: TaskChange {
  static var facets: TaskFacets { .existence }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    item.deleted = nil
    item.isPurged = false
    return true
  }
}

extension TaskLabelsChanged: TaskChange {
  static var facets: TaskFacets { .labels }
  /// Returns false: the task's own row does not hold its labels.
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    for label in added { item.take(label, at: instant) }
    for label in removed { item.lose(label, purged: purged, at: instant) }
    return false
  }
}

extension TaskCompleted: TaskChange {
  static var facets: TaskFacets { .completion }
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
  static var facets: TaskFacets { .completion }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    (item.completed, item.wasDoneWithParent) = (nil, false)
    return true
  }
}

extension TaskOccurrenceCompleted: TaskChange {
  static var facets: TaskFacets { [.completion, .schedule] }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    item.apply(self, at: instant)
    return true
  }
}

extension TaskOccurrenceReopened: TaskChange {
  static var facets: TaskFacets { [.completion, .schedule] }
  func change(_ item: inout TaskItem, at instant: Instant) -> Bool {
    for index in item.occurrences.indices
    where item.occurrences[index].key == key && item.occurrences[index].removed == nil {
      item.occurrences[index].removed = instant
    }
    (item.due, item.repetition) = (due, repetition)
    // Without a series to continue it was recorded after the series ended, and a done task stays done.
    if repetition != nil { item.completed = nil }
    return true
  }
}

extension LabelCreated: FacetedRecord, CreationEvent {
  static var facets: TaskFacets { .all }
  func created(_ head: EntryHead) -> TaskLabel { TaskLabel(self, head) }
}

extension LabelDescribed: LabelChange {
  static var facets: TaskFacets { .text }
  func change(_ item: inout TaskLabel, at instant: Instant) {
    (item.name, item.color) = (name, color)
  }
}

extension LabelDeleted: LabelChange {
  static var facets: TaskFacets { .existence }
  func change(_ item: inout TaskLabel, at instant: Instant) {
    item.deleted = item.deleted ?? instant
    item.isPurged = purged
  }
}

extension LabelRestored: LabelChange {
  static var facets: TaskFacets { .existence }
  func change(_ item: inout TaskLabel, at instant: Instant) {
    item.deleted = nil
    item.isPurged = false
  }
}
