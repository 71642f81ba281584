import Values

/// Whether two states of a task or a label agree in one facet. If two events change the same facet, the earlier one
/// cannot be undone alone.
typealias TaskFacet<Thing> = (_ one: Thing, _ other: Thing) -> Bool

/// An entity, a task or a label, whose changes are undone one by one.
protocol FacetedEntity: StoredEntity {
  /// The position of the last entry about it.
  var changed: Int64 { get }
  /// All facets.
  static var facets: [TaskFacet<Self>] { get }
  /// The facets that an event changes; all of them, unless its type names fewer.
  static func facets(of event: Event) -> [TaskFacet<Self>]
}

extension TaskItem: FacetedEntity {
  static var facets: [TaskFacet<TaskItem>] {
    [
      TaskDescribed.isSame, TaskScheduled.isSame, TaskMoved.isSame, hasSameCompletion,
      hasSameLabels, hasSameExistence,
    ]
  }

  static func facets(of event: Event) -> [TaskFacet<TaskItem>] {
    (event.content.record as? any TaskChange).map { type(of: $0).facets } ?? facets
  }

  static func hasSameCompletion(_ one: TaskItem, _ other: TaskItem) -> Bool {
    one.completed == other.completed && one.wasDoneWithParent == other.wasDoneWithParent
      && one.doneSlots == other.doneSlots
  }

  static func hasSameLabels(_ one: TaskItem, _ other: TaskItem) -> Bool {
    Set(one.currentLabels) == Set(other.currentLabels) && one.purgedLabels == other.purgedLabels
  }

  static func hasSameExistence(_ one: TaskItem, _ other: TaskItem) -> Bool {
    one.isDeleted == other.isDeleted && one.isPurged == other.isPurged
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

extension TaskLabel: FacetedEntity {
  static var facets: [TaskFacet<TaskLabel>] { [LabelDescribed.isSame, hasSameExistence] }

  static func facets(of event: Event) -> [TaskFacet<TaskLabel>] {
    (event.content.record as? any LabelChange).map { type(of: $0).facets } ?? facets
  }

  static func hasSameExistence(_ one: TaskLabel, _ other: TaskLabel) -> Bool {
    one.isDeleted == other.isDeleted && one.isPurged == other.isPurged
  }
}
