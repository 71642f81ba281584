public import Streaks
public import Values
public import Calendar

/// A group of two to ten people who keep one streak together (HH-15…HH-24). See `Docs/Hives.md` for the rules.
public struct Hive: Entity, Hashable {
  /// The number of a hive in its book.
  public typealias ID = EntityNumber<Hive>
  /// "hive-number".
  @inlinable
  public static var entityName: StaticString { "hive-number" }
  /// The maximum number of members of a hive (HH-16).
  package static let maximumMemberCount = Limit.hiveMembers.maximum

  /// The client's name for the hive.
  public internal(set) var key: Key
  /// The owner.
  public internal(set) var owner: Account.ID
  /// The name and look.
  public internal(set) var description: HiveDescription
  /// Whether it is checked or counted.
  public internal(set) var type: HabitType
  /// The value that a member must reach on a day.
  public internal(set) var target: Amount
  /// The weekdays on which it is due.
  public internal(set) var schedule: WeekdayMask
  /// The rule by which a day advances.
  public internal(set) var rule: HiveRule
  /// The number of members who must be done under the threshold rule.
  public internal(set) var threshold: Int
  /// The habit that it was made from.
  public internal(set) var source: Habit.ID?
  /// The owner's user-local day of creation: earlier days count for nothing.
  public internal(set) var createdOn: Day
  /// When it was created.
  public internal(set) var created: Instant
  /// When it, its members or its invites last changed; logged days do not count as changes.
  public internal(set) var updated: Instant
  /// Whether it was deleted.
  public internal(set) var isDeleted = false
  /// All present and former members, in the order of first joining.
  public internal(set) var members: [HiveMember] = []
  /// The invites, in the order in which they were made; revoked ones too.
  public internal(set) var invites: PersistentArray<HiveInvite> = []
  /// The days that advanced, ascending.
  public internal(set) var advanced: [Day] = []
  /// The last day for which the settling job recorded a break: days up to it are settled.
  public internal(set) var recordedBreak: Day?

  /// The name.
  public var name: String { description.name }
  /// The name that people see.
  public var displayName: String { name }
  /// The owner.
  public var ownedBy: Account.ID? { owner }

  /// The current members.
  public var activeMembers: [HiveMember] { members.filter(\.isActive) }

  /// The member with an account, if it is a current one.
  package func member(_ account: Account.ID) -> HiveMember? {
    members.first { $0.account == account && $0.isActive }
  }

  /// Whether an account is a current member.
  package func hasMember(_ account: Account.ID) -> Bool {
    members.contains { $0.account == account && $0.isActive }
  }

  /// The index of a present or former member among the members.
  func place(of account: Account.ID) -> Int? { members.firstIndex { $0.account == account } }
}

/// A present or former member of a hive.
public struct HiveMember: Hashable, Sendable {
  /// The member's account.
  public internal(set) var account: Account.ID
  /// The spans of membership; a person may leave and join again.
  public internal(set) var stays: [HiveMembership]
  /// The member's habit whose logs also log the hive's day.
  public internal(set) var habit: Habit.ID?
  /// The member's logs of open days.
  public internal(set) var days = DayTable()
  /// The member's logs of closed days: shown, but they count for nothing (R5).
  public internal(set) var lateDays = DayTable()

  /// Whether they are a member now.
  public var isActive: Bool { stays.last.map { $0.left == nil } ?? false }

  /// Whether they are required on a day (R3).
  func isRequired(on day: Day) -> Bool {
    stays.contains { $0.requiredFrom <= day && $0.requiredThrough.map { day <= $0 } ?? true }
  }

  /// Whether they may log a day: they were or are a member on it.
  func mayLog(_ day: Day) -> Bool {
    stays.contains { $0.joinedOn <= day && $0.requiredThrough.map { day <= $0 } ?? true }
  }
}

/// One span of membership in a hive.
public struct HiveMembership: Hashable, Sendable {
  /// The member's user-local day of joining.
  public internal(set) var joinedOn: Day
  /// The first day on which they are required.
  public internal(set) var requiredFrom: Day
  /// The last day on which they were required, if they left.
  public internal(set) var requiredThrough: Day?
  /// When they joined.
  public internal(set) var joined: Instant
  /// When they left.
  public internal(set) var left: Instant?
}

/// A join code of a hive (HH-17).
public struct HiveInvite: Hashable, Sendable {
  /// Twelve hexadecimal digits.
  public internal(set) var code: String
  /// The last instant at which it is valid.
  public internal(set) var expires: Instant
  /// The maximum number of uses.
  public internal(set) var maximumUseCount: Int
  /// The number of uses so far.
  public internal(set) var useCount = 0
  /// Whether the owner revoked it.
  public internal(set) var isRevoked = false
  /// The account that made it.
  public internal(set) var creator: Account.ID?
  /// When it was made.
  public internal(set) var created: Instant
}

extension Hive: StoredEntity {
  static var kind: EntityKind { .hive }
  static var table: WritableKeyPath<BookState, Table<Hive>> { \.hives }
  static var countField: StaticString { "hives" }
  static var isShared: Bool { true }
  static var notFound: Rejection { .hiveNotFound }

  static func owned(by account: Account.ID, in state: BookState) -> [ID] {
    state.indexes.hives.hives(ledBy: account)
  }

  mutating func erase(at instant: Instant) {
    (description.name, description.emoji) = ("", "")
    isDeleted = true
    updated = instant
  }

  static func creation(of lost: LostEntity) -> Event {
    .hiveCreated(
      HiveCreated(of: lost) { hive in
        (hive.description.name, hive.description.color) = (lost.name, HabitDescription.usualColor)
        hive.day = Day(utc: lost.at)
      })
  }
}

extension HiveCreated: OwnedCreationEvent {
  func created(_ head: EntryHead) -> Hive {
    Hive(
      key: key, owner: owner, description: description, type: type,
      target: target, schedule: WeekdayMask(bits: Int(weekmask)) ?? .everyDay,
      rule: rule, threshold: Int(threshold), source: source,
      createdOn: day, created: head.at, updated: head.at)
  }
}

extension HiveDescribed: EditEvent, SetEvent {
  var changed: Hive.ID { hive }
  func edit(_ hive: inout Hive) { hive.description = description }
  init(_ id: Hive.ID, as hive: Hive) { self.init(hive: id, description: hive.description) }
}

extension HiveHandedOver: EditEvent {
  var changed: Hive.ID { hive }
  func edit(_ hive: inout Hive) { hive.owner = owner }
}

extension HiveDeleted: DeletionEvent {
  static var number: Number { \.hive }
  var changed: Hive.ID { hive }
}

extension HiveRestored: RestorationEvent {
  static var number: Number { \.hive }
  var changed: Hive.ID { hive }
}

extension HiveJoined: ChangeEvent {
  var changed: Hive.ID { hive }
  func change(_ hive: inout Hive, _ head: EntryHead) {
    hive.apply(self, at: head.at)
  }
}

extension HiveLeft: ChangeEvent {
  var changed: Hive.ID { hive }
  func change(_ hive: inout Hive, _ head: EntryHead) {
    hive.apply(self, at: head.at)
  }
}

extension HiveHabitLinked: ChangeEvent {
  var changed: Hive.ID { hive }
  func change(_ hive: inout Hive, _ head: EntryHead) {
    guard let place = hive.place(of: member) else { return }
    hive.members[place].habit = habit
  }
}

extension HiveInviteCreated: ChangeEvent {
  var changed: Hive.ID { hive }
  func change(_ hive: inout Hive, _ head: EntryHead) {
    hive.invites.append(
      HiveInvite(
        code: code, expires: expires, maximumUseCount: Int(maximumUseCount),
        creator: head.actor, created: head.at))
    hive.updated = head.at
  }
}

extension HiveInviteRevoked: ChangeEvent {
  var changed: Hive.ID { hive }
  func change(_ hive: inout Hive, _ head: EntryHead) {
    let place = Int(invite) - 1
    guard hive.invites.indices.contains(place) else { return }
    hive.invites[place].isRevoked = true
    hive.updated = head.at
  }
}

extension HiveDayLogged: ChangeEvent {
  static var mayMoveInIndexes: Bool { false }
  var changed: Hive.ID { hive }
  func change(_ hive: inout Hive, _ head: EntryHead) { hive.apply(self, at: head.at) }
}

extension HiveDayCleared: ChangeEvent {
  static var mayMoveInIndexes: Bool { false }
  var changed: Hive.ID { hive }
  func change(_ hive: inout Hive, _ head: EntryHead) { hive.apply(self) }
}

/// An event that affects a hive's streak: only the first day at stake is in an index.
protocol HiveStreakEvent: ChangeEvent where Changed == Hive {}

extension HiveAdvanced: HiveStreakEvent {
  var changed: Hive.ID { hive }
  func change(_ hive: inout Hive, _ head: EntryHead) { hive.advance(day) }
}

extension HiveBroken: HiveStreakEvent {
  var changed: Hive.ID { hive }
  func change(_ hive: inout Hive, _ head: EntryHead) {
    hive.recordedBreak = max(hive.recordedBreak ?? day, day)
  }
}

extension BookState {
  /// Changes the days of a hive's streak. Its other index keys stay, so they are not computed again for each day.
  mutating func apply(_ event: some HiveStreakEvent, _ head: EntryHead) {
    guard let place = hives.place(of: event.changed) else { return }
    let former = hives.elements[place].firstDayAtStake
    event.change(&hives.elements[place], head)
    indexes.hives.moveStreakDeadline(
      event.changed, from: former, to: hives.elements[place].firstDayAtStake)
  }
}

extension Hive {
  mutating func apply(_ event: HiveJoined, at instant: Instant) {
    let stay = HiveMembership(
      joinedOn: event.day, requiredFrom: event.requiredFrom, joined: instant)
    if let place = place(of: event.member) {
      guard !members[place].isActive else { return }
      members[place].stays.append(stay)
    } else {
      members.append(HiveMember(account: event.member, stays: [stay]))
    }
    if let invite = event.invite, invites.indices.contains(Int(invite) - 1) {
      invites[Int(invite) - 1].useCount += 1
    }
    updated = instant
  }

  mutating func apply(_ event: HiveLeft, at instant: Instant) {
    guard let place = place(of: event.member), members[place].isActive else { return }
    let last = members[place].stays.count - 1
    members[place].stays[last].requiredThrough = event.requiredThrough
    members[place].stays[last].left = instant
    members[place].habit = nil
    updated = instant
  }

  mutating func apply(_ event: HiveDayLogged, at instant: Instant) {
    guard let place = place(of: event.member) else { return }
    let record = DayTable.Record(
      day: event.day, source: event.source, isSkipped: false, value: event.value,
      created: instant, updated: instant)
    if event.isLate {
      members[place].lateDays.record(record, note: nil, entered: event.entered)
    } else {
      members[place].days.record(record, note: nil, entered: event.entered)
    }
  }

  mutating func apply(_ event: HiveDayCleared) {
    guard let place = place(of: event.member) else { return }
    if event.isLate {
      members[place].lateDays.clear(event.day)
    } else {
      members[place].days.clear(event.day)
    }
  }

  mutating func advance(_ day: Day) {
    let place = advanced.lowerBound(of: day)
    guard place == advanced.count || advanced[place] != day else { return }
    advanced.insert(day, at: place)
  }

  package func hasAdvanced(_ day: Day) -> Bool {
    let place = advanced.lowerBound(of: day)
    return place < advanced.count && advanced[place] == day
  }
}

extension [Day] {
  /// The index of the first day that is not before `day`, in ascending days.
  func lowerBound(of day: Day) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < day { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
