import Calendar
public import Avro

/// A filter for tasks.
public struct TaskFilter: Columns, Hashable {
  /// The bucket; all if not given.
  public var bucket: TaskBucket?
  /// The labels that tasks must have.
  public var labels: [TaskLabel.ID]
  /// How many of the labels a task must have.
  public var needed: LabelsNeeded
  /// A text that the title or the description must include, ignoring case and accents.
  public var text: String
  /// When tasks are due, if that matters.
  public var due: Due?
  /// Whether tasks are open or done.
  public var status: Status

  /// How many of the filter's labels a task must have.
  public enum LabelsNeeded: String, ChoiceForm {
    /// One or more.
    case any
    /// All of them.
    case all
  }

  /// When a task is due.
  public enum Due: String, ChoiceForm {
    /// On the person's current day.
    case today
    /// Before now.
    case overdue
  }

  /// Whether a task is done.
  public enum Status: String, ChoiceForm {
    /// Not yet.
    case open
    /// Done.
    case completed
    /// Either.
    case any
  }

  /// Makes a filter; the defaults select all open tasks.
  public init(
    bucket: TaskBucket? = nil, labels: [TaskLabel.ID] = [], needed: LabelsNeeded = .any,
    text: String = "", due: Due? = nil, status: Status = .open
  ) {
    self.bucket = bucket
    self.labels = labels
    self.needed = needed
    self.text = text
    self.due = due
    self.status = status
  }

  /// All open tasks.
  public static var defaults: TaskFilter { TaskFilter() }

  /// `bucket_key`, `labels`, `needed`, `search`, `due`, `status`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("bucket_key", &bucket, [.doc("only of this bucket")])
    try visitor.column("labels", &labels, [.doc("only with these labels")])
    try visitor.column(
      "needed", &needed, [.doc("whether one of the labels is enough, or all are needed")])
    try visitor.column(
      "search", &text,
      [.doc("only with this in the title or the description; case and accents are ignored")])
    try visitor.column("due", &due, [.doc("only what is due on the day, or was due before now")])
    try visitor.column("status", &status)
  }
}

/// A filter that is prepared for matching thousands of tasks.
struct TaskMatcher {
  private let labels: Set<TaskLabel.ID>
  private let needed: TaskFilter.LabelsNeeded
  private let text: SearchText
  private let status: TaskFilter.Status
  private let due: TaskFilter.Due?
  private let today: (after: Instant, through: Instant)?
  private let now: Instant
  /// Midnight of the owner's current day: between the midnight that ends the calendar day and the beginning of the next
  /// user-local day, that day's tasks are still to be done.
  private let midnight: Instant?
  private let wall: WallClock

  init(_ filter: TaskFilter, _ clock: DayClock, _ query: Query) throws(Rejection) {
    labels = Set(filter.labels)
    needed = filter.needed
    text = SearchText(filter.text)
    status = filter.status
    due = filter.due
    now = query.asOf
    wall = WallClock(timeZone: clock.timeZone, zones: query.zones)
    midnight = clock.day(of: query.asOf, in: query.zones).flatMap { [wall] day in
      wall.instant(of: LocalDateTime(day: day))
    }
    guard filter.due == .today else {
      today = nil
      return
    }
    guard let day = query.on ?? clock.day(of: query.asOf, in: query.zones),
      let before = clock.end(of: day.advanced(by: -1), in: query.zones),
      let end = clock.end(of: day, in: query.zones)
    else { throw .unknownTimeZone(clock.timeZone) }
    today = (before, end)
  }

  func keeps(_ task: TaskItem) -> Bool {
    switch status {
    case .open: if task.isDone { return false }
    case .completed: if !task.isDone { return false }
    case .any: break
    }
    switch due {
    case .today:
      guard let today, let due = task.due, due > today.after, due <= today.through else {
        return false
      }
    case .overdue: guard isOverdue(task) else { return false }
    case nil: break
    }
    return hasLabels(task) && hasText(task)
  }

  func isOverdue(_ task: TaskItem) -> Bool {
    guard let due = task.due, !task.isDone, due < now else { return false }
    guard let midnight, due >= midnight, let local = wall.local(of: due) else { return true }
    // A due day without a time has the time 23:59.
    return !local.description.hasSuffix("T23:59:00")
  }

  private func hasLabels(_ task: TaskItem) -> Bool {
    guard !labels.isEmpty else { return true }
    let found = task.labels.reduce(0) {
      $0 + ($1.removed == nil && labels.contains($1.label) ? 1 : 0)
    }
    return needed == .any ? found > 0 : found == labels.count
  }

  private func hasText(_ task: TaskItem) -> Bool {
    guard !text.isEmpty else { return true }
    if SearchText(task.title).contains(text) { return true }
    return task.description.map { SearchText($0).contains(text) } ?? false
  }
}
