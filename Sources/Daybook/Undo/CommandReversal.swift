/// An undo that is being decided: finds the events that revert what a command changed.
///
/// Three states of each entity are compared: before the command, after it, and now. Each facet that the command changed
/// is reverted, unless it is no longer as the command left it.
struct CommandReversal {
  let position: Int64
  let past: CommandHistory
  let state: BookState
  let context: Context
  let actor: Account.ID
  let account: Account
  /// The command's events, by the entity that they touched.
  let touched: [Aggregate: [Event]]
  /// Whether one entity is put back as it was at a moment, instead of one command being reverted.
  private(set) var isSince = false
  /// The entities that the undo restores.
  private var restored: Set<Aggregate> = []

  init(
    _ position: Int64, _ past: CommandHistory, _ state: BookState, _ context: Context,
    _ actor: Account.ID, _ account: Account
  ) {
    (self.position, self.past, self.state, self.context) = (position, past, state, context)
    (self.actor, self.account) = (actor, account)
    var touched: [Aggregate: [Event]] = [:]
    for entry in past.entries {
      guard !entry.event.isBesideCommand, let aggregate = state.aggregate(of: entry.event) else {
        continue
      }
      touched[aggregate, default: []].append(entry.event)
    }
    self.touched = touched
  }

  /// The undo of all that was recorded about one entity, from the entry at the position on: the entity becomes what it was
  /// before that entry.
  ///
  /// - Throws: ``Rejection``: the entry is about nothing that can be put back as a whole.
  func since() throws(Rejection) -> CommandReversal {
    guard let entry = past.entries.first(where: { $0.head.position == position }),
      !entry.event.isBesideCommand, let aggregate = state.aggregate(of: entry.event)
    else { throw .entryNotFound(position) }
    guard Self.wholes.contains(aggregate.kind) else {
      // The actor must not learn the kind of other people's entries.
      guard isOwn else { throw .entryNotFound(position) }
      throw .notUndoable(
        position, because: "what it is about is more than one thing; undo its commands one by one")
    }
    let history = past.histories[aggregate] ?? []
    let later = history.filter { position...state.position ~= $0.head.position }
    var reversal = CommandReversal(
      position, CommandHistory(entries: later, histories: [aggregate: history]), state, context,
      actor,
      account)
    reversal.isSince = true
    return reversal
  }

  /// The kinds of entities that can be put back as a whole: others are involved in the rest.
  private static let wholes: Set<EntityKind> = [
    .habit, .goal, .task, .label, .householdTask, .recipe, .meal, .list, .pantryStaple,
    .calendarEvent,
  ]

  /// The order of kinds: containers are restored before their contents, and deleted after them.
  private static let order: [EntityKind] = {
    let first: [EntityKind] = [.household, .recipe, .meal, .list, .pantryStaple]
    let last: [EntityKind] = [.goal, .habit, .hive, .account]
    return first + EntityKind.allCases.filter { !(first + last).contains($0) } + last
  }()

  /// The events, in an order in which each can be recorded.
  ///
  /// - Throws: ``Rejection``.
  mutating func events() throws(Rejection) -> [Event] {
    var (changing, going): ([Event], [Event]) = ([], [])
    for kind in Self.order {
      guard let type = kind.revertibleType else { continue }
      for (aggregate, changes) in touched.sorted(by: { $0.key < $1.key })
      where aggregate.kind == kind {
        let events = try type.reverting(aggregate, changes, &self)
        if type.isToBeRemoved(aggregate, self) {
          going = events + going
        } else {
          changing += events
        }
      }
    }
    return changing + going
  }

  /// The events that restore a deleted entity.
  ///
  /// - Throws: ``Rejection``.
  mutating func restoring(_ aggregate: Aggregate) throws(Rejection) -> [Event] {
    guard let type = aggregate.kind.revertibleType else { throw .entryNotFound(position) }
    return try type.restoring(aggregate.number, &self)
  }

  /// The position of the command's last entry.
  var last: Int64 { past.entries.last?.head.position ?? position }
  /// The position of the command's first entry.
  var first: Int64 { past.entries.first?.head.position ?? position }
  /// Whether the actor recorded the command.
  var isOwn: Bool { past.entries.allSatisfy { $0.head.actor == actor } }
  /// Whether the command changed tasks and labels, which ``TaskUndo`` reverts.
  var isOfTasks: Bool { past.entries.allSatisfy { $0.event.isOfTasks } }

  /// The entries about an entity, oldest first.
  func history<Thing: StoredEntity>(of number: EntityNumber<Thing>) -> [Entry] {
    past.histories[Aggregate(Thing.kind, number.number)] ?? []
  }

  /// The state of an entity after its entries up to a position.
  func thing<Thing: StoredEntity>(
    _ number: EntityNumber<Thing>, through position: Int64
  ) -> Thing? {
    var part = BookState()
    part[keyPath: Thing.table] = Table(leavingOut: number.index)
    for entry in history(of: number) where entry.head.position <= position { part.apply(entry) }
    return part[keyPath: Thing.table][number]
  }

  /// Visits the states of an entity after the command, oldest first, with the positions of the entries that made them.
  func visitLater<Thing: StoredEntity>(
    _ number: EntityNumber<Thing>, _ visit: (Int64, Thing) -> Void
  ) {
    var part = BookState()
    part[keyPath: Thing.table] = Table(leavingOut: number.index)
    for entry in history(of: number) {
      part.apply(entry)
      guard entry.head.position > last, let thing = part[keyPath: Thing.table][number] else {
        continue
      }
      visit(entry.head.position, thing)
    }
  }

  /// The entities among these that the undo itself does not touch.
  func untouched<Thing: StoredEntity>(
    _ numbers: [EntityNumber<Thing>], _ kind: EntityKind
  ) -> [EntityNumber<Thing>] {
    numbers.filter { touched[Aggregate(kind, $0.number)] == nil }
  }

  /// Notes that an entity is restored.
  mutating func noteRestored(_ aggregate: Aggregate) { restored.insert(aggregate) }

  /// Whether an entity exists, or will after the undo.
  func isThere(_ aggregate: Aggregate) -> Bool {
    restored.contains(aggregate) || state.entity(aggregate)?.isDeleted == false
  }

  /// Refuses a reference to a deleted entity; the reason names it, as a sentence without its end.
  func checkThere(_ aggregate: Aggregate, or reason: String) throws(Rejection) {
    guard isThere(aggregate) else { throw .notUndoable(position, because: reason) }
  }
}

/// A facet in which an entity can change: how two states are compared, and which events revert it.
struct ReversalFacet<Thing: RevertibleEntity> {
  let isSame: (Thing, Thing) -> Bool
  /// The events, given the entity before the command and as it is now.
  let events:
    (Thing, Thing, EntityNumber<Thing>, inout CommandReversal) throws(Rejection) -> [Event]

  init(
    _ isSame: @escaping (Thing, Thing) -> Bool,
    _ events:
      @escaping (Thing, Thing, EntityNumber<Thing>, inout CommandReversal) throws(Rejection) ->
      [Event]
  ) {
    self.isSame = isSame
    self.events = events
  }

  /// A facet that one event holds as a whole. The check is given the entity before the command and as it is now.
  init<Record: SetEvent>(
    _ event: @escaping (Record) -> Event,
    check: @escaping (Thing, Thing, CommandReversal) throws(Rejection) -> Void = { _, _, _ in }
  ) where Record.Changed == Thing {
    self.init(Record.isSame) { before, now, number, reversal throws(Rejection) in
      try check(before, now, reversal)
      return [event(Record(number, as: before))]
    }
  }
}

/// The events that delete and restore an entity as it is in a state.
struct DeletionEvents<Thing: RevertibleEntity> {
  let deleted: (EntityNumber<Thing>, Thing) -> Event
  let restored: (EntityNumber<Thing>, Thing) -> Event

  init<Deletion: SetEvent, Restoration: SetEvent>(
    _ deleted: @escaping (Deletion) -> Event, _ restored: @escaping (Restoration) -> Event
  ) where Deletion.Changed == Thing, Restoration.Changed == Thing {
    self.deleted = { deleted(Deletion($0, as: $1)) }
    self.restored = { restored(Restoration($0, as: $1)) }
  }
}

/// An entity that an undo can revert.
protocol RevertibleEntity: StoredEntity {
  /// The events that delete and restore it; nothing if no undo does.
  static var deletionEvents: DeletionEvents<Self>? { get }
  /// The facet of whether the entity exists.
  static var isThere: ReversalFacet<Self> { get }
  /// The facets that events changed; without events all of them, to tell whether the entity is still as the events left
  /// it.
  static func facets(of events: [Event]?) -> [ReversalFacet<Self>]
  /// Refuses an entity that the actor has no part in.
  static func check(_ thing: Self, _ number: EntityNumber<Self>, _ reversal: CommandReversal)
    throws(Rejection)
  /// The events that remove an entity which was created.
  static func removing(_ thing: Self, _ number: EntityNumber<Self>, _ reversal: CommandReversal)
    throws(Rejection) -> [Event]
  /// Refuses to restore an entity, given before the command and as it is now, that refers to something deleted.
  static func checkReturn(_ before: Self, _ now: Self, _ reversal: CommandReversal)
    throws(Rejection)
}

extension RevertibleEntity {
  static var deletionEvents: DeletionEvents<Self>? { nil }

  static var isThere: ReversalFacet<Self> {
    ReversalFacet({ $0.isDeleted == $1.isDeleted }) {
      before, now, number, reversal throws(Rejection) in
      guard now.isDeleted else { return try removing(now, number, reversal) }
      guard let deletionEvents else { throw .entryNotFound(reversal.position) }
      try checkReturn(before, now, reversal)
      reversal.noteRestored(Aggregate(kind, number.number))
      return [deletionEvents.restored(number, before)]
    }
  }

  /// An entity of a household is its members'; any other is its owner's.
  static func check(
    _ thing: Self, _ number: EntityNumber<Self>, _ reversal: CommandReversal
  ) throws(Rejection) {
    let isOwn =
      thing.home.map { reversal.state.household($0, for: reversal.actor) != nil }
      ?? (thing.ownedBy == reversal.actor)
    guard isOwn else { throw .entryNotFound(reversal.position) }
  }

  static func removing(
    _ thing: Self, _ number: EntityNumber<Self>, _ reversal: CommandReversal
  ) throws(Rejection) -> [Event] {
    guard let deletionEvents else { throw .entryNotFound(reversal.position) }
    return [deletionEvents.deleted(number, thing)]
  }

  static func checkReturn(_ before: Self, _ now: Self, _ reversal: CommandReversal)
    throws(Rejection)
  {}

  /// The events that restore a deleted entity.
  fileprivate static func restoring(
    _ number: Int32, _ reversal: inout CommandReversal
  ) throws(Rejection) -> [Event] {
    let number = EntityNumber<Self>(unchecked: number)
    guard let now = reversal.state[keyPath: table][number], now.isDeleted else {
      throw .entryNotFound(reversal.position)
    }
    try check(now, number, reversal)
    return try isThere.events(now, now, number, &reversal)
  }

  /// The events that revert an entity to its state before the command.
  fileprivate static func reverting(
    _ aggregate: Aggregate, _ changes: [Event], _ reversal: inout CommandReversal
  ) throws(Rejection) -> [Event] {
    let number = EntityNumber<Self>(unchecked: aggregate.number)
    guard let now = reversal.state[keyPath: table][number] else { return [] }
    try check(now, number, reversal)
    guard let after = reversal.thing(number, through: reversal.last) else { return [] }
    guard let before = reversal.thing(number, through: reversal.first - 1) else {
      guard !now.isDeleted else { return [] }
      for facet in facets(of: nil) where !facet.isSame(after, now) {
        throw .changedSince(lastChange(of: facet, number, after, reversal))
      }
      return try removing(now, number, reversal)
    }
    var events: [Event] = []
    for facet in facets(of: changes) where !facet.isSame(before, after) {
      // An entity that is as it was needs no undo, whatever happened in between.
      if facet.isSame(before, now) { continue }
      guard facet.isSame(after, now) else {
        throw .changedSince(lastChange(of: facet, number, after, reversal))
      }
      events += try facet.events(before, now, number, &reversal)
    }
    if !events.isEmpty, now.isDeleted, !reversal.isThere(aggregate) {
      throw .changedSince(reversal.history(of: number).last?.head.position ?? reversal.last)
    }
    return events
  }

  /// Whether it exists now, and did not before the command.
  fileprivate static func isToBeRemoved(_ aggregate: Aggregate, _ reversal: CommandReversal) -> Bool
  {
    let number = EntityNumber<Self>(unchecked: aggregate.number)
    guard reversal.state[keyPath: table][number]?.isDeleted == false else { return false }
    return reversal.thing(number, through: reversal.first - 1)?.isDeleted ?? true
  }

  /// The last entry after the command that changed a facet.
  private static func lastChange(
    of facet: ReversalFacet<Self>, _ number: EntityNumber<Self>, _ after: Self,
    _ reversal: CommandReversal
  ) -> Int64 {
    var (position, former) = (reversal.state.position, after)
    reversal.visitLater(number) { next, thing in
      if !facet.isSame(former, thing) { position = next }
      former = thing
    }
    return position
  }
}

extension EntityKind {
  /// The type of the entity that an undo reverts as a whole; ``TaskUndo`` reverts tasks and labels.
  fileprivate var revertibleType: (any RevertibleEntity.Type)? {
    type as? any RevertibleEntity.Type
  }
}
