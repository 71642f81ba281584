public import Values
package import Calendar
public import Avro

/// A label's row as a device sends it: made or changed, whichever is called for (DM-7). A deleted label stays
/// deleted.
public struct UpsertLabel: ColumnCommand {
  /// The client's name for the label.
  package var key: Key
  /// Whose the row says it is: the actor's.
  public var owner: Key?
  /// What the row says of the label.
  package var patch: Patch<LabelRow>
  /// When it was deleted, if it was.
  package var deleted: Instant?
  /// When it began by the clock of its app; now unless given, or later.
  package var begun: Instant?

  public init(_ key: Key, _ set: (inout LabelRow) -> Void = { _ in }) {
    self.key = key
    patch = Patch(set)
  }

  /// What a row may say of a label.
  public struct LabelRow: Columns {
    /// What it is called.
    public var name = ""
    /// Its colour; nothing where the row has none.
    public var color: String?

    /// Says nothing.
    public static var defaults: LabelRow { LabelRow() }

    /// `name`, `color`.
    public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.column("name", &name)
      try visitor.column("color", &color, [.bounds(ColorText.labelPattern)])
    }
  }

  package static let form = CommandForm(
    "upsert_label", "Makes or changes a label, as a row of `labels` says it.", answer: "label")
  /// Of no label yet.
  public static var defaults: UpsertLabel { UpsertLabel(Key(high: 0, low: 0)) }

  /// The columns of `labels`. When it last changed is the book's to say.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(RowKeyCodec(noun: "label"), &key)
    try visitor.column("user_id", &owner, [.doc("the actor's, where it is said")])
    try visitor.columns(&patch)
    try visitor.columns(RowStampsCodec(unused: ["updated_at"]), &deleted)
    try visitor.columns(RowInstantCodec("created_at", FieldNote.whenBegun), &begun)
  }

  /// Decides the command; the answer is the label's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<TaskLabel.ID> {
    var plan = try TaskPlan(state, context)
    if let owner, owner != plan.account.key { throw .notOwner }
    let isDeleted = deleted != nil
    guard let number = state.labels.number(of: key) else {
      // Of what was never here nothing is left to delete.
      if isDeleted, !patch.has("name") { return Decision([], state.labels.nextNumber) }
      let row = patch.applied(to: LabelRow())
      plan.add(
        LabelCreated(
          key: key, owner: plan.actor, name: try checkedLabelName(row.name),
          color: try checkedLabelColor(row.color ?? CreateLabel.usualColor),
          begun: context.begun(begun)))
      if isDeleted { plan.add(LabelDeleted(label: state.labels.nextNumber)) }
      return Decision(plan.events, state.labels.nextNumber)
    }
    guard let label = state.labels[number], label.owner == plan.actor else { throw .notOwner }
    guard !label.isDeleted else { return Decision([], number) }
    if isDeleted {
      // What the label cannot be called does not keep its deletion from being taken.
      if let described = try? described(number, label, plan) { plan.add(described) }
      plan.delete(number)
    } else if let described = try described(number, label, plan) {
      plan.add(described)
    }
    return Decision(plan.events, number)
  }

  private func described(
    _ number: TaskLabel.ID, _ label: TaskLabel, _ plan: TaskPlan
  ) throws(Rejection) -> LabelDescribed? {
    let row = patch.applied(to: LabelRow(name: label.name))
    return try plan.describe(
      number, label,
      LabelContent(name: try checkedLabelName(row.name), color: row.color ?? label.color))
  }

  /// The label's row, also when it is deleted.
  package func row(of answer: TaskLabel.ID, in state: BookState) -> JSON {
    state.labels[answer].map { state.labelRow($0) } ?? .null
  }
}
