/// An undo on its way: finds the events that make what a command changed again what it was.
///
/// Of each thing three states are looked at: before the command, after it, and now. In each of its facets that the
/// command changed, the thing becomes what it was before; unless it is no longer as the command left it.
struct Revert {
  let position: Int64
  let past: CommandPast
  let state: BookState
  let context: Context
  let actor: Account.ID
  let account: Account
  /// What the command touched.
  let touched: [Aggregate: [Event]]
  /// What the undo brings back.
  private var revived: Set<Aggregate> = []

  init(
    position: Int64, past: CommandPast, state: BookState, context: Context, actor: Account.ID,
    account: Account
  ) {
    self.position = position
    self.past = past
    self.state = state
    self.context = context
    self.actor = actor
    self.account = account
    var touched: [Aggregate: [Event]] = [:]
    for entry in past.entries {
      guard !entry.event.isBesideCommand, let aggregate = state.aggregate(of: entry.event) else {
        continue
      }
      touched[aggregate, default: []].append(entry.event)
    }
    self.touched = touched
  }

  /// What holds others comes back before them, and goes after them.
  private static let order: [EntityKind] = [
    .household, .recipe, .meal, .list, .pantryStaple, .householdTask, .calendarEvent, .goal,
    .habit, .hive, .account,
  ]

  /// The events, in an order in which each could be recorded.
  ///
  /// - Throws: ``Rejection``.
  mutating func events() throws(Rejection) -> [Event] {
    var (changing, going): ([Event], [Event]) = ([], [])
    for kind in Self.order {
      guard let type = kind.revertedType else { continue }
      for (aggregate, changes) in touched.sorted(by: { $0.key < $1.key })
      where aggregate.kind == kind {
        let events = try type.reverting(aggregate, changes, &self)
        if type.isGoing(aggregate, self) { going = events + going } else { changing += events }
      }
    }
    return changing + going
  }

  /// The events by which something that was deleted is there again.
  ///
  /// - Throws: ``Rejection``.
  mutating func reviving(_ aggregate: Aggregate) throws(Rejection) -> [Event] {
    guard let type = aggregate.kind.revertedType else { throw .entryNotFound(position) }
    return try type.reviving(aggregate.number, &self)
  }

  /// The position of the command's last entry.
  fileprivate var last: Int64 { past.entries.last?.head.position ?? position }
  /// The position of the command's first entry.
  fileprivate var first: Int64 { past.entries.first?.head.position ?? position }

  /// Those of some things that the undo does not touch itself.
  func untouched<Thing: StoredEntity>(
    _ numbers: [EntityNumber<Thing>], _ kind: EntityKind
  ) -> [EntityNumber<Thing>] {
    numbers.filter { touched[Aggregate(kind, $0.number)] == nil }
  }

  /// Takes note that something is there again.
  mutating func revive(_ aggregate: Aggregate) { revived.insert(aggregate) }

  /// Whether something is there, or will be.
  func isThere(_ aggregate: Aggregate) -> Bool {
    revived.contains(aggregate) || state.entity(aggregate)?.isDeleted == false
  }

  /// Refuses to name again what is gone; the reason says what that is, as a sentence without its end.
  func checkThere(_ aggregate: Aggregate, or reason: String) throws(Rejection) {
    guard isThere(aggregate) else { throw .notUndoable(position, because: reason) }
  }
}

/// One of the ways in which a thing can change: how two states of it are told apart, and by which events it becomes
/// what it was in that respect.
struct RevertFacet<Thing: RevertedEntity> {
  let isSame: (Thing, Thing) -> Bool
  /// The thing before the command, and as it is.
  let events: (Thing, Thing, EntityNumber<Thing>, inout Revert) throws(Rejection) -> [Event]

  init(
    _ isSame: @escaping (Thing, Thing) -> Bool,
    _ events:
      @escaping (Thing, Thing, EntityNumber<Thing>, inout Revert) throws(Rejection) -> [Event]
  ) {
    self.isSame = isSame
    self.events = events
  }

  /// A property that one event says whole.
  init<Value: Equatable>(
    _ value: KeyPath<Thing, Value>, _ event: @escaping (EntityNumber<Thing>, Thing) -> Event
  ) {
    self.init({ $0[keyPath: value] == $1[keyPath: value] }) {
      before, _, number, _ throws(Rejection) in [event(number, before)]
    }
  }
}

/// What an undo can make again what it was.
protocol RevertedEntity: StoredEntity {
  /// Whether it is there.
  static var isThere: RevertFacet<Self> { get }
  /// The facets in which events changed it; all of them, to tell whether it is as they left it, without events.
  static func facets(of events: [Event]?) -> [RevertFacet<Self>]
  /// Refuses what the actor has no part in.
  static func check(_ thing: Self, _ number: EntityNumber<Self>, _ revert: Revert)
    throws(Rejection)
  /// The events after which it is not there, though it was created.
  static func taking(_ thing: Self, _ number: EntityNumber<Self>, _ revert: Revert)
    throws(Rejection) -> [Event]
}

extension RevertedEntity {
  /// The events by which one that was deleted is there again.
  fileprivate static func reviving(
    _ number: Int32, _ revert: inout Revert
  ) throws(Rejection) -> [Event] {
    let number = EntityNumber<Self>(unchecked: number)
    guard let now = revert.state[keyPath: table][number], now.isDeleted else {
      throw .entryNotFound(revert.position)
    }
    try check(now, number, revert)
    return try isThere.events(now, now, number, &revert)
  }

  /// The events that make one again what it was before the command.
  fileprivate static func reverting(
    _ aggregate: Aggregate, _ changes: [Event], _ revert: inout Revert
  ) throws(Rejection) -> [Event] {
    let number = EntityNumber<Self>(unchecked: aggregate.number)
    guard let now = revert.state[keyPath: table][number] else { return [] }
    try check(now, number, revert)
    let history = revert.past.histories[aggregate] ?? []
    guard let after = thing(number, history, through: revert.last) else { return [] }
    guard let before = thing(number, history, through: revert.first - 1) else {
      guard !now.isDeleted else { return [] }
      for facet in facets(of: nil) where !facet.isSame(after, now) {
        throw .changedSince(lastChange(of: facet, number, after, history, revert))
      }
      return try taking(now, number, revert)
    }
    var events: [Event] = []
    for facet in facets(of: changes) where !facet.isSame(before, after) {
      // What is as it was needs no undoing, whatever came between.
      if facet.isSame(before, now) { continue }
      guard facet.isSame(after, now) else {
        throw .changedSince(lastChange(of: facet, number, after, history, revert))
      }
      events += try facet.events(before, now, number, &revert)
    }
    if !events.isEmpty, now.isDeleted, !revert.isThere(aggregate) {
      throw .changedSince(history.last?.head.position ?? revert.last)
    }
    return events
  }

  /// Whether it is there, and was not before the command.
  fileprivate static func isGoing(_ aggregate: Aggregate, _ revert: Revert) -> Bool {
    let number = EntityNumber<Self>(unchecked: aggregate.number)
    guard revert.state[keyPath: table][number]?.isDeleted == false else { return false }
    let history = revert.past.histories[aggregate] ?? []
    return thing(number, history, through: revert.first - 1)?.isDeleted ?? true
  }

  /// The last entry after the command that changed a facet.
  private static func lastChange(
    of facet: RevertFacet<Self>, _ number: EntityNumber<Self>, _ after: Self, _ history: [Entry],
    _ revert: Revert
  ) -> Int64 {
    var (position, former) = (revert.state.position, after)
    var part = BookState()
    part[keyPath: table] = Table(leavingOut: number.index)
    for entry in history {
      part.apply(entry)
      guard entry.head.position > revert.last, let next = part[keyPath: table][number] else {
        continue
      }
      if !facet.isSame(former, next) { position = entry.head.position }
      former = next
    }
    return position
  }

  /// The thing as its entries through a position made it.
  private static func thing(
    _ number: EntityNumber<Self>, _ history: [Entry], through position: Int64
  ) -> Self? {
    var part = BookState()
    part[keyPath: table] = Table(leavingOut: number.index)
    for entry in history where entry.head.position <= position { part.apply(entry) }
    return part[keyPath: table][number]
  }
}

extension EntityKind {
  /// What an undo makes again what it was; tasks and labels have an undo of their own.
  fileprivate var revertedType: (any RevertedEntity.Type)? {
    type as? any RevertedEntity.Type
  }
}
