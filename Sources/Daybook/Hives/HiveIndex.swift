import Calendar

/// Finds hives by keys other than their numbers. The index is made from the hives and updated with them.
package struct HiveIndex: Equatable, Sendable {
  fileprivate var memberships = Relation<Account, Hive>()
  fileprivate var owners = Relation<Account, Hive>()
  fileprivate var links = Relation<Habit, Hive>()
  private var codes = SortedSet<Code>()
  private var streakDeadlines = SortedSet<StreakDeadline>()

  /// The first day on which a hive may lose its streak.
  private struct StreakDeadline: Comparable, Sendable {
    let day: Day
    let hive: Int32

    static func < (left: Self, right: Self) -> Bool {
      (left.day, left.hive) < (right.day, right.hive)
    }
  }

  /// The invite with a code. The hash is compared first, so that the time of a lookup does not reveal how close a guess
  /// came.
  private struct Code: Comparable, Sendable {
    let hash: Int
    let text: String
    let hive: Int32
    /// The invite's index in its hive.
    let place: Int

    init(_ text: String, _ hive: Int32, _ place: Int) {
      (hash, self.text, self.hive, self.place) = (text.hashValue, text, hive, place)
    }

    static func < (left: Self, right: Self) -> Bool {
      if left.hash != right.hash { return left.hash < right.hash }
      return (left.text, left.hive, left.place) < (right.text, right.hive, right.place)
    }
  }

  /// The hives that an account is or was a member of, ascending.
  func hives(of account: Account.ID) -> [Hive.ID] { memberships[account] }

  /// The hives that an account leads, deleted ones too, ascending.
  func hives(ledBy account: Account.ID) -> [Hive.ID] { owners[account] }

  /// The hives to which a habit is linked, ascending.
  func hives(linkedTo habit: Habit.ID) -> [Hive.ID] { links[habit] }

  /// The hives that may have lost their streak before a day, ascending (``Hive/firstDayAtStake``).
  func hives(atStakeBefore end: Day) -> [Hive.ID] {
    var hives: [Hive.ID] = []
    streakDeadlines.visit(before: StreakDeadline(day: end, hive: 0)) { streakDeadline in
      hives.append(Hive.ID(unchecked: streakDeadline.hive))
      return true
    }
    return hives.sorted()
  }

  /// Updates the first day on which a hive may lose its streak.
  mutating func moveStreakDeadline(_ hive: Hive.ID, from former: Day?, to day: Day?) {
    guard former != day else { return }
    if let former { streakDeadlines.remove(StreakDeadline(day: former, hive: hive.number)) }
    if let day { streakDeadlines.insert(StreakDeadline(day: day, hive: hive.number)) }
  }

  /// The invite with a code, revoked or not: its hive, and its index there.
  func invite(of code: String) -> (hive: Hive.ID, place: Int)? {
    var found: (Hive.ID, Int)?
    codes.visit(from: Code(code, 0, 0)) { entry in
      if entry.text == code { found = (Hive.ID(unchecked: entry.hive), entry.place) }
      return false
    }
    return found
  }

  fileprivate mutating func note(
    _ invites: PersistentArray<HiveInvite>, from place: Int, _ hive: Hive.ID
  ) {
    for place in place..<max(place, invites.count) {
      codes.insert(Code(invites[place].code, hive.number, place))
    }
  }

  fileprivate mutating func forget(
    _ invites: PersistentArray<HiveInvite>, from place: Int, _ hive: Hive.ID
  ) {
    for place in place..<max(place, invites.count) {
      codes.remove(Code(invites[place].code, hive.number, place))
    }
  }
}

extension Hive {
  /// The owner, the present and former members, the linked habits, the invites, and the first day at stake. No other
  /// day of a hive is indexed.
  struct IndexKeys: Equatable {
    var owner: Account.ID
    var members: [Account.ID]
    var links: [Habit.ID]
    var invites: PersistentArray<HiveInvite>
    var streakDeadline: Day?

    /// The code of an invite never changes: equal counts mean equal invites.
    static func == (left: Self, right: Self) -> Bool {
      left.owner == right.owner && left.members == right.members && left.links == right.links
        && left.invites.count == right.invites.count && left.streakDeadline == right.streakDeadline
    }
  }

  func indexKeys(_ number: ID) -> IndexKeys {
    IndexKeys(
      owner: owner, members: members.map(\.account), links: members.compactMap(\.habit),
      invites: invites, streakDeadline: firstDayAtStake)
  }

  static func reindex(
    _ number: ID, from former: IndexKeys?, to keys: IndexKeys?, in state: inout BookState
  ) {
    state.indexes.hives.owners.move(number, from: former?.owner, to: keys?.owner)
    if former?.members != keys?.members {
      for account in former?.members ?? [] {
        state.indexes.hives.memberships.remove(number, of: account)
      }
      for account in keys?.members ?? [] {
        state.indexes.hives.memberships.insert(number, of: account)
      }
    }
    if former?.links != keys?.links {
      for habit in former?.links ?? [] { state.indexes.hives.links.remove(number, of: habit) }
      for habit in keys?.links ?? [] { state.indexes.hives.links.insert(number, of: habit) }
    }
    let (before, after) = (former?.invites ?? [], keys?.invites ?? [])
    state.indexes.hives.forget(before, from: after.count, number)
    state.indexes.hives.note(after, from: before.count, number)
    state.indexes.hives.moveStreakDeadline(
      number, from: former?.streakDeadline, to: keys?.streakDeadline)
  }
}

extension BookState {
  /// The hive of an invite's code, revoked or not. The caller must check that the hive may be shown.
  public func hive(ofCode code: String) -> Hive.ID? { indexes.hives.invite(of: code)?.hive }

  /// The invites of a hive; none unless the viewer is a member now, even if a past state is queried. Otherwise a
  /// removed member could return with a code that is still valid (HH-17).
  package func invites(of hive: Hive, seenBy viewer: Account.ID) -> PersistentArray<HiveInvite> {
    let now = people.hives.number(of: hive.key).flatMap { people.hives[$0] }
    return now?.member(viewer) == nil ? [] : hive.invites
  }

  /// The hives that an account is a member of, in the order of their creation (HH-16).
  public func hives(of account: Account.ID) -> [Hive.ID] {
    indexes.hives.hives(of: account).filter { number in
      // The hive is read in place: copying it would cost more than the whole check.
      guard let place = hives.place(of: number), !hives.elements[place].isDeleted else {
        return false
      }
      return hives.elements[place].hasMember(account)
    }
  }
}
