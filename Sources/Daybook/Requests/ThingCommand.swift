import Values
import Avro

// Most commands are about one thing that is there. How it is named, who may change it, and what is refused before anything
// else is the same for all commands about a kind.

/// A kind of thing that commands change.
protocol ChangeableThing: StoredEntity {
  /// The column by which commands name one.
  static var column: StaticString { get }
  /// Visits that column.
  static func visit<V: ColumnVisitor>(
    _ number: inout EntityNumber<Self>, by visitor: inout V
  ) throws(V.Failure)
  /// One that is there, and that the one who asks may change.
  static func own(
    _ number: EntityNumber<Self>, in state: BookState, _ context: Context
  ) throws(Rejection) -> Self
}

extension ChangeableThing {
  static func visit<V: ColumnVisitor>(
    _ number: inout EntityNumber<Self>, by visitor: inout V
  ) throws(V.Failure) {
    try visitor.column(column, &number, [.needed])
  }
}

/// What is one person's, who alone changes it.
protocol PersonalThing: ChangeableThing {
  /// The refusal to change another's.
  static var notOwner: Rejection { get }
}

extension PersonalThing {
  static var notOwner: Rejection { .notOwner(of: kind) }

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
  /// A thing that is there, and that the one who asks may change.
  func own<Thing: ChangeableThing>(
    _ number: EntityNumber<Thing>, _ context: Context
  ) throws(Rejection) -> Thing {
    try Thing.own(number, in: self, context)
  }

  /// The thing to which the actor gave the key before; nothing when the key is new.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - table: Where things of its kind are.
  ///   - isSame: Whether a thing is what would be made now.
  /// - Returns: Its number.
  /// - Throws: ``Rejection/keyTaken(_:)`` when it names another thing, or a deleted one.
  func known<Thing: Entity>(
    _ key: Key, in table: Table<Thing>, _ isSame: (Thing) -> Bool
  ) throws(Rejection) -> EntityNumber<Thing>? {
    guard let number = table.number(of: key) else { return nil }
    guard let thing = table[number], !thing.isDeleted, isSame(thing) else { throw .keyTaken(key) }
    return number
  }
}

/// A command about one thing, which is refused where there is no such thing that the one who asks may change.
protocol ThingCommand: ColumnCommand where Answer == EntityNumber<Thing> {
  associatedtype Thing: ChangeableThing
  var thing: EntityNumber<Thing> { get set }
  /// What happens, the thing being as it is found.
  func events(
    _ found: Thing, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event]
}

extension ThingCommand {
  /// Decides the command; the answer is the thing's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<EntityNumber<Thing>> {
    Decision(try events(try state.own(thing, context), state, context), thing)
  }
}

/// A command that says of a thing which one it is, and no more.
protocol BareThingCommand: ThingCommand {
  init(_ thing: EntityNumber<Thing>)
}

extension BareThingCommand {
  /// About no thing yet.
  public static var defaults: Self { Self(.placeholder) }

  /// The thing's column.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Thing.visit(&thing, by: &visitor)
  }
}

/// A command about a household or a hive and somebody who is in it, or comes to it.
protocol MemberCommand: ThingCommand {
  /// What `member` names.
  static var memberColumn: EntityCodec<Account> { get }
  /// The person.
  var member: Account.ID { get set }
}

extension MemberCommand {
  /// The thing's column, and `member`: an account.
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

/// A command that says what of something is to be otherwise.
package protocol ChangingCommand {
  /// Whether it says that of nothing.
  var isEmpty: Bool { get }
}

/// A command that changes some of what is written of a thing.
protocol PatchCommand: ThingCommand, ChangingCommand {
  associatedtype Content: Columns
  /// What changes.
  var patch: Patch<Content> { get set }
}

extension PatchCommand {
  /// Whether nothing is to be otherwise.
  package var isEmpty: Bool { patch.isEmpty }

  /// The thing's column, and what changes.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Thing.visit(&thing, by: &visitor)
    try visitor.columns(&patch)
  }
}
