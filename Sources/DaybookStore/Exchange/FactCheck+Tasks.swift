import Daybook

extension BookState {
  /// Why an entry about a task or a label cannot follow this state; nil when it can.
  func contradiction(of event: Event.Tasks, _ entry: Entry) -> String? {
    if entry.event.continuesCommand == true, at != entry.head.at {
      return "the line above is not part of the same command"
    }
    switch event {
    case .taskCreated(let event):
      if let parent = event.parent, tasks[parent]?.owner != event.owner {
        return Self.foreignParent
      }
      return contradiction(of: event.repetition)
    case .taskScheduled(let event): return contradiction(of: event.repetition)
    case .taskMoved(let event): return contradiction(of: event)
    case .taskDeleted(let event):
      if let task = tasks[event.task], task.isDeleted {
        return task.isPurged == event.purged ? "a line above deletes the task" : nil
      }
      let hasParts = liveParts(of: event.task).contains { _ in true }
      return hasParts ? "subtasks still exist; delete them first" : nil
    case .taskRestored(let event):
      guard tasks[event.task]?.isDeleted == true else { return "the task was not deleted" }
      let parent = tasks[event.task]?.parent.flatMap { tasks[$0] }
      return parent?.isDeleted == true ? "the parent is deleted" : nil
    case .taskCompleted(let event):
      if event.completed > entry.head.at { return "it was done after it was recorded" }
      let isOpen = liveParts(of: event.task).contains { !$0.isDone }
      return isOpen ? "subtasks are still open; complete them first" : nil
    case .taskReopened(let event):
      guard let task = tasks[event.task], task.isDone else { return "the task is not done" }
      let parent = task.parent.flatMap { tasks[$0] }
      return parent?.isDone == true ? "the parent is done; reopen it first" : nil
    case .taskOccurrenceCompleted(let event):
      return contradiction(of: event, entry.head) ?? contradiction(of: event.repetition)
    case .taskOccurrenceReopened(let event):
      let isDone = tasks[event.task]?.occurrences.contains {
        $0.key == event.key && $0.removed == nil
      }
      guard isDone == true else { return "no line above completes the occurrence" }
      return contradiction(of: event.repetition)
    case .taskLabelsChanged(let event): return contradiction(of: event)
    case .labelCreated(let event): return labelIsWrong(event.color)
    case .labelDescribed(let event): return labelIsWrong(event.color)
    case .labelDeleted(let event):
      if let label = labels[event.label], label.isDeleted {
        return label.isPurged == event.purged ? "a line above deletes the label" : nil
      }
      return isUsed(event.label) ? "tasks still have the label; remove it from them first" : nil
    case .labelRestored(let event):
      return labels[event.label]?.isDeleted == true ? nil : "the label was not deleted"
    // Anything may be said of a task that exists.
    case .taskDescribed: return nil
    }
  }

  private static let foreignParent = "the parent is another account's"

  private func liveParts(of number: TaskItem.ID) -> some Sequence<TaskItem> {
    parts(of: number).lazy.compactMap { tasks[$0] }
  }

  private func contradiction(of event: TaskMoved) -> String? {
    guard let task = tasks[event.task], let parent = event.parent else { return nil }
    guard tasks[parent]?.owner == task.owner else { return Self.foreignParent }
    var (next, seen) = (event.parent, Set<TaskItem.ID>())
    while let above = next, seen.insert(above).inserted {
      if above == event.task { return "the task would be a part of itself" }
      next = tasks[above]?.parent
    }
    return nil
  }

  private func contradiction(of repetition: TaskRepetition?) -> String? {
    guard let repetition else { return nil }
    do throws(RecurrenceError) {
      let rule = try RecurrenceRule(parsing: repetition.rule)
      try rule.requireDays()
      guard rule.description == repetition.rule else {
        return "the rule is not in its canonical form, \(rule)"
      }
    } catch { return error.description }
    let isSecond = (0..<86_400).contains(repetition.startSecond)
    guard isSecond, repetition.startDay != nil || repetition.startSecond == 0 else {
      return "start_second: there is no such second of the day"
    }
    return nil
  }

  private func contradiction(of event: TaskOccurrenceCompleted, _ head: EntryHead) -> String? {
    guard let task = tasks[event.task] else { return nil }
    if task.repetition == nil, !task.isDone || task.occurrences.isEmpty {
      return "the task does not repeat"
    }
    if event.completed > head.at { return "it was done after it was recorded" }
    guard event.key == Key(completionOf: task.key, due: event.due, day: event.day) else {
      return "the key is not that of the task's slot"
    }
    return nil
  }

  private func contradiction(of event: TaskLabelsChanged) -> String? {
    guard let task = tasks[event.task] else { return nil }
    let has = Set(task.currentLabels)
    for label in event.added + event.removed where labels[label]?.owner != task.owner {
      return "the label is another account's"
    }
    if event.added.contains(where: { labels[$0]?.isDeleted == true }) {
      return "a line above deletes the label"
    }
    if event.added.contains(where: { has.contains($0) }) { return "the task has the label already" }
    // A label that the task has already lost may still be purged, and that purge may be undone.
    let isLost = event.removed.allSatisfy { label in
      has.contains(label) || task.link(to: label).map { $0.isPurged != event.purged } ?? false
    }
    return isLost ? nil : "the task has no such label"
  }
}
