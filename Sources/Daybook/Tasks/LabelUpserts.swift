public import Values
package import Calendar
public import Avro

/// Takes over a label's row as a device sends it: creates or changes the label (DM-7). A deleted label stays deleted.
public struct UpsertLabel: ColumnCommand {
  /// The client's name for the label.
  package var key: Key
  /// The owner that the row names: the actor.
  public var owner: Key?
  /// The fields that the row holds.
  package var patch: Patch<LabelRow>
  /// When it was deleted, if it was.
  package var deleted: Instant?
  /// When it began by the clock of its app; now if that is not given, or lies in the future.
  package var begun: Instant?

  public init(_ key: Key, _ set: (inout LabelRow) -> Void = { _ in }) {
    self.key = key
    patch = Patch(set)
  }

  /// The fields that a row may hold about a label.
  public struct LabelRow: Columns {
    /// The name.
    public var name = ""
    /// Its colour; nothing if the row has none.
    public var color: String?

    /// No fields.
    public static var defaults: LabelRow { LabelRow() }

    /// `name`, `color`.
    public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.column("name", &name)
      try visitor.column("color", &color, [.bounds(ColorText.labelPattern)])
    }
  }

  package static let form = CommandForm(
    "upsert_label", "Creates or changes a label from a row of `labels`.", answer: "label")
  /// The defaults; no label is named yet.
  public static var defaults: UpsertLabel { UpsertLabel(Key(high: 0, low: 0)) }

  /// The columns of `labels`. The book itself determines when the label last changed.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(RowKeyCodec(noun: "label"), &key)
    try visitor.column("user_id", &owner, [.doc("must be the actor's, if given")])
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
      // A label that never existed needs no deletion.
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
      // An invalid name does not prevent the deletion.
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
    state.labels[answer]?.row(in: state) ?? .null
  }
}
