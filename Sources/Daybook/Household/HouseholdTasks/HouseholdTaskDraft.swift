public import Avro

/// What a member says of a task of a household: what is to be done, and who is to do it.
public struct HouseholdTaskDraft: Columns, Hashable {
  /// What is to be done.
  public var content: HouseholdTaskContent
  /// Who is to do it: a member, or nobody in particular.
  public var assignee: Account.ID?

  /// A task without a title, for nobody in particular.
  public static var defaults: HouseholdTaskDraft { HouseholdTaskDraft(content: .placeholder) }

  /// What is to be done, and `assigned_to`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try content.visitColumns(&visitor)
    try visitor.columns(
      OptionalEntityCodec(
        "assigned_to", orElse: Rejection.personNotFound, "who is to do it: a member"),
      &assignee)
  }
}
