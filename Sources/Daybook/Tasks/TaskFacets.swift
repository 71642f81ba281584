import Values

/// The facets of a task or a label that an event changes: of two events that change the same facet, the earlier cannot
/// be undone alone.
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

  /// The facets that an event changes; all of them, unless its type names fewer.
  init(of event: Event) {
    self = (event.content.record as? any FacetedRecord).map { type(of: $0).facets } ?? .all
  }
}

/// The record of an event about a task or a label, with the facets that it changes.
protocol FacetedRecord: TaskRecord {
  /// The facets that it changes.
  static var facets: TaskFacets { get }
}

extension TaskFacets {
  /// The single facets of the set.
  var each: [TaskFacets] {
    [.text, .schedule, .place, .completion, .labels, .existence].filter { contains($0) }
  }
}

/// An entity, a task or a label, that can be replayed from its entries to decide an undo.
protocol Faceted {
  /// The position of the last entry about it.
  var changed: Int64 { get }
  /// Makes the entity that an event creates; `nil` when it creates none.
  init?(_ event: Event, _ head: EntryHead)
  /// Applies an event about the entity.
  mutating func apply(_ event: Event, _ head: EntryHead)
  /// Whether another state of the entity is equal in some facets.
  func isSame(as other: Self, _ facets: TaskFacets) -> Bool
}

extension TaskItem: Faceted {
  /// Whether another state of the task is equal in some facets.
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

  /// The labels that were purged from the task.
  private var purgedLabels: Set<TaskLabel.ID> {
    Set(labels.compactMap { $0.isPurged ? $0.label : nil })
  }

  /// The keys of the occurrences that are done.
  private var doneSlots: Set<Key> {
    Set(occurrences.compactMap { $0.removed == nil ? $0.key : nil })
  }
}

extension TaskLabel: Faceted {
  /// Whether another state of the label is equal in some facets.
  func isSame(as other: TaskLabel, _ facets: TaskFacets) -> Bool {
    let isDifferent =
      facets.contains(.text) && (name, color) != (other.name, other.color)
      || facets.contains(.existence)
        && (isDeleted != other.isDeleted || isPurged != other.isPurged)
    return !isDifferent
  }
}
