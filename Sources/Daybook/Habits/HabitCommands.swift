package import Values
package import Calendar
package import Streaks
public import Avro

/// Takes up a habit (HH-7). Repeated by its owner with the same key and content it changes
/// nothing.
public struct CreateHabit: ColumnCommand {
  /// The client's name for the habit; a fresh one unless given.
  package var key: Key?
  /// What is asked of its owner.
  package var content: HabitContent
  /// The goal that it serves.
  package var goal: Key?

  /// Makes the command. A habit with another target than once is counted, unless `type` says otherwise.
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

  /// "create_habit".
  package static let form = CommandForm("create_habit", "Takes up a habit.", answer: "habit")
  /// A daily habit without a name, done once.
  public static var defaults: CreateHabit { CreateHabit(name: "") }

  /// `key`, what is asked, `goal`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("key", &key)
    try content.visitColumns(&visitor)
    try visitor.column("goal", &goal)
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
    if let existing = state.habits.number(of: key) {
      guard let habit = state.habits[existing], habit.owner == number, !habit.isDeleted,
        habit.content == content, habit.goal.flatMap({ state.goals[$0]?.key }) == goal
      else { throw .keyTaken(key) }
      return Decision([], existing)
    }
    var goalNumber: Goal.ID?
    if let goal { goalNumber = try state.ownGoal(goal, of: number) }
    return Decision(
      [
        .habitCreated(
          HabitCreated(
            key: key, owner: number, goal: goalNumber, description: content.description,
            type: content.type, target: content.target, schedule: content.schedule,
            reminders: content.reminders, day: try account.firstOpenDay(context)))
      ], state.habits.nextNumber)
  }
}

/// Changes what a habit is called, asks, or when it is due; schedule and target act from today on (HH-7).
public struct UpdateHabit: ColumnCommand {
  /// The habit.
  package var habit: Habit.ID
  /// What changes.
  package var patch: Patch<HabitContent>

  /// Makes a command that changes nothing yet.
  public init(_ habit: Habit.ID) {
    self.habit = habit
    patch = Patch()
  }

  /// Makes a command that sets what the closure sets.
  ///
  /// - Throws: what it throws.
  public init(_ habit: Habit.ID, _ set: (inout HabitContent) throws -> Void) rethrows {
    self.habit = habit
    patch = try Patch(set)
  }

  /// "update_habit".
  package static let form = CommandForm(
    "update_habit", "Changes a habit; its schedule and target from today on.", answer: "habit")
  /// Nothing changes.
  public static var defaults: UpdateHabit { UpdateHabit(.placeholder) }

  /// `habit`, and what changes.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
    try visitor.columns(&patch)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Habit.ID> {
    let (found, account) = try state.ownHabit(habit, context)
    let old = found.content
    var new = patch.applied(to: old)
    var events: [Event] = []
    new.description = try new.description.checked()
    if new.description != old.description {
      events.append(.habitDescribed(HabitDescribed(habit: habit, description: new.description)))
    }
    // After a journey west today may be closed: a change acts from the first open day (law 5).
    let today = try account.firstOpenDay(context)
    if new.schedule != old.schedule {
      try new.schedule.check()
      events.append(
        .habitScheduleChanged(
          HabitScheduleChanged(habit: habit, schedule: new.schedule, day: today)))
    }
    if new.target != old.target || new.type != old.type {
      try new.target.check()
      events.append(
        .habitTargetChanged(
          HabitTargetChanged(habit: habit, type: new.type, target: new.target, day: today)))
    }
    new.reminders.sort()
    if new.reminders != old.reminders {
      try Limit.reminders.check(new.reminders.count, "reminders")
      events.append(
        .habitRemindersChanged(HabitRemindersChanged(habit: habit, reminders: new.reminders)))
    }
    return Decision(events, habit)
  }
}

/// Lays a habit aside from today on. An archived one stays as it is.
public struct ArchiveHabit: ColumnCommand {
  /// The habit.
  package var habit: Habit.ID

  /// Makes the command.
  public init(_ habit: Habit.ID) { self.habit = habit }

  /// "archive_habit".
  package static let form = CommandForm(
    "archive_habit", "Lays a habit aside from today on.", answer: "habit")
  /// Of nothing yet.
  public static var defaults: ArchiveHabit { ArchiveHabit(.placeholder) }

  /// The command's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
  }

  /// Decides the command. An archived habit loses the focus.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
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
public struct RestoreHabit: ColumnCommand {
  /// The habit.
  package var habit: Habit.ID

  /// Makes the command.
  public init(_ habit: Habit.ID) { self.habit = habit }

  /// "restore_habit".
  package static let form = CommandForm(
    "restore_habit", "Takes an archived habit up again.", answer: "habit")
  /// Of nothing yet.
  public static var defaults: RestoreHabit { RestoreHabit(.placeholder) }

  /// The command's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Habit.ID> {
    let (found, account) = try state.ownHabit(habit, context)
    guard found.isArchived else { return Decision([], habit) }
    let day = try account.firstOpenDay(context)
    return Decision([.habitRestored(HabitRestored(habit: habit, day: day))], habit)
  }
}

/// Deletes a habit with its logs; both are found by time travel.
public struct DeleteHabit: ColumnCommand {
  /// The habit.
  package var habit: Habit.ID

  /// Makes the command.
  public init(_ habit: Habit.ID) { self.habit = habit }

  /// "delete_habit".
  package static let form = CommandForm(
    "delete_habit", "Deletes a habit with its logs.", answer: "id, deleted")
  /// Of nothing yet.
  public static var defaults: DeleteHabit { DeleteHabit(.placeholder) }

  /// The command's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
  }

  /// Decides the command. A deleted habit loses the focus.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Habit.ID> {
    let (found, account) = try state.ownHabit(habit, context)
    return Decision(
      [.habitDeleted(HabitDeleted(habit: habit))] + account.endOfFocus(on: [habit], found.owner),
      habit)
  }
}

/// Makes a habit the actor's one focus, or gives the focus up (DG-2).
public struct ChooseFocus: ColumnCommand {
  /// The habit; none to give the focus up.
  package var habit: Habit.ID?

  /// Makes the command.
  public init(_ habit: Habit.ID?) { self.habit = habit }

  /// "choose_focus".
  package static let form = CommandForm(
    "choose_focus", "Makes a habit one's one focus; null gives it up.",
    answer: "user_id, habit_id")
  /// Of nothing yet.
  public static var defaults: ChooseFocus { ChooseFocus(nil) }

  /// The command's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
  }

  /// Whose focus is on what.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    ["user_id": answer.json(state), "habit_id": habit.json(state)]
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
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
