public import Avro

// What keys name to the one on whose behalf a line is read.

extension RequestReader: EntityKeys {
  /// The number of the entity that a key names; what its ``viewer`` may not see is not there.
  ///
  /// - Throws: ``JSONFault`` when the key is none, or of nothing of that kind.
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

  /// What was found, unless the ``viewer`` may not see it.
  func seen<Thing: Entity>(_ number: EntityNumber<Thing>?) -> EntityNumber<Thing>? {
    guard let viewer, let number, let kind = EntityKind(of: Thing.self) else { return number }
    return state.hides(Aggregate(kind, number.number), from: viewer) ? nil : number
  }
}

extension BookState {
  /// Whether something is another's, or of a hive or household that somebody is not in. Accounts are no secret to who has
  /// their key, and who was erased is refused as such.
  fileprivate func hides(_ aggregate: Aggregate, from viewer: Account.ID) -> Bool {
    aggregate.kind != .account && accounts.isThere(viewer)
      && visibility(of: aggregate, for: viewer) == .nothing
  }
}
