package import Avro
package import Daybook

/// Writes entries as JSON, with keys instead of numbers.
struct EntryTranscriber {
  private static let transcoder = SchemaTranscoder(Event.schema)
  private var bytes = BinaryWriter()

  mutating func json(
    of entry: Entry, _ names: some EntityNames
  ) throws(TranscodingError) -> JSON {
    bytes.removeAll()
    entry.event.write(to: &bytes)
    let union = try Self.transcoder.json(encoded: bytes.bytes, ExchangeFormat(names: names))
    guard let event = union.members?.first else { throw TranscodingError("it has no event") }
    var actor = JSON.null
    if let number = entry.head.actor {
      actor = .string(try names.key(of: Int64(number.number), .account).description)
    }
    var members: [JSON.Member] = [
      .init("position", .number(entry.head.position)),
      .init("at", .string(entry.head.at.description)), .init("actor", actor),
    ]
    if let id = entry.head.key { members.append(.init("id", .string(id.description))) }
    if entry.head.step > 0 { members.append(.init("step", .number(Int64(entry.head.step)))) }
    members.append(.init("event", .string(event.name)))
    members.append(.init("data", event.value))
    return .object(members)
  }
}

/// Writes entries as lines of an export, one at a time, for consumers that follow a book.
package struct EntryLines: Sendable {
  /// The state after the entries so far.
  package private(set) var state: BookState

  /// Starts with a state. Entries up to its position use it as it is; later ones are applied to it.
  package init(knowing state: BookState) { self.state = state }

  /// The entry as a line of an export has it (``BookReader/export(as:until:_:)``).
  ///
  /// - Throws: ``ExchangeError/danglingNumber(position:reason:)``.
  package mutating func json(of entry: Entry) throws(ExchangeError) -> JSON {
    note(entry)
    var transcriber = EntryTranscriber()
    do throws(TranscodingError) {
      return try transcriber.json(of: entry, StateKeys(state: state))
    } catch {
      throw .danglingNumber(position: entry.head.position, reason: error.description)
    }
  }

  /// Applies an entry to the state, unless the state already has it.
  package mutating func note(_ entry: Entry) {
    if entry.head.position > state.position { state.apply(entry) }
  }
}

/// The keys of a state's entities, deleted ones too.
struct StateKeys: EntityNames {
  let state: BookState

  func key(of number: Int64, _ kind: EntityKind) throws(TranscodingError) -> Key {
    guard let key = state.table(of: kind).entity(Int32(clamping: number))?.key else {
      throw TranscodingError("no \(kind.word) has the number \(number)")
    }
    return key
  }

  func number(of key: Key, _ kind: EntityKind) throws(TranscodingError) -> Int32 {
    throw TranscodingError("there is no \(kind.word) \(key)")
  }
}
