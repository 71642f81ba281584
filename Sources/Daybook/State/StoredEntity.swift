import Calendar
import Avro

/// An entity that a state keeps in a table, and all that differs from kind to kind: what works for every kind takes it
/// from here. A kind states it in the file of its state.
protocol StoredEntity: Entity, AvroRecord, Equatable {
  /// The keys by which the state's indexes find it.
  associatedtype IndexKeys: Equatable

  static var kind: EntityKind { get }
  /// The state's table of the kind.
  static var table: WritableKeyPath<BookState, Table<Self>> { get }
  /// The field that counts the entities in the head of a snapshot: "habits".
  static var countField: StaticString { get }
  /// The word for several of them in the head of a snapshot; by default that of the field.
  static var plural: String { get }
  /// Whether several people share an entity (``EntityKind/isShared``).
  static var isShared: Bool { get }
  /// The rejection of a key that names no entity of the kind.
  static var notFound: Rejection { get }
  /// The commands about an entity of the kind, unless the list of its context has them.
  static var commands: [any ColumnCommand.Type] { get }
  /// The tables in which a state shows the kind, each with its rows by key.
  static func tables(of state: BookState) -> [RowTable]
  /// Whether it has everything that its kind has from creation on, and that is read without a check.
  var isWhole: Bool { get }

  /// The keys by which the indexes find it in its present state. The indexes depend on nothing else, so that replay, a
  /// snapshot and a rollback give the same indexes.
  func indexKeys(_ number: EntityNumber<Self>) -> IndexKeys
  /// Replaces the entity's former index keys by new ones; there are none before it exists, and after it was rolled
  /// back.
  static func reindex(
    _ number: EntityNumber<Self>, from former: IndexKeys?, to keys: IndexKeys?,
    in state: inout BookState)

  /// The entities that are an account's own, and are erased with it. A household, and what belongs to it, is an
  /// account's own once nobody else is left in it.
  static func owned(by account: Account.ID, in state: BookState) -> [EntityNumber<Self>]
  /// Blanks what people wrote, as a replay of the rewritten entries finds it. What is a person's own is also deleted.
  mutating func erase(at instant: Instant)
  /// The event that creates a placeholder for an entity whose creation is lost.
  static func creation(of lost: LostEntity) -> Event
}

extension StoredEntity {
  static var plural: String { "\(countField)".replacing("_", with: " ") }
  static var isShared: Bool { false }
  static var commands: [any ColumnCommand.Type] { [] }

  static func owned(by account: Account.ID, in state: BookState) -> [EntityNumber<Self>] {
    state.indexes.owned[Self.self][account]
  }

  var isWhole: Bool { true }
}

extension BookState {
  /// Adds the entity that an event creates.
  mutating func apply<Record: CreationEvent>(
    _ event: Record, _ head: EntryHead
  ) where Record.Created: StoredEntity {
    create(event.created(head))
  }

  /// Applies an event to the entity that it changes, and to nothing else.
  mutating func apply<Record: ChangeEvent>(
    _ event: Record, _ head: EntryHead
  ) where Record.Changed: StoredEntity {
    if Record.mayMoveInIndexes {
      update(event.changed) { event.change(&$0, head) }
    } else {
      self[keyPath: Record.Changed.table].update(event.changed) { event.change(&$0, head) }
    }
  }

  /// Adds a new entity: it gets the next number of its kind.
  ///
  /// Specialised for the most frequent kinds: a snapshot adds them one by one.
  @specialized(where Stored == Account)
  @specialized(where Stored == Habit)
  @specialized(where Stored == TaskItem)
  mutating func create<Stored: StoredEntity>(_ entity: Stored) {
    let number = self[keyPath: Stored.table].nextNumber
    Stored.reindex(number, from: nil, to: entity.indexKeys(number), in: &self)
    self[keyPath: Stored.table].append(entity)
  }

  /// Changes an entity in place, and updates the indexes; an unknown number changes nothing.
  mutating func update<Stored: StoredEntity>(
    _ number: EntityNumber<Stored>, _ change: (inout Stored) -> Void
  ) {
    guard let place = self[keyPath: Stored.table].place(of: number) else { return }
    let former = self[keyPath: Stored.table].elements[place].indexKeys(number)
    change(&self[keyPath: Stored.table].elements[place])
    let keys = self[keyPath: Stored.table].elements[place].indexKeys(number)
    if former != keys { Stored.reindex(number, from: former, to: keys, in: &self) }
  }
}

/// An entity that belongs to a household, where it is found by its kind.
protocol HouseholdEntity: ChangeableEntity {}

extension HouseholdEntity {
  static var isShared: Bool { true }

  static func owned(by account: Account.ID, in state: BookState) -> [EntityNumber<Self>] {
    Household.owned(by: account, in: state).flatMap { household in
      state.indexes.households.householdEntities(kind, of: household).map {
        EntityNumber(unchecked: $0)
      }
    }
  }
}
