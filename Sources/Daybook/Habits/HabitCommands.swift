/// Takes up a habit (HH-7). Repeated by its owner with the same key it changes nothing.
public struct CreateHabit: Command {
  /// The client's name for the habit; a fresh one unless given.
  public var key: Key?
  /// What it is called and looks like.
  public var description: HabitDescription
  /// Whether it is checked or counted.
  public var type: HabitType = .checkbox
  /// What a done day needs.
  public var target = Target(.one)
  /// When it is due.
  public var schedule = Schedule.daily
  /// When the owner is reminded.
  public var reminders: [LocalTime] = []
  /// The goal that it serves.
  public var goal: Key?

  /// Makes the command.
  public init(
    key: Key? = nil, name: String, emoji: String = "", color: String = "#FF9F1C",
    question: String = "", unit: String = "", type: HabitType = .checkbox,
    target: Target = Target(.one), schedule: Schedule = .daily, reminders: [LocalTime] = [],
    goal: Key? = nil
  ) {
    self.key = key
    description = HabitDescription(
      name: name, emoji: emoji, color: color, question: question, unit: unit)
    self.type = type
    self.target = target
    self.schedule = schedule
    self.reminders = reminders
    self.goal = goal
  }

  /// Decides the command; the answer is the habit's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Habit.ID> {
    let (number, account) = try state.actor(context)
    let key = key ?? context.freshKey
    let description = try description.checked()
    try Limit.reminders.check(reminders.count, "reminders")
    try target.check()
    try schedule.check()
    if let existing = state.habits.number(of: key) {
      guard let habit = state.habits[existing], habit.owner == number, !habit.isDeleted else {
        throw .keyTaken(key)
      }
      return Decision([], existing)
    }
    var goalNumber: Goal.ID?
    if let goal { goalNumber = try state.ownGoal(goal, of: number) }
    return Decision(
      [
        .habitCreated(
          HabitCreated(
            key: key, owner: number, goal: goalNumber, description: description, type: type,
            target: target, schedule: schedule, reminders: reminders.sorted(),
            day: try account.firstOpenDay(context)))
      ], state.habits.nextNumber)
  }
}

/// Changes what a habit is called, asks, or when it is due; schedule and target act from today on (HH-7).
public struct UpdateHabit: Command {
  /// The habit.
  public var habit: Habit.ID
  /// The name.
  public var name: Edit<String> = .keep
  /// A picture for it.
  public var emoji: Edit<String> = .keep
  /// Its colour.
  public var color: Edit<String> = .keep
  /// The question that asks for it.
  public var question: Edit<String> = .keep
  /// What its values count.
  public var unit: Edit<String> = .keep
  /// Whether it is checked or counted.
  public var type: Edit<HabitType> = .keep
  /// The amount of its target.
  public var target: Edit<Amount> = .keep
  /// The bound of its target.
  public var bound: Edit<Target.Bound> = .keep
  /// When it is due.
  public var schedule: Edit<Schedule> = .keep
  /// When the owner is reminded.
  public var reminders: Edit<[LocalTime]> = .keep

  /// Makes a command that changes nothing yet.
  public init(_ habit: Habit.ID) { self.habit = habit }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Habit.ID> {
    let (found, account) = try state.ownHabit(habit, context)
    var events: [Event] = []
    let old = found.description
    let description = try HabitDescription(
      name: name.applied(to: old.name), emoji: emoji.applied(to: old.emoji),
      color: color.applied(to: old.color), question: question.applied(to: old.question),
      unit: unit.applied(to: old.unit)
    ).checked()
    if description != old {
      events.append(.habitDescribed(HabitDescribed(habit: habit, description: description)))
    }
    // After a journey west today may be closed: a change acts from the first open day (law 5).
    let today = try account.firstOpenDay(context)
    let newSchedule = schedule.applied(to: found.version.schedule)
    if newSchedule != found.version.schedule {
      try newSchedule.check()
      events.append(
        .habitScheduleChanged(
          HabitScheduleChanged(habit: habit, schedule: newSchedule, day: today)))
    }
    let newTarget = Target(
      target.applied(to: found.version.target.amount), bound.applied(to: found.version.target.bound)
    )
    let newType = type.applied(to: found.type)
    if newTarget != found.version.target || newType != found.type {
      try newTarget.check()
      events.append(
        .habitTargetChanged(
          HabitTargetChanged(habit: habit, type: newType, target: newTarget, day: today)))
    }
    let newReminders = reminders.applied(to: found.reminders).sorted()
    if newReminders != found.reminders {
      try Limit.reminders.check(newReminders.count, "reminders")
      events.append(
        .habitRemindersChanged(HabitRemindersChanged(habit: habit, reminders: newReminders)))
    }
    return Decision(events, habit)
  }
}

/// Lays a habit aside from today on. An archived one stays as it is.
public struct ArchiveHabit: Command {
  /// The habit.
  public var habit: Habit.ID

  /// Makes the command.
  public init(_ habit: Habit.ID) { self.habit = habit }

  /// Decides the command. An archived habit loses the focus.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Habit.ID> {
    let (found, account) = try state.ownHabit(habit, context)
    guard !found.isArchived else { return Decision([], habit) }
    let day = try account.firstOpenDay(context)
    return Decision(
      [.habitArchived(HabitArchived(habit: habit, day: day))]
        + account.endOfFocus(on: [habit], found.owner), habit)
  }
}

/// Takes an archived habit up again: today counts. Any other habit stays as it is.
public struct RestoreHabit: Command {
  /// The habit.
  public var habit: Habit.ID

  /// Makes the command.
  public init(_ habit: Habit.ID) { self.habit = habit }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Habit.ID> {
    let (found, account) = try state.ownHabit(habit, context)
    guard found.isArchived else { return Decision([], habit) }
    let day = try account.firstOpenDay(context)
    return Decision([.habitRestored(HabitRestored(habit: habit, day: day))], habit)
  }
}

/// Deletes a habit with its logs; both are found by time travel.
public struct DeleteHabit: Command {
  /// The habit.
  public var habit: Habit.ID

  /// Makes the command.
  public init(_ habit: Habit.ID) { self.habit = habit }

  /// Decides the command. A deleted habit loses the focus.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Habit.ID> {
    let (found, account) = try state.ownHabit(habit, context)
    return Decision(
      [.habitDeleted(HabitDeleted(habit: habit))] + account.endOfFocus(on: [habit], found.owner),
      habit)
  }
}

/// Makes a habit the actor's one focus, or gives the focus up (DG-2).
public struct ChooseFocus: Command {
  /// The habit; none to give the focus up.
  public var habit: Habit.ID?

  /// Makes the command.
  public init(_ habit: Habit.ID?) { self.habit = habit }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    let (number, account) = try state.actor(context)
    if let habit {
      let (found, _) = try state.ownHabit(habit, context)
      guard !found.isArchived else { throw .habitArchived(found.description.name) }
    }
    guard account.focusHabit != habit else { return Decision([], number) }
    return Decision([.focusChosen(FocusChosen(account: number, habit: habit))], number)
  }
}

/// Where a habit and its owner stand in their tables.
struct HabitPlace {
  var habit: Int
  var account: Int
}

extension State {
  /// A habit that is there and the actor's own.
  func ownHabit(
    _ number: Habit.ID, _ context: Context
  ) throws(Rejection) -> (Habit, Account) {
    let place = try placeOfOwnHabit(number, context)
    return (habits.elements[place.habit], accounts.elements[place.account])
  }

  /// Where a habit stands that is there and the actor's own, and where the actor does.
  func placeOfOwnHabit(
    _ number: Habit.ID, _ context: Context
  ) throws(Rejection) -> HabitPlace {
    let account = try placeOfActor(context)
    guard let habit = habits.place(of: number), !habits.elements[habit].isDeleted else {
      throw .habitNotFound
    }
    guard habits.elements[habit].owner == context.actor else { throw .notOwner(of: .habit) }
    return HabitPlace(habit: habit, account: account)
  }

  fileprivate func ownGoal(
    _ key: Key, of account: Account.ID
  ) throws(Rejection) -> Goal.ID {
    guard let number = goals.number(of: key), let goal = goals[number], !goal.isDeleted else {
      throw .goalNotFound
    }
    guard goal.owner == account else { throw .notOwner(of: .goal) }
    return number
  }
}

extension Account {
  /// The day from which a change acts: today, or later after a journey west, for a day once closed stays as
  /// it was judged (law 5).
  func firstOpenDay(_ context: Context) throws(Rejection) -> Day {
    max(try today(context), closedBefore)
  }

  /// The event by which the focus ends when it is on one of the habits.
  func endOfFocus(on habits: [Habit.ID], _ number: Account.ID) -> [Event] {
    guard let focusHabit, habits.contains(focusHabit) else { return [] }
    return [.focusChosen(FocusChosen(account: number, habit: nil))]
  }
}

extension Target {
  /// An at-least target of zero would make every logged day done; an at-most target of zero is abstinence.
  fileprivate func check() throws(Rejection) {
    guard bound == .atMost || amount > .zero else { throw .invalidTarget }
  }
}

extension Schedule {
  /// The cases are public, so a quota may not have come through ``quota(_:in:)``.
  fileprivate func check() throws(Rejection) {
    guard case .quota(let times, let days) = self else { return }
    guard Schedule.quota(times, in: days) == self else { throw .invalidSchedule }
  }
}

extension HabitDescription {
  func checked() throws(Rejection) -> HabitDescription {
    var description = self
    description.name = name.trimmingSpace
    guard !description.name.isEmpty else { throw .emptyHabitName }
    try Limit.name.check(description.name, "name")
    try Limit.name.check(emoji, "emoji")
    try Limit.name.check(unit, "unit")
    try Limit.text.check(question, "question")
    guard !(description.name + emoji + unit).hasControls else { throw .invalidHabitName }
    let digits = color.utf8.dropFirst()
    guard color.utf8.first == UInt8(ascii: "#"), digits.count == 6,
      color.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { throw .invalidColor(color, "color_hex") }
    return description
  }
}
