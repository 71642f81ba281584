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
  package static var form: CommandForm {
    CommandForm("create_habit", "Takes up a habit.", answer: "habit")
  }
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
  package static var form: CommandForm {
    CommandForm(
      "update_habit", "Changes a habit; its schedule and target from today on.", answer: "habit")
  }
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
  package static var form: CommandForm {
    CommandForm("archive_habit", "Lays a habit aside from today on.", answer: "habit")
  }
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
  package static var form: CommandForm {
    CommandForm("restore_habit", "Takes an archived habit up again.", answer: "habit")
  }
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
  package static var form: CommandForm {
    CommandForm("delete_habit", "Deletes a habit with its logs.", answer: "id, deleted")
  }
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
  package static var form: CommandForm {
    CommandForm(
      "choose_focus", "Makes a habit one's one focus; null gives it up.",
      answer: "user_id, habit_id")
  }
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

/// Where a habit and its owner stand in their tables.
struct HabitPlace {
  var habit: Int
  var account: Int
}

extension BookState {
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
  func check() throws(Rejection) {
    guard bound == .atMost || amount > .zero else { throw .invalidTarget }
  }
}

extension Schedule {
  /// The cases are public, so a quota may not have come through ``quota(_:in:)``.
  func check() throws(Rejection) {
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
    try ColorText.check(color, "color_hex")
    return description
  }
}
