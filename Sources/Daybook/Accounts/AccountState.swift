public import Values
public import Calendar
public import Streaks

/// A person who uses the book (HH-1).
public struct Account: Entity, Hashable {
  /// The number of an account in its book.
  public typealias ID = EntityNumber<Account>
  /// "account-number".
  @inlinable
  public static var entityName: StaticString { "account-number" }

  /// The client's name for the account.
  public internal(set) var key: Key
  /// The name that others see.
  public internal(set) var displayName: String
  /// The address of the picture.
  public internal(set) var avatarURL: String?
  /// The clock that assigns instants to the person's days.
  public internal(set) var dayClock: DayClock
  /// Days before this one were closed under an earlier day clock, and stay closed (law 5).
  public internal(set) var closedBefore: Day = .first
  /// The theme of the app.
  public internal(set) var theme: Theme
  /// When the account was created.
  public internal(set) var created: Instant
  /// When the profile last changed.
  public internal(set) var updated: Instant
  /// The pauses, in the order in which they were made.
  public internal(set) var pauses: [Pause] = []
  /// Whether the account was erased; then nobody can act for it.
  public internal(set) var isErased = false
  /// The spans in which habits had the focus; the last span is open while its habit still has it (DG-2).
  public internal(set) var focus: [FocusSpan] = []
  /// The day of birth, if the person gave it (DG-1).
  public internal(set) var birthday: Day?
  /// Whether and when the person is notified.
  public internal(set) var notifications = Notifications()
  /// When the person completed the onboarding (HH-5).
  public internal(set) var onboarded: Instant?
  /// The identities by which the person is recognised, in the order of linking.
  public internal(set) var identities: [Link] = []
  /// The devices that receive pushes, in the order of registering (HH-4).
  public internal(set) var devices: [Device] = []
  /// The people whom the person knows, ascending by hash (HH-6).
  public internal(set) var contacts: [Contact] = []
  /// Whether the person asked for the paid version (MO-7). It unlocks nothing.
  public internal(set) var upgradeInterest: UpgradeInterest?
  /// The order in which the account sees its habits; habits that it does not name come last, in the order of their
  /// creation.
  package internal(set) var habitOrder: [Habit.ID] = []
  /// The day clocks that the account had before, oldest first.
  public internal(set) var pastClocks: [PastClock] = []
  /// The names that the account's apps use for rows that have another name in the book.
  package internal(set) var rowNames = RowNames()

  /// Days on which nothing is due for the account.
  public struct Pause: Hashable, Sendable {
    /// The days.
    public var days: DaySpan
    /// When the pause was made.
    public var created: Instant
  }

  /// A span in which a habit had the focus.
  public struct FocusSpan: Hashable, Sendable {
    /// The habit.
    public var habit: Habit.ID
    /// When it was chosen.
    public var since: Instant
    /// When another habit was chosen or the focus was given up; none while the habit has the focus.
    public var until: Instant?
  }

  /// A day clock that was replaced.
  public struct PastClock: Hashable, Sendable {
    /// The clock.
    public var clock: DayClock
    /// When it was replaced.
    public var until: Instant
  }

  /// The day clock that was in force at an instant.
  func clock(at instant: Instant) -> DayClock {
    pastClocks.first { instant < $0.until }?.clock ?? dayClock
  }

  /// The days that never existed for the account, ascending: its time zone skipped them in the calendar.
  ///
  /// The zone that counts is the one the account had when the day began to be over somewhere on Earth; for days before
  /// the account existed, its first zone. So a change of zone never affects a closed day (law 5).
  package var daysLeftOut: [Day] {
    let own = DateLine.dayLeftOut(of: dayClock.timeZone)
    guard !pastClocks.isEmpty else { return own.map { [$0] } ?? [] }
    guard
      own != nil
        || pastClocks.contains(where: { DateLine.dayLeftOut(of: $0.clock.timeZone) != nil })
    else { return [] }
    return DateLine.days.filter { day in
      DateLine.dayLeftOut(of: clock(at: DateLine.lastMoment(beforeEndOf: day)).timeZone) == day
    }
  }

  /// Days on which nothing is due for an account, whatever its habits ask.
  struct FreeDays: Hashable, Sendable {
    /// The days that the account paused.
    var pauses: [Pause] = []
    /// The days that the account's time zone skipped, ascending.
    var leftOut: [Day] = []

    func contains(_ day: Day) -> Bool {
      leftOut.contains(day) || pauses.contains { $0.days.contains(day) }
    }
  }

  /// Days on which nothing is due for the account.
  var freeDays: FreeDays { FreeDays(pauses: pauses, leftOut: daysLeftOut) }

  /// Applies a change of the day clock, made at an instant.
  mutating func apply(_ event: DayClockChanged, at instant: Instant) {
    pastClocks.append(PastClock(clock: dayClock, until: instant))
    dayClock = DayClock(timeZone: event.timeZone, dayStartHour: Int(event.dayStartHour))
    closedBefore = max(closedBefore, event.closedBefore)
  }

  /// Nobody: an account belongs only to itself.
  public var ownedBy: Account.ID? { nil }
  /// An account is erased, never deleted.
  public var isDeleted: Bool { false }

  /// The habit that has the focus now, if one does.
  public var focusHabit: Habit.ID? {
    guard let last = focus.last, last.until == nil else { return nil }
    return last.habit
  }
}

extension Account: StoredEntity {
  static var kind: EntityKind { .account }
  static var table: WritableKeyPath<BookState, Table<Account>> { \.accounts }
  static var countField: StaticString { "accounts" }
  static var notFound: Rejection { .accountNotFound }

  static func owned(by account: ID, in state: BookState) -> [ID] { [account] }

  mutating func erase(at instant: Instant) {
    displayName = ""
    avatarURL = nil
    forgetPerson()
    isErased = true
    updated = instant
  }

  static func creation(of lost: LostEntity) -> Event {
    var account = AccountCreated.placeholder
    (account.key, account.displayName) = (lost.key, lost.name)
    // The zone is unknown. No recorded day depends on it, and it can be changed.
    (account.timeZone, account.dayStartHour) = ("UTC", 4)
    return .accountCreated(account)
  }
}

extension AccountCreated: CreationEvent {
  func created(_ head: EntryHead) -> Account {
    Account(
      key: key, displayName: displayName, avatarURL: avatarURL,
      dayClock: DayClock(timeZone: timeZone, dayStartHour: Int(dayStartHour)),
      theme: theme, created: head.at, updated: head.at)
  }
}

extension ProfileChanged: EditEvent {
  var changed: Account.ID { account }
  func edit(_ account: inout Account) {
    account.displayName = displayName
    account.avatarURL = avatarURL
    account.theme = theme
  }
}

extension DayClockChanged: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    account.apply(self, at: head.at)
    account.updated = head.at
  }
}

extension AccountPaused: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    account.pauses.append(
      .init(days: DaySpan(first: first, last: last), created: head.at))
  }
}

extension AccountResumed: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    for index in account.pauses.indices where account.pauses[index].days.contains(day) {
      account.pauses[index].days.last = day.advanced(by: -1)
    }
    account.pauses.removeAll { pause in pause.days.last.map { $0 < pause.days.first } ?? false }
  }
}

extension PausesReverted: SetEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    account.pauses = pauses
  }
  init(_ id: Account.ID, as account: Account) { self.init(account: id, pauses: account.pauses) }
}

extension HabitsOrdered: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    account.habitOrder = habits
  }
}

extension FocusChosen: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    if let last = account.focus.indices.last, account.focus[last].until == nil {
      account.focus[last].until = head.at
    }
    if let habit {
      account.focus.append(.init(habit: habit, since: head.at, until: nil))
    }
  }
}

extension CommandUndone: ChangeEvent {
  static var mayMoveInIndexes: Bool { false }
  var changed: Account.ID { account }
  /// Changes nothing: the event only describes the entries that follow.
  func change(_ account: inout Account, _ head: EntryHead) {}
}

extension Table<Account> {
  /// Whether the account exists and was not erased. The account is not copied for the answer.
  package func isThere(_ number: Account.ID) -> Bool {
    place(of: number).map { !elements[$0].isErased } ?? false
  }

  /// The account that a key names, if it exists and was not erased.
  package func present(_ key: Key) -> Account.ID? {
    number(of: key).flatMap { isThere($0) ? $0 : nil }
  }

  /// The names that an account's apps use for its rows. The account is not copied for the answer.
  package func rowNames(of number: Account.ID) -> RowNames {
    place(of: number).map { elements[$0].rowNames } ?? RowNames()
  }
}
