import Values
import Calendar

// To change, to be deleted, and to be there again, is the same of most things, whatever they are.

/// What says when it last changed.
protocol Dated: Entity {
  var updated: Instant { get set }
}

/// What can be deleted, and come back as it was.
protocol Deletable: Dated {
  var isDeleted: Bool { get set }
}

/// An event after which some of a thing is another, whatever it was; the thing last changed then.
protocol EditEvent: ChangeEvent where Changed: Dated {
  /// Makes it another.
  func edit(_ thing: inout Changed)
}

extension EditEvent {
  func change(_ thing: inout Changed, _ head: EntryHead) {
    edit(&thing)
    thing.updated = head.at
  }
}

/// An event that deletes a thing, and leaves what is known of it.
protocol DeletionEvent: EditEvent where Changed: Deletable {}

extension DeletionEvent {
  func edit(_ thing: inout Changed) { thing.isDeleted = true }
}

/// An event after which a deleted thing is there again.
protocol RestorationEvent: EditEvent where Changed: Deletable {}

extension RestorationEvent {
  func edit(_ thing: inout Changed) { thing.isDeleted = false }
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
