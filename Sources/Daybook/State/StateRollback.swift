import Calendar

/// What entries changed in a state, so that they can be rolled back, the newest first.
///
/// A book decides a command on its state in place, and its entries hold only once they are on disk: until
/// then, or when the disk refuses, they are rolled back. A log costs a few words; any other entry keeps what
/// it changed whole.
package struct Rollback: Sendable {
  private var steps: ContiguousArray<Step> = []

  /// Begins with nothing to roll back.
  package init() {}

  /// How many entries can be rolled back.
  package var count: Int { steps.count }

  fileprivate struct Step: Sendable {
    var position: Int64
    var at: Instant
    var change: Change
  }

  /// What was before.
  fileprivate enum Change: Sendable {
    /// The entry names nothing, and changes nothing.
    case none
    /// The day is after the habit's last one, as nearly every day is.
    case day(Habit.ID, Day, PackedDays.End)
    /// An entity that is there, by its number.
    indirect case entity(Int32, any StoredEntity)
    /// The entity was not there; its key named nothing, or another one.
    case nothing(EntityKind, former: Int32?)
    /// An erasure changes much, and is rare; so does what takes something from another account.
    indirect case all(BookState)
  }

  fileprivate mutating func note(_ step: Step) { steps.append(step) }
  fileprivate mutating func pop() -> Step { steps.removeLast() }
}

extension BookState {
  /// Applies an entry and notes what it changes.
  package mutating func apply(_ entry: Entry, noting rollback: inout Rollback) {
    rollback.note(.init(position: position, at: at, change: before(entry.event)))
    apply(entry)
  }

  /// Rolls back the newest of the entries that were noted, until `count` of them are left.
  ///
  /// - Precondition: nothing else was applied since.
  package mutating func rollBack(_ rollback: inout Rollback, leaving count: Int = 0) {
    while rollback.count > count {
      let step = rollback.pop()
      restore(step.change)
      (position, at) = (step.position, step.at)
    }
  }

  private mutating func restore(_ change: Rollback.Change) {
    switch change {
    case .none: break
    case .day(let habit, let day, let end):
      habits.update(habit) { $0.days.rollBack(day, to: end) }
    case .entity(let number, let entity): entity.restore(number, in: &self)
    case .nothing(let kind, let former): kind.type.removeLast(former: former, in: &self)
    case .all(let state): self = state
    }
  }

  /// What an event is about to change.
  private func before(_ event: Event) -> Rollback.Change {
    switch event {
    case .habitLogged(let event): before(event.habit, event.day)
    case .habitLogCleared(let event): before(event.habit, event.day)
    case .habitDaySkipped(let event): before(event.habit, event.day)
    case .habitDayReverted(let event): before(event.habit, event.day)
    case .accountErased: .all(self)
    case .identityLinked(let event) where takesFromOther(event): .all(self)
    case .deviceRegistered(let event) where takesFromOther(event): .all(self)
    // Every other event changes its subject alone; `RollbackTests` compares whole states.
    default: before(event.subject)
    }
  }

  private func before(_ subject: Subject) -> Rollback.Change {
    switch subject {
    case .new(let kind, let key, _):
      .nothing(kind, former: table(of: kind).entityNumber(of: key))
    case .aggregate(let aggregate):
      aggregate.kind.type.before(aggregate.number, in: self)
    }
  }

  private func before(_ number: Habit.ID, _ day: Day) -> Rollback.Change {
    guard let place = habits.place(of: number) else { return .none }
    guard day.number > habits.elements[place].days.last.day else {
      return Habit.before(number.number, in: self)
    }
    return .day(number, day, habits.elements[place].days.days.end)
  }
}

extension StoredEntity {
  /// What is there under a number, before it changes.
  fileprivate static func before(_ number: Int32, in state: BookState) -> Rollback.Change {
    state[keyPath: table][EntityNumber(unchecked: number)].map { .entity(number, $0) } ?? .none
  }

  /// Takes its place again.
  fileprivate func restore(_ number: Int32, in state: inout BookState) {
    state.update(EntityNumber<Self>(unchecked: number)) { $0 = self }
  }

  /// Takes back that the newest one is there; `former` is what its key named before.
  fileprivate static func removeLast(former: Int32?, in state: inout BookState) {
    let next = state[keyPath: table].nextNumber
    guard let last = state[keyPath: table].elements.last else { return }
    let number = EntityNumber<Self>(unchecked: next.number - 1)
    reindex(number, from: last.indexKeys(number), to: nil, in: &state)
    state[keyPath: table].removeLast(former: former.map { EntityNumber(unchecked: $0) })
  }
}
