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

extension Goal: RowEntity {
  static func tables(of state: BookState) -> [RowTable] {
    [RowTable("goals", of: Goal.self, in: state)]
  }
}
