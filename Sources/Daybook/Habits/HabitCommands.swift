package import Values
package import Calendar
package import Streaks
public import Avro

/// Creates a habit (HH-7). Repeated by its owner with the same key and content it changes nothing.
public struct CreateHabit: ColumnCommand {
  /// The client's name for the habit; a fresh one unless given.
  package var key: Key?
  package var content: HabitContent
  /// The goal that it serves.
  package var goal: Key?
  /// When it began by the clock of its app; now if that is not given, or lies in the future.
  package var begun: Instant?

  /// Makes the command. A habit whose target is not once is counted, unless `type` says otherwise.
  public init(
    key: Key? = nil, name: String, emoji: String = "",
    color: String = HabitDescription.usualColor,
    question: String = "", unit: String = "", type: HabitType? = nil,
    target: Target = Target(.one), schedule: Schedule = .daily, reminders: [LocalTime] = [],
    goal: Key? = nil
  ) {
    self.key = key
    content = HabitContent(
      description: HabitDescription(
        name: name, emoji: emoji, color: color, question: question, unit: unit),
      type: type ?? (target == Target(.one) ? .checkbox : .counter), target: target,
      schedule: schedule, reminders: reminders)
    self.goal = goal
  }

  package static let form = CommandForm("create_habit", "Creates a habit.", answer: "habit")
  /// A daily habit without a name, done once.
  public static var defaults: CreateHabit { CreateHabit(name: "") }

  /// `key`, the columns of the content, `goal`, `created_at`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("key", &key)
    try content.visitColumns(&visitor)
    try visitor.column("goal", &goal)
    try visitor.column("created_at", &begun, [.created])
  }

  /// Decides the command; the answer is the habit's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Habit.ID> {
    let (number, account) = try state.actor(context)
    let key = key ?? context.freshKey
    let content = try content.checked()
    let known = try state.known(key, in: state.habits) { habit in
      habit.owner == number && habit.content == content
        && habit.goal.flatMap({ state.goals[$0]?.key }) == goal
    }
    if let known { return Decision([], known) }
    var goalNumber: Goal.ID?
    if let goal {
      guard let served = state.goals.number(of: goal) else { throw .goalNotFound }
      _ = try state.own(served, context)
      goalNumber = served
    }
    return Decision(
      [
        .habitCreated(
          HabitCreated(
            key: key, owner: number, goal: goalNumber, description: content.description,
            type: content.type, target: content.target, schedule: content.schedule,
            reminders: content.reminders, day: try account.firstOpenDay(context),
            begun: context.begun(begun)))
      ], state.habits.nextNumber)
  }
}

/// Changes a habit's name, look, schedule, target or reminders; schedule and target take effect today (HH-7).
public struct UpdateHabit: PatchCommand {
  package var thing: Habit.ID
  /// The changes.
  package var patch: Patch<HabitContent>

  public init(_ habit: Habit.ID) {
    thing = habit
    patch = Patch()
  }

  /// Makes a command that sets what the closure sets.
  ///
  /// - Throws: what it throws.
  public init(_ habit: Habit.ID, _ set: (inout HabitContent) throws -> Void) rethrows {
    thing = habit
    patch = try Patch(set)
  }

  package static let form = CommandForm(
    "update_habit", "Changes a habit; its schedule and target from today on.", answer: "habit")
  /// Nothing changes.
  public static var defaults: UpdateHabit { UpdateHabit(.placeholder) }

  func events(_ found: Habit, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    let old = found.content
    var new = patch.applied(to: old)
    var events: [Event] = []
    new.description = try new.description.checked()
    if new.description != old.description {
      events.append(.habitDescribed(HabitDescribed(habit: thing, description: new.description)))
    }
    // After a journey west today may be closed: a change takes effect on the first open day (law 5).
    let today = try state.firstOpenDay(context)
    if new.schedule != old.schedule {
      try new.schedule.check()
      events.append(
        .habitScheduleChanged(
          HabitScheduleChanged(habit: thing, schedule: new.schedule, day: today)))
    }
    if new.target != old.target || new.type != old.type {
      try new.target.check()
      events.append(
        .habitTargetChanged(
          HabitTargetChanged(habit: thing, type: new.type, target: new.target, day: today)))
    }
    new.reminders.sort()
    if new.reminders != old.reminders {
      try Limit.reminders.check(new.reminders.count, "reminders")
      events.append(
        .habitRemindersChanged(HabitRemindersChanged(habit: thing, reminders: new.reminders)))
    }
    return events
  }
}

/// Archives a habit from today on. An archived habit stays as it is.
public struct ArchiveHabit: BareEntityCommand {
  package var thing: Habit.ID

  public init(_ habit: Habit.ID) { thing = habit }

  package static let form = CommandForm(
    "archive_habit", "Archives a habit from today on.", answer: "habit")

  /// The events; an archived habit loses the focus.
  func events(_ found: Habit, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    guard !found.isArchived else { return [] }
    let day = try state.firstOpenDay(context)
    return [.habitArchived(HabitArchived(habit: thing, day: day))]
      + state.endOfFocus(on: [thing], of: found.owner)
  }
}

/// Restores an archived habit: today counts. Any other habit stays as it is.
public struct RestoreHabit: BareEntityCommand {
  package var thing: Habit.ID

  public init(_ habit: Habit.ID) { thing = habit }

  package static let form = CommandForm(
    "restore_habit", "Restores an archived habit.", answer: "habit")

  func events(_ found: Habit, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    guard found.isArchived else { return [] }
    let day = try state.firstOpenDay(context)
    return [.habitRestored(HabitRestored(habit: thing, day: day))]
  }
}

/// Deletes a habit with its logs; as-of queries still find both.
public struct DeleteHabit: BareEntityCommand {
  package var thing: Habit.ID

  public init(_ habit: Habit.ID) { thing = habit }

  package static let form = CommandForm(
    "delete_habit", "Deletes a habit with its logs.", answer: "id, deleted")

  /// The events; a deleted habit loses the focus.
  func events(_ found: Habit, _ state: BookState, _ context: Context) -> [Event] {
    [.habitDeleted(HabitDeleted(habit: thing))] + state.endOfFocus(on: [thing], of: found.owner)
  }
}

/// Makes a habit the actor's one focus, or gives the focus up (DG-2).
public struct ChooseFocus: OwnAccountCommand {
  /// The habit; none to give the focus up.
  package var habit: Habit.ID?

  public init(_ habit: Habit.ID?) { self.habit = habit }

  package static let form = CommandForm(
    "choose_focus", "Puts the focus on one habit; null removes the focus.",
    answer: "user_id, habit_id")
  /// The defaults; no habit is named yet.
  public static var defaults: ChooseFocus { ChooseFocus(nil) }

  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
  }

  /// The account and the habit that has its focus.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    ["user_id": answer.json(state), "habit_id": habit.json(state)]
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    if let habit {
      let found = try state.own(habit, context)
      guard !found.isArchived else { throw .habitArchived(found.description.name) }
    }
    return account.focusHabit == habit
      ? [] : [.focusChosen(FocusChosen(account: number, habit: habit))]
  }
}
