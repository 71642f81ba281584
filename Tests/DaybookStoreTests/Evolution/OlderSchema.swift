import Avro
import Daybook
import Journal

/// A made-up older Daybook: its schema of entries, and entries as it would have written them.
///
/// Its entries have no step. It has no event `HabitDetached` and no theme `night`. Its skips have no note, and its new
/// habits no reminders. Its descriptions of habits have a `sort_order` that nothing reads any more. In its logs the day
/// comes before the habit, and the value is an `int`.
enum OlderSchema {
  static let json = older(Entry.schema.json)

  private static func older(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements):
      return .array(elements.filter { $0["name"] != "HabitDetached" }.map(older))
    case .object(let members):
      let members = members.map { JSON.Member($0.name, older($0.value)) }
      return change(.object(members))
    default: return json
    }
  }

  private static func change(_ json: JSON) -> JSON {
    switch json["name"]?.text {
    case "Entry": return json.fields { $0.filter { $0["name"] != "step" } }
    case "Theme": return json.setting("symbols", ["honey", "mint"]).setting("default", nil)
    case "HabitDaySkipped": return json.fields { $0.filter { $0["name"] != "note" } }
    case "HabitCreated": return json.fields { $0.filter { $0["name"] != "reminders" } }
    case "HabitDescription":
      return json.fields { [["name": "sort_order", "type": "long"]] + $0 }
    case "HabitLogged":
      return json.fields { fields in
        let fields = fields.map { field in
          field["name"] == "value" ? ["name": "value", "type": "int"] : field
        }
        return [fields[1], fields[0]] + fields[2...]
      }
    default: return json
    }
  }

  private static let today = SchemaTranscoder(Entry.schema)

  /// The entry's bytes in the older schema.
  ///
  /// - Throws: ``TranscodingError`` when the older schema lacks its type.
  static func encode(_ entry: Entry, with older: SchemaTranscoder) throws(TranscodingError)
    -> [UInt8]
  {
    let json = try today.json(encoded: entry.encoded, PlainFields())
    return try older.encode(outdated(json), PlainFields())
  }

  /// Removes empty fields that were unknown, and adds fields that nothing reads any more.
  private static func outdated(_ json: JSON) -> JSON {
    guard let members = json.members else { return json }
    let isDescription = json["question"] != nil
    let kept = members.filter { member in
      let isSkip = json["day"] != nil && json["value"] == nil
      return member.name != "step"
        && !(member.name == "reminders" && member.value == [] && json["schedule"] != nil)
        && !(member.name == "note" && member.value == .null && isSkip)
    }
    let old = kept.map { JSON.Member($0.name, outdated($0.value)) }
    return .object((isDescription ? [.init("sort_order", 42)] : []) + old)
  }

  /// Creates a book in a schema with some entries, `count` to a commit.
  static func write(
    _ entries: [[UInt8]], schemaText: String, commit count: Int = 3, to journal: Journal
  ) throws {
    if try !journal.exists() {
      try journal.create(
        book: "0e3c2b9e-0000-4000-8000-000000000001", schemaText: schemaText)
    }
    let lock = try JournalWriter.takeLock(of: journal)
    let end = try journal.readBlocks { _, _ in true }
    let writer = try JournalWriter(journal, after: end, lock: lock, schemaText: schemaText)
    var rest = entries[...]
    while !rest.isEmpty {
      let commit = rest.prefix(count)
      try writer.append(count: commit.count, entries: Array(commit.joined()))
      rest = rest.dropFirst(commit.count)
    }
  }
}

extension Entry {
  /// The entry as it reads back from the older schema.
  var withoutStep: Entry {
    var entry = self
    entry.head.step = 0
    return entry
  }
}

/// Plain types only.
struct PlainFields: LogicalFormat {
  func json(of number: Int64, as logicalType: String) -> JSON? { nil }
  func json(of bytes: [UInt8], as logicalType: String) -> JSON? { nil }
  func number(of json: JSON, as logicalType: String) -> Int64? { nil }
  func bytes(of json: JSON, as logicalType: String) -> [UInt8]? { nil }
}

extension JSON {
  /// The object with a member set or removed.
  func setting(_ name: String, _ value: JSON?) -> JSON {
    var members = (members ?? []).filter { $0.name != name }
    if let value { members.append(.init(name, value)) }
    return .object(members)
  }

  /// The record with other fields.
  func fields(_ change: ([JSON]) -> [JSON]) -> JSON {
    setting("fields", .array(change(self["fields"]?.elements ?? [])))
  }
}
