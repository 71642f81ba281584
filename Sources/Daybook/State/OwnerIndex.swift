/// The entities of each account, by kind, deleted ones too: made from them, and updated with them.
struct OwnerIndex: Equatable, Sendable {
  /// The pairs of each kind's relation to the accounts.
  private var pairs = ContiguousArray(
    repeating: SortedSet<UInt64>(), count: EntityKind.allCases.count)

  /// The accounts and their entities of a type.
  subscript<Thing: StoredEntity>(_ type: Thing.Type) -> Relation<Account, Thing> {
    Relation(pairs: pairs[Thing.kind.index])
  }

  /// Moves an entity from one account to another, or to none.
  mutating func move<Thing: StoredEntity>(
    _ thing: EntityNumber<Thing>, from former: Account.ID?, to owner: Account.ID?
  ) {
    guard former != owner else { return }
    var relation = self[Thing.self]
    // If two places held the pairs, the change would copy them.
    pairs[Thing.kind.index] = SortedSet()
    relation.move(thing, from: former, to: owner)
    pairs[Thing.kind.index] = relation.pairs
  }
}
