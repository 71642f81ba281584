package import Values
package import Calendar

/// An entity whose creation is lost in a damaged book. A salvage creates a placeholder for it, so that the remaining
/// entries about it have a subject.
struct LostEntity {
  let key: Key
  let name: String
  /// The owner. Nothing is asked of it when the entity is an account.
  let owner: Account.ID
  /// The household that the entity belongs to, if its kind belongs to households.
  let household: Household.ID
  /// When the entity is first referred to.
  let at: Instant
}

extension OwnedCreationEvent {
  /// The event that creates a placeholder, once `fill` has added what its kind has besides key and owner.
  init(of lost: LostEntity, _ fill: (inout Self) -> Void) {
    self.init()
    (key, owner) = (lost.key, lost.owner)
    fill(&self)
  }
}

extension EntityKind {
  /// The event that creates a placeholder for an entity whose creation is lost; nothing when it needs an owner or a
  /// household, and none is known.
  package func creation(
    of key: Key, named name: String, by owner: Account.ID?, in household: Household.ID?,
    at instant: Instant
  ) -> Event? {
    guard owner != nil || self == .account,
      household != nil || !(type is any HouseholdEntity.Type)
    else { return nil }
    return type.creation(
      of: LostEntity(
        key: key, name: name, owner: owner ?? .first, household: household ?? .first, at: instant))
  }
}

extension Event {
  /// The name of the entity that the event creates; nothing when it creates none.
  package var createdName: String? { (content.record as? any CreationEvent)?.createdName }
}

extension CreationEvent {
  fileprivate var createdName: String { created(EntryHead()).displayName }
}
