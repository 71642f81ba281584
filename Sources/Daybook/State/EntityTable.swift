package import Values

/// A table of a state, of any kind of entity: the operations that callers outside the domain need for every kind.
package protocol EntityTable {
  /// The number of entities, deleted ones too.
  var count: Int { get }
  /// The number of the entity that a key names, if there is one.
  func entityNumber(of key: Key) -> Int32?
  /// The entity with a number, if there is one.
  func entity(_ number: Int32) -> (any Entity)?
}

extension Table: EntityTable {
  /// The number of entities, deleted ones too.
  public var count: Int { elements.count }

  /// The number of the entity that a key names, if there is one.
  package func entityNumber(of key: Key) -> Int32? { number(of: key)?.number }

  /// The entity with a number, if there is one.
  package func entity(_ number: Int32) -> (any Entity)? {
    EntityNumber<Element>(Int(number)).flatMap { self[$0] }
  }
}

extension BookState {
  /// The table of a kind.
  package func table(of kind: EntityKind) -> any EntityTable { kind.type.table(in: self) }

  /// The entity of an aggregate in this state, if it exists.
  package func entity(_ aggregate: Aggregate) -> (any Entity)? {
    table(of: aggregate.kind).entity(aggregate.number)
  }

  /// The owner of an aggregate; an account is its own.
  public func owner(of aggregate: Aggregate) -> Account.ID? {
    if aggregate.kind == .account { return Account.ID(Int(aggregate.number)) }
    return entity(aggregate)?.ownedBy
  }

  /// The owner of what an event changes or creates; nobody when an account is created.
  public func owner(of subject: Subject) -> Account.ID? {
    switch subject {
    case .aggregate(let aggregate): owner(of: aggregate)
    case .new(_, _, let owner): owner
    }
  }
}

extension StoredEntity {
  fileprivate static func table(in state: BookState) -> any EntityTable { state[keyPath: table] }
}
