public import Values
import Avro

/// What is kept of one type of event: a fact about one thing (design, "One action").
protocol EventRecord: AvroRecord, Hashable {
  /// The one thing that it changes or creates.
  var subject: Subject { get }
  /// The household in which it creates something, if it does.
  var home: Household.ID? { get }
  /// Says nothing yet.
  init()
}

extension EventRecord {
  public static var placeholder: Self { Self() }
}

// A log's placeholder is inlined where it is read: logs come by the million.
extension HabitLogged {
  init() { self = .placeholder }
}

/// An event that begins something: the next one of its kind.
protocol CreationEvent: EventRecord {
  /// What it creates.
  associatedtype Created: Entity

  /// What is there after it.
  func created(_ head: EntryHead) -> Created
}

/// An event that begins something of somebody's, under a key.
protocol OwnedCreationEvent: CreationEvent where Created: StoredEntity {
  var key: Key { get set }
  var owner: Account.ID { get set }
}

extension OwnedCreationEvent {
  /// What it creates.
  var subject: Subject { .new(Created.kind, key: key, owner: owner) }
}

/// An event that changes one thing that is there. It is shown nothing else, so it cannot change anything else.
protocol ChangeEvent: EventRecord {
  /// What it changes.
  associatedtype Changed: Entity

  /// Whether what it changes may be found by another key after it. Days, which are logged by the million, are in no index.
  static var mayMoveInIndexes: Bool { get }
  /// The number of what it changes.
  var changed: EntityNumber<Changed> { get }

  /// Changes it, whatever it is: an entry may have been forged.
  func change(_ entity: inout Changed, _ head: EntryHead)
}

extension ChangeEvent {
  static var mayMoveInIndexes: Bool { true }
}

extension ChangeEvent where Changed: StoredEntity {
  /// What it changes.
  var subject: Subject { .aggregate(Aggregate(Changed.kind, changed.number)) }
}

/// The one thing that an event is about.
public enum Subject: Hashable, Sendable {
  /// It changes what is there.
  case aggregate(Aggregate)
  /// It creates the next one of its kind, under a key, for its owner (an account has none).
  case new(EntityKind, key: Key, owner: Account.ID?)

  /// It changes an account.
  public static func account(_ id: Account.ID) -> Subject { .aggregate(.account(id)) }
  /// It changes a habit.
  public static func habit(_ id: Habit.ID) -> Subject { .aggregate(.habit(id)) }
  /// It changes a hive.
  public static func hive(_ id: Hive.ID) -> Subject { .aggregate(.hive(id)) }

  /// The kind of what is changed or created.
  package var kind: EntityKind {
    switch self {
    case .aggregate(let aggregate): aggregate.kind
    case .new(let kind, _, _): kind
    }
  }

  /// The aggregate that is changed; nothing when one is created.
  public var aggregate: Aggregate? {
    guard case .aggregate(let aggregate) = self else { return nil }
    return aggregate
  }
}

extension Event {
  /// The one thing that the event changes or creates.
  package var subject: Subject { content.record.subject }
}
