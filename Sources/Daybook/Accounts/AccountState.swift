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
  /// Where the picture is.
  public internal(set) var avatarURL: String?
  /// How the person's days are told from instants.
  public internal(set) var dayClock: DayClock
  /// Days before this one were closed by an earlier day clock, and stay so (law 5).
  public internal(set) var closedBefore: Day = .first
  /// How the app looks.
  public internal(set) var theme: Theme
  /// When the account was created.
  public internal(set) var created: Instant
  /// When the profile last changed.
  public internal(set) var updated: Instant
  /// The pauses, in the order in which they were made.
  public internal(set) var pauses: [Pause] = []
  /// Whether it was erased; then nobody acts for it any more.
  public internal(set) var isErased = false
  /// Which habit had the focus, and when; the last one's end is open while it has it (DG-2).
  public internal(set) var focus: [FocusSpan] = []
  /// The day of birth, if it was told (DG-1).
  public internal(set) var birthday: Day?
  /// Whether and when the person is notified.
  public internal(set) var notifications = Notifications()
  /// When the person went through the onboarding (HH-5).
  public internal(set) var onboarded: Instant?
  /// By what the person is recognised, in the order of linking.
  public internal(set) var identities: [Link] = []
  /// Where pushes go, in the order of registering (HH-4).
  public internal(set) var devices: [Device] = []
  /// Whom the person knows, ascending by hash (HH-6).
  public internal(set) var contacts: [Contact] = []
  /// Whether the person asked for the paid version (MO-7). It unlocks nothing.
  public internal(set) var upgradeInterest: UpgradeInterest?
  /// The order in which the account sees its habits; those that are not in it come after them, as they were created.
  package internal(set) var habitOrder: [Habit.ID] = []
  /// The day clocks that it had before, oldest first.
  public internal(set) var pastClocks: [PastClock] = []
  /// What its apps call rows of their tables, where the book has another name for them.
  package internal(set) var rowNames = RowNames()

  /// Days on which nothing is asked of the account.
  public struct Pause: Hashable, Sendable {
    /// The days.
    public var days: DaySpan
    /// When the pause was made.
    public var created: Instant
  }

  /// How long a habit had the focus.
  public struct FocusSpan: Hashable, Sendable {
    /// The habit.
    public var habit: Habit.ID
    /// When it was chosen.
    public var since: Instant
    /// When another was chosen or the focus given up; none while it has it.
    public var until: Instant?
  }

  /// A day clock that was changed.
  public struct PastClock: Hashable, Sendable {
    /// The clock.
    public var clock: DayClock
    /// When it was changed.
    public var until: Instant
  }

  /// The day clock that was in force at an instant.
  func clock(at instant: Instant) -> DayClock {
    pastClocks.first { instant < $0.until }?.clock ?? dayClock
  }

  /// The days that the account never had because its zone left them out of the calendar, ascending.
  ///
  /// What counts is the zone of the account just before the day first ended somewhere on Earth. For a day before the
  /// account began, it is the account's first zone. So no change of the zone changes a closed day (law 5).
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

  /// Days on which nothing is asked of an account, whatever its habits ask.
  struct FreeDays: Hashable, Sendable {
    /// The spans of days that it paused.
    var pauses: [Pause] = []
    /// The days that its zone left out of the calendar, ascending.
    var leftOut: [Day] = []

    func contains(_ day: Day) -> Bool {
      leftOut.contains(day) || pauses.contains { $0.days.contains(day) }
    }
  }

  var freeDays: FreeDays { FreeDays(pauses: pauses, leftOut: daysLeftOut) }

  /// Takes a change of the day clock, made at an instant, into account.
  mutating func take(_ event: DayClockChanged, at instant: Instant) {
    pastClocks.append(PastClock(clock: dayClock, until: instant))
    dayClock = DayClock(timeZone: event.timeZone, dayStartHour: Int(event.dayStartHour))
    closedBefore = max(closedBefore, event.closedBefore)
  }

  /// Nobody's but its own.
  public var ownedBy: Account.ID? { nil }
  /// An account is erased, never deleted.
  public var isDeleted: Bool { false }

  /// The habit that has the focus now, if one does.
  public var focusHabit: Habit.ID? {
    guard let last = focus.last, last.until == nil else { return nil }
    return last.habit
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
    account.take(self, at: head.at)
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

extension PausesReverted: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    account.pauses = pauses
  }
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
  /// It says of the entries that follow what they are, and changes nothing itself.
  func change(_ account: inout Account, _ head: EntryHead) {}
}

extension Table<Account> {
  /// Whether there is an account of that number, and it was not erased. It is not copied for that.
  package func isThere(_ number: Account.ID) -> Bool {
    place(of: number).map { !elements[$0].isErased } ?? false
  }

  /// The account that a key names, if it is there and was not erased.
  package func present(_ key: Key) -> Account.ID? {
    number(of: key).flatMap { isThere($0) ? $0 : nil }
  }

  /// What an account's apps call its rows. The account is not copied for that.
  package func rowNames(of number: Account.ID) -> RowNames {
    place(of: number).map { elements[$0].rowNames } ?? RowNames()
  }
}
