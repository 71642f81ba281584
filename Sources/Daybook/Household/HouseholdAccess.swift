import Values
import Calendar
import Avro

// Access to what belongs to a household: its current members, and nobody else (MC-11). Every command, query and check
// uses these functions; for past states, current membership counts.

/// The present state of a book, kept beside a past one.
final class PresentState: Sendable {
  let state: BookState

  init(_ state: BookState) { self.state = state }
}

extension BookState {
  /// The state as current members see it: its content is that of its moment, but the members are the present ones.
  /// People who have left since see nothing of a household; people who have joined since see its past.
  ///
  /// - Parameter present: The present state of the same book.
  /// - Returns: The state, in which only access differs.
  public func seen(from present: BookState) -> BookState {
    var seen = self
    seen.present = PresentState(present)
    return seen
  }

  /// The households that an account is a member of, in the order of their creation.
  public func households(of account: Account.ID) -> [Household.ID] {
    households(of: account, most: .max)
  }

  /// The first few households that an account is a member of, in the order of their creation.
  func households(of account: Account.ID, most count: Int) -> [Household.ID] {
    var own: [Household.ID] = []
    (present?.state ?? self).indexes.households.visitHouseholds(of: account) { number in
      if household(number, for: account) != nil { own.append(number) }
      return own.count < count
    }
    return own
  }

  /// A household as a viewer sees it: nothing unless it exists and they are a member, so that other people's households
  /// look as if they did not exist.
  public func household(_ number: Household.ID, for viewer: Account.ID) -> Household? {
    guard let household = households[number], !household.isDeleted, isMember(viewer, of: number)
    else { return nil }
    return household
  }

  /// Whether an account is a member of a household; for a deleted one, whether it was until the end.
  ///
  /// An erased account is a member of no household, whatever the record of a deleted one says.
  public func isMember(_ account: Account.ID, of household: Household.ID) -> Bool {
    let now = present?.state ?? self
    return now.households[household]?.hasMember(account) == true
      && now.accounts[account]?.isErased != true
  }

  /// An account that views this state: as it was then, or as it is now when it did not exist yet.
  public func viewer(_ number: Account.ID) -> Account? {
    accounts[number] ?? present?.state.accounts[number]
  }

  /// The state in which viewers are looked up: the present one, if there is one.
  package var people: BookState { present?.state ?? self }

  /// The household that an aggregate is or belongs to, if any.
  public func household(of aggregate: Aggregate) -> Household.ID? {
    if aggregate.kind == .household { return Household.ID(Int(aggregate.number)) }
    return entity(aggregate)?.home
  }

  /// The household that an event changes, or in which it changes or creates something. None when it creates a
  /// household, or concerns none.
  public func household(of event: Event) -> Household.ID? {
    let record = event.content.record
    guard let aggregate = record.subject.aggregate else { return record.home }
    return household(of: aggregate)
  }

  /// A household's entities of a kind, in the order of creation; deleted entities are left out, and all of those of a
  /// deleted household.
  ///
  /// - Complexity: linear in the household's entities of the kind, whatever the size of the book.
  public func householdEntities<Thing: Entity>(
    _ kind: EntityKind, in table: Table<Thing>, of household: Household.ID
  ) -> [(number: EntityNumber<Thing>, thing: Thing)] {
    guard households[household]?.isDeleted == false else { return [] }
    return indexes.households.householdEntities(kind, of: household).compactMap { number in
      guard let number = EntityNumber<Thing>(Int(number)), let thing = table[number],
        !thing.isDeleted
      else { return nil }
      return (number, thing)
    }
  }

  /// A household and everything that ever belonged to it: the aggregates of its history.
  public func aggregates(of household: Household.ID) -> [Aggregate] {
    [.household(household)]
      + EntityKind.allCases.flatMap { kind in
        indexes.households.householdEntities(kind, of: household).map { Aggregate(kind, $0) }
      }
  }

  /// The entity that an event changed or created, as it is in this state.
  public func subject(of event: Event) -> (any Entity)? {
    switch event.subject {
    case .aggregate(let aggregate): return entity(aggregate)
    case .new(let kind, let key, _):
      let table = table(of: kind)
      return table.entityNumber(of: key).flatMap { table.entity($0) }
    }
  }

  /// The entities of a table that are shown: not deleted, and in a household that exists, if they belong to one. By
  /// key.
  func shown<Thing: Entity>(_ table: Table<Thing>) -> [Thing] {
    table.elements.filter { thing in
      !thing.isDeleted && thing.home.map { households[$0]?.isDeleted == false } ?? true
    }
    .sorted { $0.key < $1.key }
  }

  // MARK: Deciding

  /// A household in which the actor may act.
  func ownHousehold(
    _ number: Household.ID, _ context: Context
  ) throws(Rejection) -> (household: Household, actor: Account.ID) {
    let actor = try self.actor(context).0
    guard let household = household(number, for: actor) else { throw .householdNotFound }
    return (household, actor)
  }

  /// An entity of a household in which the actor may act.
  ///
  /// - Throws: `missing` also when it belongs to another household.
  func ownEntity<Thing: HouseholdEntity>(
    _ number: EntityNumber<Thing>, _ context: Context, missing: Rejection
  ) throws(Rejection) -> Thing {
    let actor = try self.actor(context).0
    guard let thing = self[keyPath: Thing.table][number], !thing.isDeleted, let home = thing.home,
      household(home, for: actor) != nil
    else { throw missing }
    return thing
  }

  /// The entity that the actor's household created earlier under a key, as in ``known(_:in:_:)``.
  func known<Thing: Entity>(
    _ key: Key, in table: Table<Thing>, of household: Household.ID, _ isSame: (Thing) -> Bool
  ) throws(Rejection) -> EntityNumber<Thing>? {
    try known(key, in: table) { $0.home == household && isSame($0) }
  }

  // MARK: Erasing

  /// Whether the texts of an aggregate are blanked when an account is erased: they are the account's own, or belong to
  /// a household whose last member not erased is this account.
  public func isErased(_ aggregate: Aggregate, with account: Account.ID) -> Bool {
    guard let number = household(of: aggregate) else { return owner(of: aggregate) == account }
    return households[number].map { isErased($0, with: account) } ?? false
  }

  /// Whether a household's texts are blanked when an account is erased.
  public func isErased(_ household: Household, with account: Account.ID) -> Bool {
    household.hasMember(account)
      && household.activeMembers.allSatisfy { member in
        member.account == account || accounts[member.account]?.isErased == true
      }
  }
}

extension HouseholdEntity {
  static func visit<V: ColumnVisitor>(
    _ number: inout EntityNumber<Self>, by visitor: inout V
  ) throws(V.Failure) {
    try visitor.columns(HouseholdEntityCodec(column.description), &number)
  }

  static func own(
    _ number: EntityNumber<Self>, in state: BookState, _ context: Context
  ) throws(Rejection) -> Self {
    try state.ownEntity(number, context, missing: kind.notFound)
  }
}

extension Household: ChangeableEntity {
  static var column: StaticString { "household" }

  static func visit<V: ColumnVisitor>(
    _ number: inout Household.ID, by visitor: inout V
  ) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &number)
  }

  static func own(
    _ number: Household.ID, in state: BookState, _ context: Context
  ) throws(Rejection) -> Household {
    try state.ownHousehold(number, context).household
  }
}

extension AvroRecord {
  /// The record without personal data, as an erasure leaves it in the journal.
  var erased: Self {
    do throws(AvroError) {
      return try Self(encoded: try PersonalEraser(Self.schema).erased(encoded[...]))
    } catch { return Self.placeholder }
  }
}

extension Entity {
  /// Most entities belong to no household.
  public var home: Household.ID? { nil }
}

extension EventRecord {
  /// Most events create nothing in a household.
  public var home: Household.ID? { nil }
}
