import Avro

@testable import Daybook

// A minimal context, along the walks "Adding an event" and "Adding an entity" of `Docs/Extending.md`. It ends where
// the module begins: the enums `Event` and `EntityKind` do not know plants.

/// A plant was added.
struct PlantAdded: EventRecord {
  var key: Key = Key(high: 0, low: 0)
  var owner: Account.ID = .placeholder
  var name: String = ""

  static var recordName: String { "PlantAdded" }
  // `.new(.plant, key: key, owner: owner)` when plants are a kind.
  var subject: Subject { .account(owner) }
  static var placeholder: PlantAdded { PlantAdded() }

  mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("name", &name, [.personal])
  }
}

/// A plant was renamed.
struct PlantRenamed: EventRecord {
  var plant: Plant.ID = .placeholder
  var owner: Account.ID = .placeholder
  var name: String = ""

  static var recordName: String { "PlantRenamed" }
  // It follows from the changed plant when plants are in a table of the state.
  var subject: Subject { .account(owner) }
  var verb: String { "renamed" }
  static var placeholder: PlantRenamed { PlantRenamed() }

  mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("plant", &plant)
    try visitor.visit("owner", &owner)
    try visitor.visit("name", &name, [.personal])
  }
}

/// A plant was removed.
struct PlantRemoved: EventRecord {
  var plant: Plant.ID = .placeholder
  var owner: Account.ID = .placeholder

  static var recordName: String { "PlantRemoved" }
  var subject: Subject { .account(owner) }
  var verb: String { "removed" }
  static var placeholder: PlantRemoved { PlantRemoved() }

  mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("plant", &plant)
    try visitor.visit("owner", &owner)
  }
}

/// The toy's table of events, in place of `Event`.
enum PlantEvent: Hashable {
  case plantAdded(PlantAdded)
  case plantRenamed(PlantRenamed)
  case plantRemoved(PlantRemoved)
}
