import Values
public import Avro

extension EntityNumber {
  /// "a UUID".
  public static var jsonWords: String { Key.jsonWords }
  /// The entity's key; `entity` gives the kind.
  public static var jsonSchema: JSON {
    let kind = EntityKind(rawValue: Kind.entityName.description)
    return ["type": "string", "format": "uuid", "entity": .string(kind?.word ?? "")]
  }
  /// The first two entities.
  public static var examples: (EntityNumber, EntityNumber) { (first, EntityNumber(index: 1)) }
  /// Reads an entity's key.
  ///
  /// - Throws: ``JSONFault`` when it is not a key, or names no entity of the kind.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    self.init(unchecked: try keys.number(of: json, in: Kind.entityName))
  }
  /// The entity's key.
  public func json(_ keys: some EntityKeys) -> JSON { keys.key(of: number, in: Kind.entityName) }
}

extension BookState: EntityKeys {
  /// The number of the entity that a key names.
  ///
  /// - Throws: ``JSONFault`` when it is not a key, or names no entity of that kind.
  public func number(of key: JSON, in kind: StaticString) throws(JSONFault) -> Int32 {
    guard let key = key.text.flatMap({ Key($0) }) else { throw .form }
    guard let kind = EntityKind(rawValue: kind.description),
      let number = table(of: kind).entityNumber(of: key)
    else { throw .unknown(kind.description) }
    return number
  }

  /// The key of an entity; null when there is none.
  public func key(of number: Int32, in kind: StaticString) -> JSON {
    EntityKind(rawValue: kind.description)
      .flatMap { table(of: $0).entity(number) }
      .map { .string($0.key.description) } ?? .null
  }
}

extension Event: JSONForm {
  /// "an event such as {"HabitArchived":{…}}".
  public static var jsonWords: String { "an event such as {\"HabitArchived\":{…}}" }
  /// An object with one member, whose name is the event's.
  public static var jsonSchema: JSON {
    [
      "type": "object", "minProperties": 1, "maxProperties": 1,
      "properties": .object(types.map { .init($0.recordName, $0.jsonSchema) }),
      "additionalProperties": false,
    ]
  }
  /// Two events.
  public static var examples: (Event, Event) {
    (.habitArchived(HabitArchived.examples.0), .habitArchived(HabitArchived.examples.1))
  }
  /// Reads an event.
  ///
  /// - Throws: ``JSONFault``.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    guard let members = json.members, members.count == 1, let member = members.first,
      let branch = Self.types.firstIndex(where: { $0.recordName == member.name })
    else { throw .form }
    var writer = BinaryWriter()
    writer.put(Int64(branch))
    try Self.types[branch].init(json: member.value, keys).write(to: &writer)
    guard let event = try? Event(encoded: writer.bytes) else { throw .form }
    self = event
  }
  /// The event under its name.
  public func json(_ keys: some EntityKeys) -> JSON {
    let record = content.record
    return .object([.init(type(of: record).recordName, record.json(keys))])
  }
}
