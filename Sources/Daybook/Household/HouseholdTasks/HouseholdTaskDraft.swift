public import Avro

/// A household task as a member writes it: the content and the assignee.
public struct HouseholdTaskDraft: Columns, Hashable {
  /// The content.
  public var content: HouseholdTaskContent
  /// The assignee: a member, or nobody in particular.
  public var assignee: Account.ID?

  /// A task without a title, for nobody in particular.
  public static var defaults: HouseholdTaskDraft { HouseholdTaskDraft(content: .placeholder) }

  /// The columns of the content, and `assigned_to`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try content.visitColumns(&visitor)
    try visitor.columns(
      OptionalEntityCodec(
        "assigned_to", orElse: Rejection.personNotFound, "the member who does it"),
      &assignee)
  }
}
