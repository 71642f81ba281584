public import Avro

// What keys name for the account on whose behalf a line is read.

extension RequestReader: EntityKeys {
  /// The number of the entity that a key names; an entity that the ``viewer`` may not see does not exist.
  ///
  /// - Throws: ``JSONFault`` when it is not a key, or names no entity of that kind.
  public func number(of key: JSON, in kind: StaticString) throws(JSONFault) -> Int32 {
    let number = try state.number(of: key, in: kind)
    if let viewer, let named = EntityKind(rawValue: kind.description),
      state.hides(Aggregate(named, number), from: viewer)
    {
      throw .unknown(kind.description)
    }
    return number
  }

  /// The key of an entity; null when there is none.
  public func key(of number: Int32, in kind: StaticString) -> JSON {
    state.key(of: number, in: kind)
  }

  /// The entity that was found, unless the ``viewer`` may not see it.
  func seen<Thing: Entity>(_ number: EntityNumber<Thing>?) -> EntityNumber<Thing>? {
    guard let viewer, let number, let kind = EntityKind(of: Thing.self) else { return number }
    return state.hides(Aggregate(kind, number.number), from: viewer) ? nil : number
  }
}

extension BookState {
  /// Whether an aggregate is another person's, or belongs to a hive or household that the viewer is not in. An account
  /// is no secret to those who have its key, and an erased account has a rejection of its own.
  fileprivate func hides(_ aggregate: Aggregate, from viewer: Account.ID) -> Bool {
    aggregate.kind != .account && accounts.isThere(viewer)
      && visibility(of: aggregate, for: viewer) == .nothing
  }
}
