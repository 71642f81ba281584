import Avro
import Daybook

/// An entity as an event refers to it: the n-th of its kind that was created in the book.
struct EntityReference: Hashable {
  var kind: EntityKind
  var number: Int
}

extension Entry {
  private static let transcoder = SchemaTranscoder(Event.schema)

  /// The entities that the entry refers to: the actor, then what it is about.
  ///
  /// The schema's logical types mark them, so no kind of event is missed.
  var references: [EntityReference] {
    var references: [EntityReference] = []
    if let actor = head.actor { references.append(.init(kind: .account, number: actor.index + 1)) }
    if case .habitLogged(let logged) = event {
      references.append(.init(kind: .habit, number: logged.habit.index + 1))
    } else {
      let numbers = Numbers { references.append($0) }
      _ = try? Self.transcoder.json(encoded: event.encoded, numbers)
    }
    return references
  }

  /// The same entry with other entity numbers.
  func renumbered(_ number: @escaping (EntityReference) -> Int) -> Entry {
    var entry = self
    if let actor = head.actor {
      entry.head.actor = Account.ID(number(.init(kind: .account, number: actor.index + 1)))
    }
    if case .habitLogged(var logged) = event {
      let habit = number(.init(kind: .habit, number: logged.habit.index + 1))
      logged.habit = Habit.ID(habit) ?? logged.habit
      entry.event = .habitLogged(logged)
      return entry
    }
    let numbers = Numbers(change: number)
    if let json = try? Self.transcoder.json(encoded: event.encoded, numbers),
      let bytes = try? Self.transcoder.encode(json, Numbers { _ in }),
      let event = try? Event(encoded: bytes)
    {
      entry.event = event
    }
    return entry
  }

  /// Reads and replaces the numbers of entities, and leaves everything else alone.
  private struct Numbers: LogicalFormat {
    let change: (EntityReference) -> Int

    init(change: @escaping (EntityReference) -> Int) { self.change = change }

    init(visit: @escaping (EntityReference) -> Void) {
      change = { reference in
        visit(reference)
        return reference.number
      }
    }

    func json(of number: Int64, as logicalType: String) -> JSON? {
      guard let kind = EntityKind(rawValue: logicalType) else { return nil }
      return .number(Int64(change(EntityReference(kind: kind, number: Int(number)))))
    }

    func json(of bytes: [UInt8], as logicalType: String) -> JSON? { nil }
    func number(of json: JSON, as logicalType: String) -> Int64? { nil }
    func bytes(of json: JSON, as logicalType: String) -> [UInt8]? { nil }
  }
}
