import Values
public import Calendar
public import Avro

extension Account {
  /// What a person says about themselves, and their settings (HH-1).
  public struct Profile: Columns, Hashable {
    /// The name that others see.
    package var displayName = "New Bee"
    /// The address of the picture.
    public var avatarURL: String?
    /// The IANA time zone.
    public var timeZone = "America/New_York"
    /// The hour at which the day begins, 0…23.
    public var dayStartHour = 4
    /// The theme of the app.
    public var theme: Theme = .honey
    /// The day of birth.
    public var birthday: Day?
    /// Whether notifications are sent.
    public var notificationsAreOn = false
    /// The local times of notifications.
    public var notificationTimes: [LocalTime] = []

    /// The default profile.
    public init() {}

    /// The clock that assigns instants to the person's days.
    public var dayClock: DayClock { DayClock(timeZone: timeZone, dayStartHour: dayStartHour) }

    /// The default profile.
    public static var defaults: Profile { Profile() }

    /// All columns.
    public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitFirstColumns(&visitor)
      try visitor.column("birthday", &birthday)
      try visitNotifications(&visitor)
    }

    /// The columns that an account begins with.
    mutating func visitFirstColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.column("display_name", &displayName, [.bounds(["minLength": 1])])
      try visitor.column(
        "avatar_url", &avatarURL, [.bounds(["maxLength": .number(Limit.address.maximum)])])
      try visitor.column("timezone", &timeZone, [.doc("an IANA time zone")])
      try visitor.column(
        "day_start_hour", &dayStartHour,
        [.doc("the hour at which the day begins"), .bounds(["minimum": 0, "maximum": 23])])
      try visitor.column("theme", &theme)
    }

    /// Whether and when the person is notified.
    mutating func visitNotifications<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.column("notifications_enabled", &notificationsAreOn)
      try visitor.column(
        "notification_times", &notificationTimes,
        [.doc("local times; \(Limit.notificationTimes.maximum) at most")])
    }
  }

  /// The account's profile.
  public var profile: Profile {
    var profile = Profile()
    profile.displayName = displayName
    profile.avatarURL = avatarURL
    profile.timeZone = dayClock.timeZone
    profile.dayStartHour = dayClock.dayStartHour
    profile.theme = theme
    profile.birthday = birthday
    profile.notificationsAreOn = notifications.isOn
    profile.notificationTimes = notifications.times
    return profile
  }

  /// The events that turn the profile into another one.
  func changing(
    to new: Profile, _ number: Account.ID, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    var events: [Event] = []
    var advances: [Event] = []
    let changed = ProfileChanged(
      account: number, displayName: try trimmedName(new.displayName), avatarURL: new.avatarURL,
      theme: new.theme)
    if changed.displayName != displayName || changed.avatarURL != avatarURL
      || changed.theme != theme
    {
      events.append(.profileChanged(changed))
    }
    if new.dayClock != dayClock {
      try new.dayClock.check(context)
      // A zone that this machine no longer knows closes no further day, and can be replaced.
      let moved = DayClockChanged(
        account: number, timeZone: new.timeZone, dayStartHour: Int32(clamping: new.dayStartHour),
        closedBefore: closedDay(before: new.dayClock, number, state, context))
      events.append(.dayClockChanged(moved))
      advances = state.advances(after: moved, context)
    }
    if new.birthday != birthday {
      try new.checkBirthday(context)
      events.append(.birthdayChanged(BirthdayChanged(account: number, birthday: new.birthday)))
    }
    let notified = Notifications(
      isOn: new.notificationsAreOn, times: Set(new.notificationTimes).sorted())
    try Limit.notificationTimes.check(notified.times.count, "notification_times")
    if notified != notifications {
      events.append(
        .notificationsChanged(
          NotificationsChanged(account: number, isOn: notified.isOn, times: notified.times)))
    }
    return events + advances
  }
}

extension Account {
  /// The first day that is still open when the clock changes. A person without habits or hives has lived by no clock
  /// yet: the zone that an account begins with is only a default until its person sets one (HH-5).
  private func closedDay(
    before new: DayClock, _ number: Account.ID, _ state: BookState, _ context: Context
  ) -> Day {
    let open = openDay(at: context.at, in: context.zones)
    let hasDays =
      !state.allHabits(of: number).isEmpty || !state.indexes.hives.hives(of: number).isEmpty
    guard !hasDays, let day = new.latestDay(upTo: context.at, in: context.zones) else {
      return open
    }
    return min(open, day)
  }
}

extension Account.Profile {
  fileprivate func checkBirthday(_ context: Context) throws(Rejection) {
    guard let birthday else { return }
    guard let today = dayClock.day(of: context.at, in: context.zones) else {
      throw .unknownTimeZone(timeZone)
    }
    guard birthday <= today else { throw .futureBirthday(birthday) }
  }
}

/// Changes the actor's own profile (HH-1).
public struct UpdateProfile: OwnAccountCommand, ChangingCommand {
  /// The changes.
  package var patch: Patch<Account.Profile>
  /// Whether the command changes nothing.
  package var isEmpty: Bool { patch.isEmpty }

  public init(_ set: (inout Account.Profile) -> Void = { _ in }) { patch = Patch(set) }

  package static let form = CommandForm(
    "update_profile", "Changes your own profile.", answer: "profile")
  /// Nothing changes.
  public static var defaults: UpdateProfile { UpdateProfile() }

  /// The columns that change.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(&patch)
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    let new = patch.applied(to: account.profile)
    if patch.has("avatar_url") { try Limit.address.check(new.avatarURL, "avatar_url") }
    return try account.changing(to: new, number, state, context)
  }
}
