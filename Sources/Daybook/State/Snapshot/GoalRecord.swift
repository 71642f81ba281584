import Values
public import Avro

extension Goal: AvroRecord {
  public static var recordName: String { "Goal" }
  public static var placeholder: Goal {
    Goal(
      key: Key(high: 0, low: 0), owner: .placeholder, title: "", description: nil,
      created: .placeholder, updated: .placeholder)
  }

  /// The fields of the goal.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("title", &title)
    try visitor.visit("description", &description)
    try visitor.visit("is_deleted", &isDeleted)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
  }
}
