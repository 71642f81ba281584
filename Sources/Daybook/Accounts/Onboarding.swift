/// Ends the actor's onboarding (HH-5): all that was chosen in its steps, in one commit. Once it was ended, it
/// changes nothing any more.
public struct CompleteOnboarding: Command {
  /// How the app looks.
  public var theme: Edit<Theme> = .keep
  /// The IANA time zone.
  public var timeZone: Edit<String> = .keep
  /// The hour at which the day begins, 0…6 here; a profile may have any.
  public var dayStartHour: Edit<Int> = .keep
  /// Whether anything is sent.
  public var notificationsAreOn: Edit<Bool> = .keep
  /// When, by local time.
  public var notificationTimes: Edit<[LocalTime]> = .keep
  /// The habits to begin with, two at most.
  public var habits: [Starter] = []

  /// A habit to begin with.
  public struct Starter: Hashable, Sendable {
    /// Which one.
    public var tile: StarterTile
    /// The client's name for the habit; a fresh one unless given.
    public var key: Key?

    /// Makes a starter.
    public init(_ tile: StarterTile, key: Key? = nil) {
      self.tile = tile
      self.key = key
    }
  }

  /// Makes the command.
  public init(
    theme: Edit<Theme> = .keep, timeZone: Edit<String> = .keep, dayStartHour: Edit<Int> = .keep,
    notificationsAreOn: Edit<Bool> = .keep, notificationTimes: Edit<[LocalTime]> = .keep,
    habits: [Starter] = []
  ) {
    self.theme = theme
    self.timeZone = timeZone
    self.dayStartHour = dayStartHour
    self.notificationsAreOn = notificationsAreOn
    self.notificationTimes = notificationTimes
    self.habits = habits
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    var (number, account) = try state.actor(context)
    guard account.onboarded == nil else { return Decision([], number) }
    var events = try profileEvents(state, context)
    for case .dayClockChanged(let event) in events { account.take(event) }
    // The habits begin on a day of the clock that was just chosen.
    let day = try account.firstOpenDay(context)
    for create in try commands(context) {
      for case .habitCreated(var event) in try create.decide(state, context).events {
        event.day = day
        events.append(.habitCreated(event))
      }
    }
    events.append(.accountOnboarded(AccountOnboarded(account: number)))
    return Decision(events, number)
  }

  private func profileEvents(
    _ state: State, _ context: Context
  ) throws(Rejection) -> [Event] {
    let update = UpdateProfile(
      timeZone: timeZone, dayStartHour: dayStartHour, theme: theme,
      notificationsAreOn: notificationsAreOn, notificationTimes: notificationTimes)
    if case .set(let hour) = dayStartHour, !(0...6).contains(hour) { throw .lateDayStart(hour) }
    try Limit.starterHabits.check(habits.count, "habits")
    return try update.decide(state, context).events
  }

  /// The commands that take the habits up, each with a key of its own.
  private func commands(_ context: Context) throws(Rejection) -> [CreateHabit] {
    // A context draws one key; the second habit's differs from it in a bit.
    let fresh = habits.contains { $0.key == nil } ? context.freshKey : Key(high: 0, low: 0)
    var keys: Set<Key> = []
    var commands: [CreateHabit] = []
    for (place, starter) in habits.enumerated() {
      let key = starter.key ?? Key(high: fresh.high, low: fresh.low ^ UInt64(place) << 32)
      guard keys.insert(key).inserted else { throw .keyTaken(key) }
      commands.append(starter.tile.command(key: key))
    }
    return commands
  }
}
