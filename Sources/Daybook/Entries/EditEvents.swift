import Avro
import Values
import Calendar

// Most entities are edited, deleted and restored in the same way, whatever they are.

/// An entity that knows when it last changed.
protocol Timestamped: Entity {
  var updated: Instant { get set }
}

/// An entity that can be deleted, and restored as it was.
protocol Deletable: Timestamped {
  var isDeleted: Bool { get set }
}

/// An event that replaces part of an entity, whatever the old value was, and updates the time of its last change.
protocol EditEvent: ChangeEvent where Changed: Timestamped {
  /// Replaces the part.
  func edit(_ thing: inout Changed)
}

extension EditEvent {
  var verb: String { "edited" }

  func change(_ thing: inout Changed, _ head: EntryHead) {
    edit(&thing)
    thing.updated = head.at
  }
}

/// An event that holds the whole of a part of an entity. So an undo can make it from an earlier state, and two states
/// agree in the part if their events are equal.
protocol SetEvent: ChangeEvent {
  /// Makes the event that gives an entity the part that `thing` has: the reverse of `change`.
  init(_ id: EntityNumber<Changed>, as thing: Changed)
}

extension SetEvent {
  /// Whether two states agree in the part.
  static func isSame(_ one: Changed, _ other: Changed) -> Bool {
    Self(.placeholder, as: one) == Self(.placeholder, as: other)
  }
}

/// An event whose first field is the number of its entity, under the name by which events name that kind.
protocol NumberedEvent: ChangeEvent where Changed: ChangeableEntity {
  typealias Number = WritableKeyPath<Self, EntityNumber<Changed>>
  /// The property of that field, for visits of fields. An event is applied by ``ChangeEvent/changed``, which needs no
  /// key path.
  static var number: Number { get }
}

/// An event that holds the number of its entity, and nothing else.
protocol BareEvent: NumberedEvent {}

extension BareEvent {
  init(_ id: EntityNumber<Changed>) {
    self.init()
    self[keyPath: Self.number] = id
  }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit(Changed.field, &self[keyPath: Self.number])
  }
}

/// An event that deletes an entity; its content stays known.
protocol DeletionEvent: EditEvent, SetEvent, BareEvent where Changed: Deletable {}

extension DeletionEvent {
  var verb: String { "deleted" }
  func edit(_ thing: inout Changed) { thing.isDeleted = true }
  init(_ id: EntityNumber<Changed>, as thing: Changed) { self.init(id) }
}

/// An event that restores a deleted entity.
protocol RestorationEvent: EditEvent, SetEvent, BareEvent where Changed: Deletable {}

extension RestorationEvent {
  var verb: String { "restored" }
  func edit(_ thing: inout Changed) { thing.isDeleted = false }
  init(_ id: EntityNumber<Changed>, as thing: Changed) { self.init(id) }
  static var deletedKind: EntityKind? { Changed.kind }

  func contradiction(in state: BookState) -> String? {
    let isDeleted = state[keyPath: Changed.table][changed]?.isDeleted == true
    return isDeleted ? nil : "the \(Changed.kind.word) was not deleted"
  }
}

extension EventRecord {
  static var deletedKind: EntityKind? { nil }
}

extension Event {
  /// The kind of entity to which an event may refer though it is deleted, by the event's name.
  package static let deletedKinds: [String: EntityKind] = Dictionary(
    uniqueKeysWithValues: types.compactMap { type in
      type.deletedKind.map { (type.recordName, $0) }
    })
}

extension Account: Timestamped {}
extension CalendarEvent: Timestamped {}
extension Goal: Deletable {}
extension GroceryList: Deletable {}
extension Habit: Deletable {}
extension Hive: Deletable {}
extension Household: Deletable {}
extension HouseholdItem: Deletable {}
extension HouseholdTask: Deletable {}
