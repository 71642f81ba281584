import Values
public import Avro

extension PostedActivity: AvroRecord {
  public static var recordName: String { "PostedActivity" }
  public static var placeholder: PostedActivity {
    PostedActivity(
      key: Key(high: 0, low: 0), owner: .placeholder, hive: nil, habit: nil, kind: .habitCompleted,
      data: "", created: .placeholder)
  }

  /// The fields of the activity.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("hive", &hive)
    try visitor.visit("habit", &habit)
    try visitor.visit("type", &kind)
    try visitor.visit("data", &data)
    try visitor.visit("created", &created)
    try visitor.visit("is_deleted", &isDeleted)
  }
}
