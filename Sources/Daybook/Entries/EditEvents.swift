import Avro
import Values
import Calendar

// Most entities are edited, deleted and restored in the same way, whatever they are.

/// An entity that knows when it last changed.
protocol Dated: Entity {
  var updated: Instant { get set }
}

/// An entity that can be deleted, and restored as it was.
protocol Deletable: Dated {
  var isDeleted: Bool { get set }
}

/// An event that replaces part of an entity, whatever the old value was, and updates the time of its last change.
protocol EditEvent: ChangeEvent where Changed: Dated {
  /// Replaces the part.
  func edit(_ thing: inout Changed)
}

extension EditEvent {
  func change(_ thing: inout Changed, _ head: EntryHead) {
    edit(&thing)
    thing.updated = head.at
  }
}

/// An event that deletes an entity; its content stays known.
protocol DeletionEvent: EditEvent where Changed: Deletable {}

extension DeletionEvent {
  func edit(_ thing: inout Changed) { thing.isDeleted = true }
}

/// An event that restores a deleted entity.
protocol RestorationEvent: EditEvent where Changed: Deletable {}

extension RestorationEvent {
  func edit(_ thing: inout Changed) { thing.isDeleted = false }
}

extension RestorationEvent where Changed: StoredEntity {
  static var deletedKind: EntityKind? { Changed.kind }
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

extension Account: Dated {}
extension CalendarEvent: Dated {}
extension Goal: Deletable {}
extension GroceryList: Deletable {}
extension Habit: Deletable {}
extension Hive: Deletable {}
extension Household: Deletable {}
extension HouseholdItem: Deletable {}
extension HouseholdTask: Deletable {}
