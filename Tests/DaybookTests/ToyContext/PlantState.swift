import Avro

@testable import Daybook

/// A plant that somebody waters.
struct Plant: Entity, Hashable {
  typealias ID = EntityNumber<Plant>
  static var entityName: StaticString { "plant-number" }

  var key: Key
  var owner: Account.ID
  var name: String
  var updated: Instant
  var isDeleted = false

  var displayName: String { name }
  var ownedBy: Account.ID? { owner }
}

/// What holds of plants, in the place of `BookState`.
struct Garden {
  var plants = Table<Plant>()

  mutating func apply(_ event: PlantEvent, _ head: EntryHead) {
    switch event {
    case .plantAdded(let event): apply(event, head)
    case .plantRenamed(let event): apply(event, head)
    case .plantRemoved(let event): apply(event, head)
    }
  }

  private mutating func apply(_ event: PlantAdded, _ head: EntryHead) {
    plants.append(Plant(key: event.key, owner: event.owner, name: event.name, updated: head.at))
  }

  private mutating func apply(_ event: PlantRenamed, _ head: EntryHead) {
    plants.update(event.plant) { ($0.name, $0.updated) = (event.name, head.at) }
  }

  private mutating func apply(_ event: PlantRemoved, _ head: EntryHead) {
    plants.update(event.plant) { ($0.isDeleted, $0.updated) = (true, head.at) }
  }
}
