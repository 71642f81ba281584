public import Avro

extension HouseholdTask: Columns {
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("id", &key)
    try visitor.column("household_id", &household)
    try content.visitColumns(&visitor)
    try visitor.column("assigned_to", &assignee)
    try visitor.column("created_by", &creator)
    var isComplete = isComplete
    try visitor.column("is_complete", &isComplete)
    try visitor.column("completed_at", &completed)
    try visitor.column("completed_by", &completer)
    try visitor.column("created_at", &created)
    try visitor.column("updated_at", &updated)
  }
}

extension HouseholdTask: RowEntity {
  static func tables(of state: BookState) -> [RowTable] {
    [RowTable("household_tasks", of: HouseholdTask.self, in: state)]
  }
}
