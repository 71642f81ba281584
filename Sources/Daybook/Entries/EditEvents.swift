import Values
import Calendar

// To be deleted, and to be there again, is the same of most things, whatever they are.

/// What can be deleted, and come back as it was.
protocol Deletable: Entity {
  var isDeleted: Bool { get set }
  /// When it last changed.
  var updated: Instant { get set }
}

/// An event that deletes a thing, and leaves what is known of it.
protocol DeletionEvent: ChangeEvent where Changed: Deletable {}

extension DeletionEvent {
  func change(_ thing: inout Changed, _ head: EntryHead) {
    thing.isDeleted = true
    thing.updated = head.at
  }
}

/// An event after which a deleted thing is there again.
protocol RestorationEvent: ChangeEvent where Changed: Deletable {}

extension RestorationEvent {
  func change(_ thing: inout Changed, _ head: EntryHead) {
    thing.isDeleted = false
    thing.updated = head.at
  }
}

extension Goal: Deletable {}
extension GroceryList: Deletable {}
extension Habit: Deletable {}
extension Hive: Deletable {}
extension Household: Deletable {}
extension HouseholdItem: Deletable {}
extension HouseholdTask: Deletable {}
