import Values
import Calendar
import Avro

/// The key of a table's row: `key`, or `id`, which is its name in the tables. Beside a `key`, `id` is the idempotency
/// key.
struct RowKeyCodec: ColumnCodec {
  /// The word for the row: "task".
  let noun: String

  var columns: [Column] {
    var key = Column("key", Key?.self, "the \(noun)'s key; this or `id` is needed")
    key.orElse = "id"
    return [
      key,
      Column("id", Key?.self, "the \(noun)'s key, as in rows; beside `key`, the idempotency key"),
    ]
  }
  var examples: (Key, Key) { Key.examples }

  func read(_ reader: inout RequestReader) throws -> Key? {
    if let key = try reader.optionalKey("key") { return key }
    guard let key = try reader.optionalKey("id") else { throw Rejection.missingField("id") }
    return key
  }

  func members(of value: Key, in state: BookState) -> [JSON.Member] {
    [.init("key", value.json(state))]
  }
}

/// A time in a row. A time without a zone is UTC, as some clients write it.
struct RowInstantCodec: ColumnCodec {
  private let name: String
  private let doc: String

  init(_ name: String, _ doc: String = "") { (self.name, self.doc) = (name, doc) }

  var columns: [Column] {
    var column = Column(name, Instant?.self, doc)
    column.schema = [
      "anyOf": [
        Instant?.jsonSchema,
        [
          "type": "string",
          "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?$",
        ],
      ]
    ]
    return [column]
  }
  var examples: (Instant?, Instant?) { Instant?.examples }

  func read(_ reader: inout RequestReader) throws -> Instant?? {
    guard let json = reader.value(name) else { return nil }
    if let text = json.text, let instant = Instant(text + "Z") { return .some(instant) }
    return .some(try reader.decode(json, name) as Instant?)
  }

  func members(of value: Instant?, in state: BookState) -> [JSON.Member] {
    [.init(name, value.json(state))]
  }
}

/// The timestamps of a row: when it was deleted, if it was. The book itself knows when the row was created and changed,
/// and ignores any value the row gives for that.
struct RowStampsCodec: ColumnCodec {
  private let deleted = RowInstantCodec("deleted_at", "set if it is deleted")
  private let unused: [String]

  /// Reads a row and ignores some of its times.
  init(unused: [String] = ["created_at", "updated_at"]) { self.unused = unused }

  var columns: [Column] {
    deleted.columns
      + unused.map { name -> Column in
        var column = Column(name, Instant?.self, "ignored: the book's own value counts")
        column.schema = [:]
        return column
      }
  }
  var examples: (Instant?, Instant?) { deleted.examples }

  func read(_ reader: inout RequestReader) throws -> Instant?? {
    let instant = try deleted.read(&reader)
    for name in unused { _ = reader.value(name) }
    return instant
  }

  func members(of value: Instant?, in state: BookState) -> [JSON.Member] {
    deleted.members(of: value, in: state)
  }
}

/// The labels that a task loses: labels that do not exist are skipped.
struct LostLabelsCodec: ColumnCodec {
  private let name: String

  init(_ name: String) { self.name = name }

  var columns: [Column] {
    [Column(name, [Key]?.self, "the labels to remove; unknown ones are ignored")]
  }
  var examples: ([TaskLabel.ID], [TaskLabel.ID]) { [TaskLabel.ID].examples }

  func read(_ reader: inout RequestReader) throws -> [TaskLabel.ID]? {
    guard let json = reader.value(name), json != .null else { return nil }
    let keys: [Key] = try reader.decode(json, name)
    return keys.compactMap { reader.seen(reader.state.labels.number(of: $0)) }
  }

  func members(of value: [TaskLabel.ID], in state: BookState) -> [JSON.Member] {
    [.init(name, value.json(state))]
  }
}
