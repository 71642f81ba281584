import Calendar

/// The changes that entries made to a state, so that they can be rolled back, the newest first.
///
/// A book decides a command on its state in place, but the command's entries count only once they are on disk: if the
/// disk fails, they are rolled back. A log costs a few words; any other entry keeps a copy of the entity that it
/// changed.
package struct Rollback: Sendable {
  private var steps: ContiguousArray<Step> = []

  /// Begins with nothing to roll back.
  package init() {}

  /// The number of entries that can be rolled back.
  package var count: Int { steps.count }

  fileprivate struct Step: Sendable {
    var position: Int64
    var at: Instant
    var change: Change
  }

  /// The former state of what an entry changed.
  fileprivate enum Change: Sendable {
    /// The entry refers to nothing that exists, and changes nothing.
    case none
    /// The day comes after the habit's last one, as nearly every day does.
    case day(Habit.ID, Day, PackedDays.End)
    /// An existing entity, by its number.
    indirect case entity(Int32, any StoredEntity)
    /// The entity did not exist; its key named nothing, or another one.
    case nothing(EntityKind, former: Int32?)
    /// The whole state: an erasure changes much, and is rare; the same holds for an event that takes something from
    /// another account, and for a change of zone that takes a day from the account's hives.
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

  /// The former state of what an event is about to change.
  private func before(_ event: Event) -> Rollback.Change {
    switch event {
    case .habitLogged(let event): before(event.habit, event.day)
    case .habitLogCleared(let event): before(event.habit, event.day)
    case .habitDaySkipped(let event): before(event.habit, event.day)
    case .habitDayReverted(let event): before(event.habit, event.day)
    case .accountErased: .all(self)
    case .identityLinked(let event) where takesFromOther(event): .all(self)
    case .deviceRegistered(let event) where takesFromOther(event): .all(self)
    case .dayClockChanged(let event) where mayMoveDaysLeftOut(event): .all(self)
    // Every other event changes only its subject; `RollbackTests` compares whole states.
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
  /// The former state of the entity with a number.
  fileprivate static func before(_ number: Int32, in state: BookState) -> Rollback.Change {
    state[keyPath: table][EntityNumber(unchecked: number)].map { .entity(number, $0) } ?? .none
  }

  /// Puts the entity back in its place.
  fileprivate func restore(_ number: Int32, in state: inout BookState) {
    state.update(EntityNumber<Self>(unchecked: number)) { $0 = self }
  }

  /// Removes the newest entity; `former` is what its key named before.
  fileprivate static func removeLast(former: Int32?, in state: inout BookState) {
    let next = state[keyPath: table].nextNumber
    guard let last = state[keyPath: table].elements.last else { return }
    let number = EntityNumber<Self>(unchecked: next.number - 1)
    reindex(number, from: last.indexKeys(number), to: nil, in: &state)
    state[keyPath: table].removeLast(former: former.map { EntityNumber(unchecked: $0) })
  }
}
