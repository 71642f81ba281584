public import Avro

extension Goal: Columns {
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("id", &key)
    try visitor.column("user_id", &owner)
    try visitor.column("title", &title)
    try visitor.column("description", &description)
    try visitor.column("created_at", &created)
    try visitor.column("updated_at", &updated)
  }
}

extension BookState {
  /// The goal's row of `goals`.
  package func goalRow(_ goal: Goal) -> JSON { .object(goal.members(in: self)) }

  var goalRows: [JSON] {
    goals.elements.filter { !$0.isDeleted }.sorted { $0.key < $1.key }.map { goalRow($0) }
  }
}

extension Goal: RowEntity {
  package func row(in state: BookState) -> JSON { state.goalRow(self) }
}
