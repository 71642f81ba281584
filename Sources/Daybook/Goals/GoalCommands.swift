public import Avro

/// Sets a goal (MO-2). Repeated by its owner with the same key it changes nothing.
public struct CreateGoal: Command {
  /// The client's name for the goal; a fresh one unless given.
  public var key: Key?
  /// What it is called.
  public var title: String
  /// More about it.
  public var description: String?

  /// Makes the command.
  public init(key: Key? = nil, title: String, description: String? = nil) {
    self.key = key
    self.title = title
    self.description = description
  }

  /// Decides the command; the answer is the goal's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: State, _ context: Context) throws(Rejection) -> Decision<Goal.ID> {
    let owner = try state.actor(context).0
    let key = key ?? context.freshKey
    if let existing = state.goals.number(of: key) {
      guard let goal = state.goals[existing], goal.owner == owner, !goal.isDeleted else {
        throw .keyTaken(key)
      }
      return Decision([], existing)
    }
    return Decision(
      [
        .goalCreated(
          GoalCreated(
            key: key, owner: owner, title: try checkedTitle(title),
            description: try checkedDescription(description)))
      ], state.goals.nextNumber)
  }
}

/// Changes a goal's title or description.
public struct UpdateGoal: Command {
  /// The goal.
  public var goal: Goal.ID
  /// What it is called.
  public var title: Edit<String>
  /// More about it.
  public var description: Edit<String?>

  /// Makes the command.
  public init(_ goal: Goal.ID, title: Edit<String> = .keep, description: Edit<String?> = .keep) {
    self.goal = goal
    self.title = title
    self.description = description
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: State, _ context: Context) throws(Rejection) -> Decision<Goal.ID> {
    let found = try state.ownGoal(goal, context)
    let described = GoalDescribed(
      goal: goal, title: try checkedTitle(title.applied(to: found.title)),
      description: try checkedDescription(description.applied(to: found.description)))
    guard described.title != found.title || described.description != found.description else {
      return Decision([], goal)
    }
    return Decision([.goalDescribed(described)], goal)
  }
}

/// Deletes a goal with its habits and their logs, in one commit (MO-2); time travel finds them.
public struct DeleteGoal: Command {
  /// The goal.
  public var goal: Goal.ID

  /// Makes the command.
  public init(_ goal: Goal.ID) { self.goal = goal }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: State, _ context: Context) throws(Rejection) -> Decision<Goal.ID> {
    let found = try state.ownGoal(goal, context)
    let (_, account) = try state.actor(context)
    let habits = state.habitIndex.habits(serving: goal)
    return Decision(
      habits.map { .habitDeleted(HabitDeleted(habit: $0)) }
        + [.goalDeleted(GoalDeleted(goal: goal))] + account.endOfFocus(on: habits, found.owner),
      goal)
  }
}

/// Lets a habit serve a goal; it leaves the one it served before (MO-3).
public struct AttachHabit: ColumnCommand {
  /// The habit.
  public var habit: Habit.ID
  /// The goal.
  public var goal: Goal.ID

  /// Makes the command.
  public init(_ habit: Habit.ID, to goal: Goal.ID) {
    self.habit = habit
    self.goal = goal
  }

  /// "attach_habit".
  public static var form: CommandForm {
    CommandForm("attach_habit", "Says which goal a habit serves.", answer: "habit")
  }
  /// Of nothing yet.
  public static var defaults: AttachHabit { AttachHabit(.blank, to: .blank) }

  /// The command's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
    try visitor.column("goal", &goal, [.needed])
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Habit.ID> {
    let (found, _) = try state.ownHabit(habit, context)
    _ = try state.ownGoal(goal, context)
    guard found.goal != goal else { return Decision([], habit) }
    return Decision([.habitAttached(HabitAttached(habit: habit, goal: goal))], habit)
  }
}

/// Lets a habit serve no goal.
public struct DetachHabit: ColumnCommand {
  /// The habit.
  public var habit: Habit.ID

  /// Makes the command.
  public init(_ habit: Habit.ID) { self.habit = habit }

  /// "detach_habit".
  public static var form: CommandForm {
    CommandForm("detach_habit", "Says that a habit serves no goal.", answer: "habit")
  }
  /// Of nothing yet.
  public static var defaults: DetachHabit { DetachHabit(.blank) }

  /// The command's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Habit.ID> {
    let (found, _) = try state.ownHabit(habit, context)
    guard found.goal != nil else { return Decision([], habit) }
    return Decision([.habitDetached(HabitDetached(habit: habit))], habit)
  }
}

extension State {
  fileprivate func ownGoal(_ number: Goal.ID, _ context: Context) throws(Rejection) -> Goal {
    let (actor, _) = try self.actor(context)
    guard let goal = goals[number], !goal.isDeleted else { throw .goalNotFound }
    guard goal.owner == actor else { throw .notOwner(of: .goal) }
    return goal
  }
}

private func checkedTitle(_ title: String) throws(Rejection) -> String {
  let trimmed = title.trimmingSpace
  guard !trimmed.isEmpty else { throw .emptyGoalTitle }
  try Limit.title.check(trimmed, "title")
  guard !trimmed.hasControls else { throw .invalidTitle }
  return trimmed
}

private func checkedDescription(_ description: String?) throws(Rejection) -> String? {
  try Limit.text.check(description, "description")
  return description
}
