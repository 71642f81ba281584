import Values
import Avro

// Most commands are about one existing entity. Naming it, checking who may change it, and the first checks are the same
// for all commands about a kind.

/// A kind of entity that commands change.
protocol ChangeableEntity: StoredEntity {
  /// The column by which commands name an entity.
  static var column: StaticString { get }
  /// The field by which events name it.
  static var field: StaticString { get }
  /// Visits that column.
  static func visit<V: ColumnVisitor>(
    _ number: inout EntityNumber<Self>, by visitor: inout V
  ) throws(V.Failure)
  /// An existing entity that the actor may change.
  static func own(
    _ number: EntityNumber<Self>, in state: BookState, _ context: Context
  ) throws(Rejection) -> Self
}

extension ChangeableEntity {
  static var field: StaticString { column }

  static func visit<V: ColumnVisitor>(
    _ number: inout EntityNumber<Self>, by visitor: inout V
  ) throws(V.Failure) {
    try visitor.column(column, &number, [.needed])
  }
}

/// An entity of one person, who alone may change it.
protocol PersonalEntity: ChangeableEntity {
  /// The rejection for changing another person's entity.
  static var notOwner: Rejection { get }
}

extension PersonalEntity {
  static var notOwner: Rejection { .notOwner(of: kind) }

  /// Only the owner's entities are looked for, unless the kind has keys of its own.
  func indexKeys(_ number: EntityNumber<Self>) -> Account.ID? { ownedBy }

  static func reindex(
    _ number: EntityNumber<Self>, from former: Account.ID??, to keys: Account.ID??,
    in state: inout BookState
  ) {
    state.indexes.owned.move(number, from: former ?? nil, to: keys ?? nil)
  }

  static func own(
    _ number: EntityNumber<Self>, in state: BookState, _ context: Context
  ) throws(Rejection) -> Self {
    let (actor, _) = try state.actor(context)
    guard let thing = state[keyPath: table][number], !thing.isDeleted else { throw kind.notFound }
    guard thing.ownedBy == actor else { throw notOwner }
    return thing
  }
}

extension BookState {
  /// An existing entity that the actor may change.
  func own<Thing: ChangeableEntity>(
    _ number: EntityNumber<Thing>, _ context: Context
  ) throws(Rejection) -> Thing {
    try Thing.own(number, in: self, context)
  }

  /// The entity that the actor created earlier under a key; nothing when the key is new.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - table: The table of its kind.
  ///   - isSame: Whether an entity equals the one that would be created now.
  /// - Returns: Its number.
  /// - Throws: ``Rejection/keyTaken(_:)`` when it names another entity, or a deleted one.
  func known<Thing: Entity>(
    _ key: Key, in table: Table<Thing>, _ isSame: (Thing) -> Bool
  ) throws(Rejection) -> EntityNumber<Thing>? {
    guard let number = table.number(of: key) else { return nil }
    guard let thing = table[number], !thing.isDeleted, isSame(thing) else { throw .keyTaken(key) }
    return number
  }
}

/// A command about one entity, which is refused unless the entity exists and the actor may change it.
protocol EntityCommand: ColumnCommand where Answer == EntityNumber<Thing> {
  associatedtype Thing: ChangeableEntity
  var thing: EntityNumber<Thing> { get set }
  /// The events, given the current state of the entity.
  func events(
    _ found: Thing, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event]
}

extension EntityCommand {
  /// Decides the command; the answer is the entity's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<EntityNumber<Thing>> {
    Decision(try events(try state.own(thing, context), state, context), thing)
  }
}

/// A command that consists of the name of an entity.
protocol BareEntityCommand: EntityCommand {
  init(_ thing: EntityNumber<Thing>)
}

extension BareEntityCommand {
  /// The defaults; no entity is named yet.
  public static var defaults: Self { Self(.placeholder) }

  /// The entity's column.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Thing.visit(&thing, by: &visitor)
  }
}

/// A command about a household or a hive and a present or future member.
protocol MemberCommand: EntityCommand {
  /// The codec of `member`.
  static var memberColumn: EntityCodec<Account> { get }
  /// The person.
  var member: Account.ID { get set }
}

extension MemberCommand {
  /// The entity's column, and `member`: an account.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Thing.visit(&thing, by: &visitor)
    try visitor.columns(Self.memberColumn, &member)
  }
}

extension MemberCommand where Thing == Household {
  static var memberColumn: EntityCodec<Account> {
    EntityCodec("member", orElse: .personNotFound, "an account")
  }
}

extension MemberCommand where Thing == Hive {
  static var memberColumn: EntityCodec<Account> {
    EntityCodec("member", orElse: .hiveMemberNotFound)
  }
}

/// A command that holds changes of an entity.
package protocol ChangingCommand {
  /// Whether it changes nothing.
  var isEmpty: Bool { get }
}

/// A command that changes part of an entity's content.
protocol PatchCommand: EntityCommand, ChangingCommand {
  associatedtype Content: Columns
  /// The changes.
  var patch: Patch<Content> { get set }
}

extension PatchCommand {
  /// Whether the command changes nothing.
  package var isEmpty: Bool { patch.isEmpty }

  /// The entity's column, and the columns that change.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Thing.visit(&thing, by: &visitor)
    try visitor.columns(&patch)
  }
}
