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

/// The state of plants, in place of `BookState`.
struct Garden {
  var plants = Table<Plant>()

  mutating func apply(_ event: PlantEvent, _ head: EntryHead) {
    switch event {
    case .plantAdded(let event): apply(event, head)
    case .plantRenamed(let event): apply(event, head)
    case .plantRemoved(let event): apply(event, head)
    }
  }

  private mutating func apply<Record: CreationEvent>(
    _ event: Record, _ head: EntryHead
  ) where Record.Created == Plant {
    plants.append(event.created(head))
  }

  private mutating func apply<Record: ChangeEvent>(
    _ event: Record, _ head: EntryHead
  ) where Record.Changed == Plant {
    plants.update(event.changed) { event.change(&$0, head) }
  }
}

extension PlantAdded: CreationEvent {
  func created(_ head: EntryHead) -> Plant {
    Plant(key: key, owner: owner, name: name, updated: head.at)
  }
}

extension PlantRenamed: ChangeEvent {
  var changed: Plant.ID { plant }
  func change(_ plant: inout Plant, _ head: EntryHead) {
    (plant.name, plant.updated) = (name, head.at)
  }
}

extension PlantRemoved: ChangeEvent {
  var changed: Plant.ID { plant }
  func change(_ plant: inout Plant, _ head: EntryHead) {
    (plant.isDeleted, plant.updated) = (true, head.at)
  }
}
