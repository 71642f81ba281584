package import Values
public import Avro

/// The content of a label, as a person writes it.
public struct LabelContent: Columns, Hashable {
  /// The name; never empty.
  public var name: String
  /// Its colour: `#FF9F1C`.
  public var color: String

  public init(name: String, color: String = CreateLabel.usualColor) {
    self.name = name
    self.color = color
  }

  /// Without a name, in the usual colour.
  public static var defaults: LabelContent { LabelContent(name: "") }

  /// `name`, `color`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("name", &name, [.needed])
    try visitor.column("color", &color, [.bounds(ColorText.labelPattern)])
  }
}

/// Creates a label for tasks (DM-4). Repeated by its owner with the same key and content it changes nothing.
public struct CreateLabel: ColumnCommand {
  /// The client's name for the label; a fresh one unless given.
  package var key: Key?
  package var content: LabelContent

  /// The colour of a label that is given none.
  public static let usualColor = "#6C757D"

  public init(key: Key? = nil, name: String, color: String = CreateLabel.usualColor) {
    self.key = key
    content = LabelContent(name: name, color: color)
  }

  package static let form = CommandForm("create_label", "Makes a label for tasks.", answer: "label")
  /// A label without a name.
  public static var defaults: CreateLabel { CreateLabel(name: "") }

  /// `key`, and the columns of the content.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("key", &key)
    try content.visitColumns(&visitor)
  }

  /// Decides the command; the answer is the label's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<TaskLabel.ID> {
    let plan = try TaskPlan(state, context)
    let key = key ?? context.freshKey
    let name = try checkedLabelName(content.name)
    let color = try checkedLabelColor(content.color)
    let known = try state.known(key, in: state.labels) { label in
      label.owner == plan.actor && label.name == name && label.color == color
    }
    if let known { return Decision([], known) }
    try plan.checkFree(name)
    let created = LabelCreated(
      key: key, owner: plan.actor, name: name, color: color)
    return Decision([created.event], state.labels.nextNumber)
  }
}

/// Changes a label's name or colour.
public struct UpdateLabel: PatchCommand {
  package var thing: TaskLabel.ID
  /// The changes.
  package var patch: Patch<LabelContent>

  public init(_ label: TaskLabel.ID, _ set: (inout LabelContent) -> Void = { _ in }) {
    thing = label
    patch = Patch(set)
  }

  package static let form = CommandForm(
    "update_label", "Changes a label's name or colour.", answer: "label")
  /// Nothing changes.
  public static var defaults: UpdateLabel { UpdateLabel(.placeholder) }

  func events(
    _ found: TaskLabel, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    let plan = try TaskPlan(state, context)
    var content = patch.applied(to: LabelContent(name: found.name, color: found.color))
    content.name = try checkedLabelName(content.name)
    if content.name != found.name { try plan.checkFree(content.name, but: thing) }
    return try plan.describe(thing, found, content).map { [$0.event] } ?? []
  }
}

/// Deletes a label; the tasks that have it lose it.
public struct DeleteLabel: PurgeCommand {
  /// The label; one that was deleted already may still be purged.
  package var thing: TaskLabel.ID
  /// Whether even the tombstone is hidden from devices.
  package var purge: Bool

  public init(_ label: TaskLabel.ID, purge: Bool = false) {
    thing = label
    self.purge = purge
  }

  package static let form = CommandForm(
    "delete_label", "Deletes a label; the tasks that have it lose it.", answer: "id, deleted")
  /// The defaults; no label is named yet.
  public static var defaults: DeleteLabel { DeleteLabel(.placeholder) }

  func delete(from plan: inout TaskPlan) { plan.delete(thing, purged: purge) }
}

extension TaskLabel: PurgeableEntity {
  static var column: StaticString { "label" }
  static var notOwner: Rejection { .notOwner(ofNamed: kind) }
}

extension TaskPlan {
  /// An existing label that belongs to the actor.
  func own(_ number: TaskLabel.ID) throws(Rejection) -> TaskLabel {
    try state.own(number, context)
  }

  /// The labels among these that a task can get: one that was deleted meanwhile, perhaps on another device, is skipped
  /// without an error.
  func given(_ labels: [TaskLabel.ID]) throws(Rejection) -> [TaskLabel.ID] {
    try checkTaken(labels)
    return labels.filter { state.labels[$0]?.isDeleted == false }
  }

  /// Refuses labels that never existed, or belong to another account; deleted ones may be removed from a task.
  func checkTaken(_ labels: [TaskLabel.ID]) throws(Rejection) {
    for label in labels where state.labels[label]?.owner != actor { _ = try own(label) }
  }

  /// Refuses a name that another label of the account has: people distinguish labels by their names.
  func checkFree(_ name: String, but own: TaskLabel.ID? = nil) throws(Rejection) {
    let named = state.indexes.tasks.labels(named: SearchText(name), of: actor)
    if named.contains(where: { $0 != own }) { throw .nameTaken(name) }
  }

  func describe(
    _ number: TaskLabel.ID, _ label: TaskLabel, _ content: LabelContent
  ) throws(Rejection) -> LabelDescribed? {
    let color = try checkedLabelColor(content.color)
    guard content.name != label.name || color != label.color else { return nil }
    return LabelDescribed(label: number, name: content.name, color: color)
  }

  /// Gives a task labels and removes others; labels that are not named stay. A label to purge may have been removed
  /// before.
  mutating func label(
    _ number: TaskItem.ID, add added: [TaskLabel.ID], remove removed: [TaskLabel.ID],
    purged: Bool = false
  ) throws(Rejection) {
    guard let item = self[number] else { return }
    let has = Set(item.currentLabels)
    let lost = Set(removed).filter { label in
      has.contains(label) || purged && item.link(to: label)?.isPurged == false
    }.sorted()
    let got = Set(added).subtracting(has).subtracting(removed).sorted()
    guard !lost.isEmpty || !got.isEmpty else { return }
    if !got.isEmpty {
      let count = has.subtracting(lost).count + got.count
      try Limit.labels.check(count, "labels")
    }
    add(
      TaskLabelsChanged(
        task: number, added: got, removed: lost, purged: purged && !lost.isEmpty))
  }

  mutating func delete(_ label: TaskLabel.ID, purged: Bool = false) {
    for number in tasks(having: label) where self[number]?.currentLabels.contains(label) == true {
      add(TaskLabelsChanged(task: number, added: [], removed: [label], purged: purged))
    }
    add(LabelDeleted(label: label, purged: purged))
  }
}

func checkedLabelName(_ name: String) throws(Rejection) -> String {
  let trimmed = name.asOneLine
  guard !trimmed.isEmpty else { throw .emptyLabelName }
  try Limit.name.check(trimmed, "name")
  guard !trimmed.hasControls else { throw .invalidLabelName }
  return trimmed
}

func checkedLabelColor(_ color: String) throws(Rejection) -> String {
  try ColorText.checkLabel(color)
  return color
}
