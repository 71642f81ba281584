import Values

/// What an event changes of a task or a label: two that change the same cannot be undone one without the other.
struct TaskFacets: OptionSet {
  let rawValue: Int
  static let text = TaskFacets(rawValue: 1)
  static let schedule = TaskFacets(rawValue: 2)
  static let place = TaskFacets(rawValue: 4)
  static let completion = TaskFacets(rawValue: 8)
  static let labels = TaskFacets(rawValue: 16)
  static let existence = TaskFacets(rawValue: 32)
  static let all: TaskFacets = [.text, .schedule, .place, .completion, .labels, .existence]

  init(rawValue: Int) { self.rawValue = rawValue }

  /// What an event changes; all of it, unless it says less.
  init(of event: Event) {
    self = (event.content.record as? any FacetedRecord).map { type(of: $0).facets } ?? .all
  }
}

/// What is kept of an event about a task or a label, with what it changes of it.
protocol FacetedRecord: TaskRecord {
  /// What it changes.
  static var facets: TaskFacets { get }
}

extension TaskFacets {
  /// Those of which it is made.
  var each: [TaskFacets] {
    [.text, .schedule, .place, .completion, .labels, .existence].filter { contains($0) }
  }
}

/// What an undo is decided from: a task or a label, told by its entries.
protocol Faceted {
  /// The position of the last entry about it.
  var changed: Int64 { get }
  /// What an event creates, if it does.
  init?(_ event: Event, _ head: EntryHead)
  /// Takes an event about it into account.
  mutating func apply(_ event: Event, _ head: EntryHead)
  /// Whether another state of it says the same in some respects.
  func isSame(as other: Self, _ facets: TaskFacets) -> Bool
}

extension TaskItem: Faceted {
  /// Whether another state of the task says the same in some respects.
  func isSame(as other: TaskItem, _ facets: TaskFacets) -> Bool {
    let isDifferent =
      facets.contains(.text) && (title, description) != (other.title, other.description)
      || facets.contains(.schedule) && (due != other.due || repetition != other.repetition)
      || facets.contains(.place)
        && (bucket != other.bucket || parent != other.parent || rank != other.rank)
      || facets.contains(.completion)
        && (completed != other.completed || wasDoneWithParent != other.wasDoneWithParent
          || doneSlots != other.doneSlots)
      || facets.contains(.labels)
        && (Set(currentLabels) != Set(other.currentLabels) || purgedLabels != other.purgedLabels)
      || facets.contains(.existence)
        && (isDeleted != other.isDeleted || isPurged != other.isPurged)
    return !isDifferent
  }

  /// The labels that it had, and of which devices are not told any more.
  private var purgedLabels: Set<TaskLabel.ID> {
    Set(labels.compactMap { $0.isPurged ? $0.label : nil })
  }

  /// The names of the occurrences that are done.
  private var doneSlots: Set<Key> {
    Set(occurrences.compactMap { $0.removed == nil ? $0.key : nil })
  }
}

extension TaskLabel: Faceted {
  /// Whether another state of the label says the same in some respects.
  func isSame(as other: TaskLabel, _ facets: TaskFacets) -> Bool {
    let isDifferent =
      facets.contains(.text) && (name, color) != (other.name, other.color)
      || facets.contains(.existence)
        && (isDeleted != other.isDeleted || isPurged != other.isPurged)
    return !isDifferent
  }
}
