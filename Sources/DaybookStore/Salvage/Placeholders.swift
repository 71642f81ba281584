import Daybook

/// Makes placeholders for entities whose creation is lost, so that the remaining entries about them
/// have a subject.
enum Placeholders {
  /// The event that creates a placeholder.
  ///
  /// - Parameters:
  ///   - reference: The entity.
  ///   - book: The damaged book's id: the same entity gets the same key in every salvage.
  ///   - owner: The entity's owner; accounts have none.
  ///   - household: The household that the entity belongs to, if there is one.
  ///   - at: When the entity is first referred to.
  /// - Returns: The event, the entity's key and its name; nil when an owner is needed and none is
  ///   known.
  static func creation(
    of reference: EntityReference, in book: String, owner: Account.ID?,
    household: Household.ID? = nil, at: Instant
  ) -> (event: Event, key: Key, name: String)? {
    let key = Key(
      derivedFrom: ["salvage", book, reference.kind.rawValue, String(reference.number)])
    let name = "Lost \(reference.kind.word) \(reference.number)"
    return reference.kind.creation(of: key, named: name, by: owner, in: household, at: at).map {
      (event: $0, key: key, name: name)
    }
  }
}
