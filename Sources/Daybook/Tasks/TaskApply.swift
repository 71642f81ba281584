extension State {
  /// Applies what happened to a task or a label; nothing else is touched by it.
  mutating func apply(task event: Event, _ head: EntryHead) {
    if let item = TaskItem(event, head) { return create(item) }
    if let label = TaskLabel(event, head) { return create(label) }
    guard let aggregate = event.subject.aggregate else { return }
    switch aggregate.kind {
    case .task:
      update(TaskItem.ID(unchecked: aggregate.number)) { $0.apply(event, head) }
    case .label:
      update(TaskLabel.ID(unchecked: aggregate.number)) { $0.apply(event, head) }
    default: break
    }
  }
}

extension State {
  /// Blanks what an erasure blanks of the tasks and labels of an account.
  mutating func eraseTasks(of account: Account.ID, at instant: Instant) {
    for number in taskIndex.tasks(of: account) {
      update(number) { task in
        (task.title, task.description) = ("", nil)
        (task.deleted, task.updated) = (task.deleted ?? instant, instant)
      }
    }
    for number in taskIndex.labels(of: account) {
      update(number) { label in
        label.name = ""
        (label.deleted, label.updated) = (label.deleted ?? instant, instant)
      }
    }
  }
}

extension TaskItem {
  /// The task that an event creates, if it creates one.
  init?(_ event: Event, _ head: EntryHead) {
    guard case .taskCreated(let event) = event else { return nil }
    self.init(
      key: event.key, owner: event.owner, bucket: event.bucket, parent: event.parent,
      rank: event.rank, title: event.title, description: event.description, due: event.due,
      repetition: event.repetition, created: head.at, updated: head.at, changed: head.position)
  }

  /// Takes an event about the task into account.
  mutating func apply(_ event: Event, _ head: EntryHead) {
    let instant = head.at
    changed = head.position
    switch event {
    case .taskDescribed(let event): (title, description) = (event.title, event.description)
    case .taskScheduled(let event): (due, repetition) = (event.due, event.repetition)
    case .taskMoved(let event): (bucket, parent, rank) = (event.bucket, event.parent, event.rank)
    case .taskCompleted(let event):
      saidDone = instant
      // Said once more, it is no news, unless it was done at another time.
      if completed == event.completed { return }
      completed = event.completed
      wasDoneWithParent = event.withParent
    case .taskReopened: (completed, wasDoneWithParent) = (nil, false)
    case .taskOccurrenceCompleted(let event): apply(event, at: instant)
    case .taskOccurrenceReopened(let event):
      for index in occurrences.indices
      where occurrences[index].key == event.key && occurrences[index].removed == nil {
        occurrences[index].removed = instant
      }
      (due, repetition) = (event.due, event.repetition)
      // Without a series to go on with it was recorded after the end, and what is done stays so.
      if event.repetition != nil { completed = nil }
    case .taskDeleted: deleted = deleted ?? instant
    case .taskRestored: deleted = nil
    case .taskLabelsChanged(let event):
      for label in event.added { link(to: label, removed: nil, at: instant) }
      for label in event.removed { link(to: label, removed: instant, at: instant) }
      // The task's own row says nothing of labels.
      return
    default: return
    }
    updated = instant
  }

  private mutating func apply(_ event: TaskOccurrenceCompleted, at instant: Instant) {
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

  private mutating func link(to label: TaskLabel.ID, removed: Instant?, at instant: Instant) {
    guard let place = labels.firstIndex(where: { $0.label == label }) else {
      if removed == nil {
        labels.append(TaskLabelLink(label: label, created: instant, updated: instant))
      }
      return
    }
    (labels[place].removed, labels[place].updated) = (removed, instant)
  }
}

extension TaskLabel {
  /// The label that an event creates, if it creates one.
  init?(_ event: Event, _ head: EntryHead) {
    guard case .labelCreated(let event) = event else { return nil }
    self.init(
      key: event.key, owner: event.owner, name: event.name, color: event.color, created: head.at,
      updated: head.at, changed: head.position)
  }

  /// Takes an event about the label into account.
  mutating func apply(_ event: Event, _ head: EntryHead) {
    changed = head.position
    updated = head.at
    switch event {
    case .labelDescribed(let event): (name, color) = (event.name, event.color)
    case .labelDeleted: deleted = deleted ?? head.at
    case .labelRestored: deleted = nil
    default: break
    }
  }
}
