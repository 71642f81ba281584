import Values
public import Avro

extension TaskItem: AvroRecord {
  public static var recordName: String { "Task" }
  public static var placeholder: TaskItem {
    TaskItem(
      key: Key(high: 0, low: 0), owner: .placeholder, bucket: .thisWeek, parent: nil, rank: .first,
      title: "", description: nil, due: nil, repetition: nil, created: .placeholder,
      updated: .placeholder, changed: 0)
  }

  /// The fields of the task.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("bucket", &bucket)
    try visitor.visit("parent", &parent)
    try visitor.visit("rank", &rank)
    try visitor.visit("title", &title)
    try visitor.visit("description", &description)
    try visitor.visit("due", &due)
    try visitor.visit("repetition", &repetition)
    try visitor.visit("completed", &completed)
    try visitor.visit("said_done", &saidDone)
    try visitor.visit("with_parent", &wasDoneWithParent)
    try visitor.visit("occurrences", &occurrences)
    try visitor.visit("labels", &labels)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
    try visitor.visit("deleted", &deleted)
    try visitor.visit("purged", &isPurged)
    try visitor.visit("changed", &changed, [.doc("the position of the last entry about it")])
  }
}

extension TaskOccurrence: AvroRecord {
  public static var recordName: String { "TaskOccurrence" }
  public static var placeholder: TaskOccurrence {
    TaskOccurrence(key: Key(high: 0, low: 0), due: nil, day: nil, rule: "", completed: .placeholder)
  }

  /// The fields of the completion.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("due", &due)
    try visitor.visit("day", &day)
    try visitor.visit("rule", &rule)
    try visitor.visit("completed", &completed)
    try visitor.visit("removed", &removed)
  }
}

extension TaskLabelLink: AvroRecord {
  public static var recordName: String { "TaskLabelLink" }
  public static var placeholder: TaskLabelLink {
    TaskLabelLink(label: .placeholder, created: .placeholder, updated: .placeholder)
  }

  /// The label and its times.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("label", &label)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
    try visitor.visit("removed", &removed)
    try visitor.visit("purged", &isPurged)
  }
}

extension TaskLabel: AvroRecord {
  public static var recordName: String { "TaskLabel" }
  public static var placeholder: TaskLabel {
    TaskLabel(
      key: Key(high: 0, low: 0), owner: .placeholder, name: "", color: "", created: .placeholder,
      updated: .placeholder, changed: 0)
  }

  /// The fields of the label.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("name", &name)
    try visitor.visit("color", &color)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
    try visitor.visit("deleted", &deleted)
    try visitor.visit("purged", &isPurged)
    try visitor.visit("changed", &changed, [.doc("the position of the last entry about it")])
  }
}
