public import Values
import Avro

/// The record of one type of event: a fact about one entity (design, "One action").
protocol EventRecord: AvroRecord, Hashable {
  /// The one entity that the event changes or creates.
  var subject: Subject { get }
  /// The household in which it creates something, if it does.
  var home: Household.ID? { get }
  /// How the event bears on the days of habits.
  var dayEffect: DayEffect { get }
  /// A field that is empty though only an erasure leaves it so; nothing when there is none.
  var emptyField: EmptyField? { get }
  /// The rows of its entity that the event may change.
  var rowScope: RowScope { get }
  /// The kind of entity to which the event may refer though it is deleted: it restores one, or purges one.
  static var deletedKind: EntityKind? { get }
  /// What happened to the entity, in a few words: "edited".
  var verb: String { get }
  /// Why nobody can undo the event, as a sentence without its beginning; nothing when it can be undone.
  var reasonNotToUndo: String? { get }
  /// Why nobody could have recorded the event in a state, as a sentence without its full stop; nothing when somebody
  /// could, or when the check needs more than the state.
  func contradiction(in state: BookState) -> String?
  /// Makes an event, its fields still empty.
  init()
}

extension EventRecord {
  public static var placeholder: Self { Self() }
  var reasonNotToUndo: String? { nil }
  func contradiction(in state: BookState) -> String? { nil }
}

// A log's placeholder is inlined where it is read: logs come by the million.
extension HabitLogged {
  init() { self = .placeholder }
}

/// An event that creates the next entity of its kind.
protocol CreationEvent: EventRecord {
  /// The type of entity that it creates.
  associatedtype Created: Entity

  /// The entity as it is after the event.
  func created(_ head: EntryHead) -> Created
}

extension CreationEvent {
  var verb: String { "created" }
}

/// An event that creates an entity for an owner, under a key.
protocol OwnedCreationEvent: CreationEvent where Created: StoredEntity {
  var key: Key { get set }
  var owner: Account.ID { get set }
}

extension OwnedCreationEvent {
  /// The entity that it creates.
  var subject: Subject { .new(Created.kind, key: key, owner: owner) }
}

/// An event that changes one existing entity. It is given nothing else, so it cannot change anything else.
protocol ChangeEvent: EventRecord {
  /// The type of entity that it changes.
  associatedtype Changed: Entity

  /// Whether the event may change a key by which an index finds the entity. Days, which are logged by the million, are
  /// in no index.
  static var mayMoveInIndexes: Bool { get }
  /// The number of the entity that it changes.
  var changed: EntityNumber<Changed> { get }

  /// Changes the entity, in whatever state it is: an entry may have been forged.
  func change(_ entity: inout Changed, _ head: EntryHead)
}

extension ChangeEvent {
  static var mayMoveInIndexes: Bool { true }
}

extension ChangeEvent where Changed: StoredEntity {
  /// The subject of the event.
  var subject: Subject { .aggregate(Aggregate(changed)) }
}

/// The one entity that an event is about.
public enum Subject: Hashable, Sendable {
  /// An existing entity, which the event changes.
  case aggregate(Aggregate)
  /// The next entity of its kind, which the event creates under a key for its owner (an account has none).
  case new(EntityKind, key: Key, owner: Account.ID?)

  /// An existing account, which the event changes.
  public static func account(_ id: Account.ID) -> Subject { .aggregate(.account(id)) }
  /// An existing habit, which the event changes.
  public static func habit(_ id: Habit.ID) -> Subject { .aggregate(.habit(id)) }
  /// An existing hive, which the event changes.
  public static func hive(_ id: Hive.ID) -> Subject { .aggregate(.hive(id)) }

  /// The kind of the entity that is changed or created.
  package var kind: EntityKind {
    switch self {
    case .aggregate(let aggregate): aggregate.kind
    case .new(let kind, _, _): kind
    }
  }

  /// The aggregate that is changed; nothing for a creation.
  public var aggregate: Aggregate? {
    guard case .aggregate(let aggregate) = self else { return nil }
    return aggregate
  }
}

extension Event {
  /// The one entity that the event changes or creates.
  package var subject: Subject { content.record.subject }

  /// What happened to the entity, in a few words.
  package var verb: String { content.record.verb }

  /// Why nobody could have recorded the event in a state, as far as its record says; nothing when somebody could.
  package func contradiction(in state: BookState) -> String? {
    content.record.contradiction(in: state)
  }
}
