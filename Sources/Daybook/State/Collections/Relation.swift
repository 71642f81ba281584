/// A relation between owners and what they own: an account and its tasks, a goal and its habits. A copy is O(1).
struct Relation<Owner: Entity, Thing: Entity>: Equatable, Sendable {
  /// The owner's number in the upper half of a word, the thing's in the lower.
  private(set) var pairs = SortedSet<UInt64>()

  mutating func insert(_ thing: EntityNumber<Thing>, of owner: EntityNumber<Owner>) {
    pairs.insert(Self.pair(owner, thing.number))
  }

  mutating func remove(_ thing: EntityNumber<Thing>, of owner: EntityNumber<Owner>) {
    pairs.remove(Self.pair(owner, thing.number))
  }

  /// Moves a thing from one owner to another, or to none.
  mutating func move(
    _ thing: EntityNumber<Thing>, from former: EntityNumber<Owner>?, to owner: EntityNumber<Owner>?
  ) {
    guard former != owner else { return }
    if let former { remove(thing, of: former) }
    if let owner { insert(thing, of: owner) }
  }

  /// The things of an owner, ascending.
  subscript(owner: EntityNumber<Owner>) -> [EntityNumber<Thing>] {
    var things: [EntityNumber<Thing>] = []
    visit(owner) {
      things.append($0)
      return true
    }
    return things
  }

  /// Visits the things of an owner, ascending, until `look` returns false.
  func visit(_ owner: EntityNumber<Owner>, _ look: (EntityNumber<Thing>) -> Bool) {
    guard !pairs.isEmpty else { return }
    pairs.visit(from: Self.pair(owner, 0)) { pair in
      guard pair &>> 32 == UInt64(UInt32(bitPattern: owner.number)) else { return false }
      return look(EntityNumber(unchecked: Int32(truncatingIfNeeded: pair)))
    }
  }

  /// Visits the things of an owner, descending, until `look` returns false.
  func visitBackwards(
    _ owner: EntityNumber<Owner>, _ look: (EntityNumber<Thing>) -> Bool
  ) {
    guard !pairs.isEmpty else { return }
    pairs.visit(before: Self.pair(owner, -1)) { pair in
      guard pair &>> 32 == UInt64(UInt32(bitPattern: owner.number)) else { return false }
      return look(EntityNumber(unchecked: Int32(truncatingIfNeeded: pair)))
    }
  }

  private static func pair(_ owner: EntityNumber<Owner>, _ thing: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: owner.number)) &<< 32 | UInt64(UInt32(bitPattern: thing))
  }
}
