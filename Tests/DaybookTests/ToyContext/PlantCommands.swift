@testable import Daybook

/// The reason why a command about plants is refused.
enum PlantRefusal: Error, Equatable {
  case nobodyActs, plantNotFound, emptyName
}

/// Adds a plant.
struct AddPlant {
  var key: Key?
  var name: String

  func decide(_ garden: Garden, _ context: Context) throws(PlantRefusal) -> [PlantEvent] {
    guard let actor = context.actor else { throw .nobodyActs }
    guard !name.isEmpty else { throw .emptyName }
    return [
      .plantAdded(PlantAdded(key: key ?? context.freshKey, owner: actor, name: name))
    ]
  }
}

/// Renames a plant.
struct RenamePlant {
  var plant: Plant.ID
  var name: String

  func decide(_ garden: Garden, _ context: Context) throws(PlantRefusal) -> [PlantEvent] {
    let (found, actor) = try garden.own(plant, context)
    guard !name.isEmpty else { throw .emptyName }
    return found.name == name
      ? [] : [.plantRenamed(PlantRenamed(plant: plant, owner: actor, name: name))]
  }
}

/// Removes a plant.
struct RemovePlant {
  var plant: Plant.ID

  func decide(_ garden: Garden, _ context: Context) throws(PlantRefusal) -> [PlantEvent] {
    let (_, actor) = try garden.own(plant, context)
    return [.plantRemoved(PlantRemoved(plant: plant, owner: actor))]
  }
}

extension Garden {
  fileprivate func own(
    _ number: Plant.ID, _ context: Context
  ) throws(PlantRefusal) -> (plant: Plant, actor: Account.ID) {
    guard let actor = context.actor else { throw .nobodyActs }
    guard let plant = plants[number], !plant.isDeleted, plant.owner == actor else {
      throw .plantNotFound
    }
    return (plant, actor)
  }
}
