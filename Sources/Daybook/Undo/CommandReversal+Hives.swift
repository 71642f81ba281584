import Calendar

// How an undo reverts a hive, as far as others are not affected.

extension Hive: RevertibleEntity {
  static var deletionEvents: DeletionEvents<Hive>? {
    DeletionEvents(Event.hiveDeleted, Event.hiveRestored)
  }

  static func check(_ thing: Hive, _ number: ID, _ reversal: CommandReversal) throws(Rejection) {
    guard thing.member(reversal.actor) != nil else { throw .entryNotFound(reversal.position) }
  }

  static func removing(_ thing: Hive, _ number: ID, _ reversal: CommandReversal) throws(Rejection)
    -> [Event]
  {
    try thing.checkAlone(reversal)
    return [.hiveDeleted(HiveDeleted(hive: number))]
  }

  static func checkReturn(_ before: Hive, _ now: Hive, _ reversal: CommandReversal)
    throws(Rejection)
  {
    try now.checkAlone(reversal)
  }

  /// Refuses what only the hive's owner may do.
  private func checkLed(_ reversal: CommandReversal) throws(Rejection) {
    guard owner == reversal.actor else { throw .notOwner(of: .hive) }
  }

  /// Refuses what would affect others.
  private func checkAlone(_ reversal: CommandReversal) throws(Rejection) {
    try checkLed(reversal)
    guard activeMembers.count == 1 else {
      throw .notUndoable(reversal.position, because: "\(displayName) has other members")
    }
  }

  static func facets(of events: [Event]?) -> [ReversalFacet<Hive>] {
    var facets = [isThere, look, joined, invited]
    var days: Set<MemberDay> = []
    for event in events ?? [] {
      if case .hiveDayLogged(let event) = event { days.insert(MemberDay(event.member, event.day)) }
      if case .hiveDayCleared(let event) = event { days.insert(MemberDay(event.member, event.day)) }
      if case .hiveHabitLinked(let event) = event { facets.append(link(of: event.member)) }
    }
    facets += days.sorted { $0.day < $1.day }.map { day($0) }
    return facets
  }

  private static var look: ReversalFacet<Hive> {
    ReversalFacet(Event.hiveDescribed) { _, now, reversal throws(Rejection) in
      try now.checkLed(reversal)
    }
  }

  /// The members who joined or left: a hive that others joined cannot be undone.
  private static var joined: ReversalFacet<Hive> {
    ReversalFacet({ $0.activeMembers.map(\.account) == $1.activeMembers.map(\.account) }) {
      _, _, _, _ in []
    }
  }

  /// The invites: one that nobody has used becomes invalid.
  private static var invited: ReversalFacet<Hive> {
    ReversalFacet({ $0.invites.map(\.isOpen) == $1.invites.map(\.isOpen) }) {
      before, now, number, reversal throws(Rejection) in
      guard
        now.invites.allSatisfy({ $0.useCount == 0 }) || before.invites.count == now.invites.count
      else { throw .notUndoable(reversal.position, because: "somebody joined by the invite") }
      return (before.invites.count..<max(before.invites.count, now.invites.count)).map { place in
        .hiveInviteRevoked(HiveInviteRevoked(hive: number, invite: Int32(clamping: place + 1)))
      }
    }
  }

  private static func link(of member: Account.ID) -> ReversalFacet<Hive> {
    ReversalFacet({ $0.member(member)?.habit == $1.member(member)?.habit }) {
      before, _, number, reversal throws(Rejection) in
      let habit = before.member(member)?.habit
      if let habit {
        try reversal.checkThere(.habit(habit), or: "the linked habit is gone")
      }
      return [.hiveHabitLinked(HiveHabitLinked(hive: number, member: member, habit: habit))]
    }
  }

  private struct MemberDay: Hashable {
    let member: Account.ID
    let day: Day

    init(_ member: Account.ID, _ day: Day) { (self.member, self.day) = (member, day) }
  }

  /// A member's day, in time and late, without the times of recording.
  private struct ComparableDay: Equatable {
    let value: Amount
    let source: LogSource
    let entered: Amount?

    init(_ record: DayTable.Record, entered: Amount?) {
      (value, source, self.entered) = (record.value, record.source, entered)
    }
  }

  private func known(_ place: MemberDay, isLate: Bool) -> ComparableDay? {
    guard let member = member(place.member) else { return nil }
    let days = isLate ? member.lateDays : member.days
    return days[place.day].map { ComparableDay($0, entered: days.entered(on: place.day)) }
  }

  /// A day of the member who undoes the command. A day that has closed meanwhile stays as it closed.
  private static func day(_ place: MemberDay) -> ReversalFacet<Hive> {
    ReversalFacet({
      $0.known(place, isLate: false) == $1.known(place, isLate: false)
        && $0.known(place, isLate: true) == $1.known(place, isLate: true)
    }) { before, now, number, reversal throws(Rejection) in
      let isLate = place.day < reversal.state.firstOpenDay(of: now, reversal.context)
      let known = before.known(place, isLate: isLate)
      guard known != now.known(place, isLate: isLate) else { return [] }
      guard let known else {
        return [
          .hiveDayCleared(
            HiveDayCleared(hive: number, member: place.member, day: place.day, isLate: isLate))
        ]
      }
      return [
        .hiveDayLogged(
          HiveDayLogged(
            hive: number, member: place.member, day: place.day, value: known.value,
            source: known.source, isLate: isLate, entered: known.entered))
      ]
    }
  }
}

extension HiveInvite {
  fileprivate var isOpen: Bool { !isRevoked }
}
