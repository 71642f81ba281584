import Avro

@testable import Daybook

/// The walk "Adding an event" of `Docs/Extending.md`: what a record lacks to be an event, step by step.
enum EventWalk {
  /// The name of a type on disk, which stays when the code's word changes.
  private static func nameInFile(_ type: String) -> String {
    let former = [("HouseholdTask", "Chore"), ("PantryStaple", "Staple")]
    guard let (word, name) = former.first(where: { type.hasPrefix($0.0) }) else { return type }
    return name + type.dropFirst(word.count)
  }

  /// A sentence for each omitted step; none for a book's event.
  static func missing<Record: EventRecord>(_ type: Record.Type) -> [String] {
    var missing: [String] = []
    if Record.recordName != nameInFile("\(type)") {
      missing.append(
        "\(type) is called \(Record.recordName) in the file: let recordName say its name.")
    }
    if (try? Record(encoded: Record.placeholder.encoded)) != Record.placeholder {
      missing.append(
        "\(type) does not come back from its bytes: let visitFields visit every field.")
    }
    if let fields = Record.schema.record?.fields,
      fields.count < Mirror(reflecting: Record.placeholder).children.count
    {
      missing.append("\(type) has a field that is not kept: let visitFields visit every field.")
    }
    if !(type is any CreationEvent.Type), !(type is any ChangeEvent.Type),
      !foundByIndex.contains("\(type)")
    {
      missing.append(
        "\(type) neither begins nor changes one thing: let it be a CreationEvent or a ChangeEvent.")
    }
    guard let branch = Event.types.firstIndex(where: { $0 == type }) else {
      return missing + [
        "\(type) is not an event: put it at the end of the enum Event, and \(remedy)."
      ]
    }
    if case .new(let kind, _, _) = Record.placeholder.subject {
      let isByMembers = kind.type is any HouseholdEntity.Type
      if isByMembers != (Record.placeholder.home != nil) {
        missing.append("\(type) creates a \(kind.word): let home say in which household, if any.")
      }
      if (type as? any CreationEvent.Type).map({ kindCreated(by: $0) != kind }) ?? true {
        missing.append("\(type) says that it creates a \(kind.word), and creates something else.")
      }
      if EntityKind.createdByTypes[branch] != kind {
        missing.append("\(type) creates a \(kind.word), and EntityKind.createdByTypes has none.")
      }
    }
    return missing
  }

  /// Events about a line of a grocery list, which is looked up in an index, not in its list.
  private static let foundByIndex: Set = ["GroceryItemDescribed", "GroceryItemMarked"]

  private static func kindCreated<Record: CreationEvent>(by _: Record.Type) -> EntityKind? {
    (Record.Created.self as? any StoredEntity.Type)?.kind
  }

  static let remedy = "run python3 Tests/Generated/generate_event_lists.py"
}

extension Schema {
  fileprivate var record: Record? {
    if case .record(let record) = self { record } else { nil }
  }
}
