package import Calendar

extension Instant {
  /// A due time in words, in an account's zone: `2026-03-01 18:00`, or the day alone.
  package func words(for account: Account?, _ query: Query) -> String {
    let zone = account?.dayClock.timeZone ?? "UTC"
    guard let local = WallClock(timeZone: zone, zones: query.zones).local(of: self) else {
      return description
    }
    let text = local.description
    // A due day without a time has the time 23:59.
    return text.hasSuffix("T23:59:00")
      ? String(text.prefix(10)) : text.prefix(10) + " " + text.dropFirst(11).prefix(5)
  }
}

extension BookState {
  /// A description of an event about a task or a label, as a sentence without its full stop.
  package func words(of event: Event, for account: Account?, _ query: Query) -> String {
    let name = event.subject.aggregate.flatMap { entity($0)?.displayName } ?? ""
    func due(_ instant: Instant?) -> String {
      instant.map { "due \($0.words(for: account, query))" } ?? "no due time"
    }
    guard case .tasks(let task) = event.byContext else { return event.name }
    switch task {
    case .taskCreated(let event): return "\(event.title): added to \(event.bucket.title)"
    case .taskDescribed(let event):
      return "\(event.title): edited" + (event.description.map { ", \($0)" } ?? "")
    case .taskScheduled(let event):
      return "\(name): \(due(event.due))" + (event.repetition.map { ", \($0.rule)" } ?? "")
    case .taskMoved(let event):
      let parent = event.parent.flatMap { tasks[$0]?.title }
      return "\(name): moved in \(event.bucket.title)" + (parent.map { ", under \($0)" } ?? "")
    case .taskDeleted: return "\(name): deleted"
    case .taskRestored: return "\(name): restored"
    case .taskLabelsChanged(let event):
      let added = event.added.compactMap { labels[$0]?.name }.map { "got #\($0)" }
      let removed = event.removed.compactMap { labels[$0]?.name }.map { "lost #\($0)" }
      return "\(name): \((added + removed).joined(separator: ", "))"
    case .taskCompleted: return "\(name): done"
    case .taskReopened: return "\(name): open again"
    case .taskOccurrenceCompleted(let event):
      return "\(name): done; "
        + (event.repetition == nil ? "that was the last time" : "open again, \(due(event.nextDue))")
    case .taskOccurrenceReopened(let event): return "\(name): not done after all; \(due(event.due))"
    case .labelCreated(let event): return "#\(event.name): created"
    case .labelDescribed(let event): return "#\(event.name): edited, \(event.color)"
    case .labelDeleted: return "#\(name): deleted"
    case .labelRestored: return "#\(name): restored"
    }
  }
}
