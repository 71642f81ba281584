/// Something that a household keeps at home (MC-9): a list says to look for it, or takes off what there is.
public struct Staple: Entity, Hashable {
  /// The number of a staple in its book.
  public typealias ID = EntityNumber<Staple>
  /// "staple-number".
  @inlinable
  public static var entityName: StaticString { "staple-number" }

  /// The client's name for it.
  public internal(set) var key: Key
  /// The household.
  public internal(set) var household: Household.ID
  /// Who wrote it down.
  public internal(set) var creator: Account.ID
  /// What is kept.
  public internal(set) var content: StapleContent
  /// When it was created.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant
  /// Whether it is kept no more.
  public internal(set) var isDeleted = false

  /// What people call it.
  public var calledName: String { content.name }
  /// Who wrote it down; it is the household's.
  public var ownedBy: Account.ID? { creator }
  /// The household, whose members see and change it.
  public var home: Household.ID? { household }
}

extension State {
  /// What a household keeps at home, by name, as a member sees it; nothing for others.
  public func staples(
    of household: Household.ID, for viewer: Account.ID
  ) -> [(number: Staple.ID, staple: Staple)] {
    guard self.household(household, for: viewer) != nil else { return [] }
    return belongings(.staple, in: staples, of: household)
      .map { ($0.number, $0.thing) }
      .sorted {
        ($0.1.content.name.foldedName, $0.1.key) < ($1.1.content.name.foldedName, $1.1.key)
      }
  }

  mutating func apply(_ event: StapleAdded, at instant: Instant) {
    householdIndex.note(staples.nextNumber, .staple, of: event.household)
    staples.append(
      Staple(
        key: event.key, household: event.household, creator: event.owner, content: event.content,
        created: instant, updated: instant),
      key: event.key)
  }

  mutating func apply(_ event: StapleDescribed, at instant: Instant) {
    staples.update(event.staple) { staple in
      staple.content = event.content
      staple.updated = instant
    }
  }

  mutating func apply(_ event: StapleRemoved, at instant: Instant) {
    staples.update(event.staple) { staple in
      staple.isDeleted = true
      staple.updated = instant
    }
  }
}
