/// A field of an edit: left as it is, or set.
public enum Edit<Value: Sendable>: Sendable {
  /// Left as it is.
  case keep
  /// Set to a value.
  case set(Value)

  /// The value after the edit.
  func applied(to value: Value) -> Value {
    switch self {
    case .keep: value
    case .set(let new): new
    }
  }
}

extension Edit: Equatable where Value: Equatable {}

/// Begins an account (HH-1). Repeated with the same key and profile it changes nothing.
public struct CreateAccount: Command {
  /// The client's name for the account; a fresh one unless given.
  public var key: Key?
  /// The name that others see; "New Bee" unless given.
  public var displayName: String
  /// Where the picture is.
  public var avatarURL: String?
  /// The IANA time zone, and the hour at which the day begins.
  public var dayClock: DayClock
  /// How the app looks.
  public var theme: Theme

  /// Makes the command.
  public init(
    key: Key? = nil, displayName: String = "New Bee", avatarURL: String? = nil,
    timeZone: String = "America/New_York", dayStartHour: Int = 4, theme: Theme = .honey
  ) {
    self.key = key
    self.displayName = displayName
    self.avatarURL = avatarURL
    self.dayClock = DayClock(timeZone: timeZone, dayStartHour: dayStartHour)
    self.theme = theme
  }

  /// Decides the command; the answer is the account's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    let key = key ?? context.freshKey
    let name = try trimmedName(displayName)
    try Limit.address.check(avatarURL, "avatar_url")
    if let number = state.accounts.number(of: key), let account = state.accounts[number] {
      // Only who knows all of it is told of it: nobody learns another's profile by trying keys.
      guard !account.isErased, account.displayName == name, account.avatarURL == avatarURL,
        account.dayClock == dayClock, account.theme == theme
      else { throw .keyTaken(key) }
      return Decision([], number)
    }
    // Mostly nobody acts, for who begins is not there yet; but nobody acts who is not there.
    if context.actor != nil { _ = try state.placeOfActor(context) }
    try dayClock.check(context)
    return Decision(
      [
        .accountCreated(
          AccountCreated(
            key: key, displayName: name, avatarURL: avatarURL, timeZone: dayClock.timeZone,
            dayStartHour: Int32(clamping: dayClock.dayStartHour), theme: theme))
      ], state.accounts.nextNumber)
  }
}

/// Changes the actor's own profile (HH-1).
public struct UpdateProfile: Command {
  /// The name that others see.
  public var displayName: Edit<String> = .keep
  /// Where the picture is.
  public var avatarURL: Edit<String?> = .keep
  /// The IANA time zone.
  public var timeZone: Edit<String> = .keep
  /// The hour at which the day begins, 0…23.
  public var dayStartHour: Edit<Int> = .keep
  /// How the app looks.
  public var theme: Edit<Theme> = .keep
  /// The day of birth.
  public var birthday: Edit<Day?> = .keep
  /// Whether anything is sent.
  public var notificationsAreOn: Edit<Bool> = .keep
  /// When, by local time.
  public var notificationTimes: Edit<[LocalTime]> = .keep

  /// Makes the command.
  public init(
    displayName: Edit<String> = .keep, avatarURL: Edit<String?> = .keep,
    timeZone: Edit<String> = .keep, dayStartHour: Edit<Int> = .keep, theme: Edit<Theme> = .keep,
    birthday: Edit<Day?> = .keep, notificationsAreOn: Edit<Bool> = .keep,
    notificationTimes: Edit<[LocalTime]> = .keep
  ) {
    self.displayName = displayName
    self.avatarURL = avatarURL
    self.timeZone = timeZone
    self.dayStartHour = dayStartHour
    self.theme = theme
    self.birthday = birthday
    self.notificationsAreOn = notificationsAreOn
    self.notificationTimes = notificationTimes
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    let (number, account) = try state.actor(context)
    var events: [Event] = []
    if case .set(let address) = avatarURL { try Limit.address.check(address, "avatar_url") }
    let changed = ProfileChanged(
      account: number, displayName: try trimmedName(displayName.applied(to: account.displayName)),
      avatarURL: avatarURL.applied(to: account.avatarURL), theme: theme.applied(to: account.theme))
    if changed.displayName != account.displayName || changed.avatarURL != account.avatarURL
      || changed.theme != account.theme
    {
      events.append(.profileChanged(changed))
    }
    let clock = DayClock(
      timeZone: timeZone.applied(to: account.dayClock.timeZone),
      dayStartHour: dayStartHour.applied(to: account.dayClock.dayStartHour))
    if clock != account.dayClock {
      try clock.check(context)
      // A zone that this machine no longer knows closes no further day, and can be replaced.
      events.append(
        .dayClockChanged(
          DayClockChanged(
            account: number, timeZone: clock.timeZone,
            dayStartHour: Int32(clamping: clock.dayStartHour),
            closedBefore: account.openDay(at: context.at, in: context.zones))))
    }
    if let event = try birthdayEvent(number, account, clock, context) { events.append(event) }
    if let event = try notificationsEvent(number, account) { events.append(event) }
    return Decision(events, number)
  }

  private func birthdayEvent(
    _ number: Account.ID, _ account: Account, _ clock: DayClock, _ context: Context
  ) throws(Rejection) -> Event? {
    let day = birthday.applied(to: account.birthday)
    guard day != account.birthday else { return nil }
    if let day {
      guard let today = clock.day(of: context.at, in: context.zones) else {
        throw .unknownTimeZone(clock.timeZone)
      }
      guard day <= today else { throw .futureBirthday(day) }
    }
    return .birthdayChanged(BirthdayChanged(account: number, birthday: day))
  }

  private func notificationsEvent(
    _ number: Account.ID, _ account: Account
  ) throws(Rejection) -> Event? {
    let old = account.notifications
    let times = Set(notificationTimes.applied(to: old.times)).sorted()
    try Limit.notificationTimes.check(times.count, "notification_times")
    let new = Account.Notifications(isOn: notificationsAreOn.applied(to: old.isOn), times: times)
    guard new != old else { return nil }
    return .notificationsChanged(
      NotificationsChanged(account: number, isOn: new.isOn, times: new.times))
  }
}

/// Pauses the actor's account on some days, past or future (vacation).
public struct Pause: Command {
  /// The first day.
  public var first: Day
  /// The last day; none while the end is not known.
  public var last: Day?

  /// Makes the command.
  public init(first: Day, last: Day?) {
    self.first = first
    self.last = last
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    let (number, _) = try state.actor(context)
    if let last, last < first { throw .invalidPause(first: first, last: last) }
    return Decision(
      [.accountPaused(AccountPaused(account: number, first: first, last: last))], number)
  }
}

/// Ends the actor's pauses today: today counts again. Without a pause today it changes nothing.
public struct Resume: Command {
  /// Makes the command.
  public init() {}

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    let (number, account) = try state.actor(context)
    let day = max(try account.today(context), account.closedBefore)
    guard account.pauses.contains(where: { $0.days.contains(day) }) else {
      return Decision([], number)
    }
    return Decision([.accountResumed(AccountResumed(account: number, day: day))], number)
  }
}

/// Asks which day an instant is for the actor (HH-3). It changes nothing.
public struct UserLocalDate: Command {
  /// The instant; the book's clock unless given.
  public var at: Instant?

  /// Makes the command.
  public init(at: Instant? = nil) { self.at = at }

  /// Decides the command; the answer is the day.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Day> {
    let (_, account) = try state.actor(context)
    var context = context
    context.at = at ?? context.at
    return Decision([], try account.today(context))
  }
}

extension State {
  /// The account that acts.
  func actor(_ context: Context) throws(Rejection) -> (Account.ID, Account) {
    let place = try placeOfActor(context)
    guard let number = context.actor else { throw .actorMissing }
    return (number, accounts.elements[place])
  }

  /// Where the account that acts stands.
  func placeOfActor(_ context: Context) throws(Rejection) -> Int {
    guard let number = context.actor else { throw .actorMissing }
    guard let place = accounts.place(of: number), !accounts.elements[place].isErased else {
      throw .accountNotFound
    }
    return place
  }
}

extension Account {
  /// The user-local day of the context's clock.
  func today(_ context: Context) throws(Rejection) -> Day {
    guard let day = dayClock.day(of: context.at, in: context.zones) else {
      throw .unknownTimeZone(dayClock.timeZone)
    }
    return day
  }
}

extension DayClock {
  fileprivate func check(_ context: Context) throws(Rejection) {
    guard (0...23).contains(dayStartHour) else { throw .invalidDayStart(dayStartHour) }
    guard context.zones.offsetSeconds(of: timeZone, at: context.at) != nil else {
      throw .unknownTimeZone(timeZone)
    }
  }
}

/// A name without the space around it; an empty one is refused.
private func trimmedName(_ name: String) throws(Rejection) -> String {
  let trimmed = name.trimmingSpace
  guard !trimmed.isEmpty else { throw .emptyDisplayName }
  try Limit.name.check(trimmed, "display_name")
  guard !trimmed.hasControls else { throw .invalidDisplayName }
  return trimmed
}

extension String {
  /// Whether control characters stand in the text: they have no place in a line, and steer terminals.
  var hasControls: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// The text without the white space around it.
  var trimmingSpace: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
