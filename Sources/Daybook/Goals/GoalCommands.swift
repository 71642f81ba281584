package import Values
public import Avro

/// All that a person writes of a goal.
public struct GoalContent: Columns, Hashable {
  /// What it is called; never empty.
  public var title: String
  /// More about it.
  public var description: String?

  /// Makes the content.
  public init(title: String, description: String? = nil) {
    self.title = title
    self.description = description
  }

  /// Without a title.
  public static var defaults: GoalContent { GoalContent(title: "") }

  /// `title`, `description`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("title", &title, [.needed])
    try visitor.column("description", &description)
  }
}

/// Sets a goal (MO-2). Repeated by its owner with the same key and content it changes nothing.
public struct CreateGoal: ColumnCommand {
  /// The client's name for the goal; a fresh one unless given.
  package var key: Key?
  /// What it is.
  package var content: GoalContent

  /// Makes the command.
  public init(key: Key? = nil, title: String, description: String? = nil) {
    self.key = key
    content = GoalContent(title: title, description: description)
  }

  /// "create_goal".
  package static let form = CommandForm("create_goal", "Sets a goal.", answer: "goal")
  /// A goal without a title.
  public static var defaults: CreateGoal { CreateGoal(title: "") }

  /// `key`, and what the goal is.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("key", &key)
    try content.visitColumns(&visitor)
  }

  /// Decides the command; the answer is the goal's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Goal.ID>
  {
    let owner = try state.actor(context).0
    let key = key ?? context.freshKey
    let content = try content.checked()
    if let existing = state.goals.number(of: key) {
      guard let goal = state.goals[existing], goal.owner == owner, !goal.isDeleted,
        goal.title == content.title, goal.description == content.description
      else { throw .keyTaken(key) }
      return Decision([], existing)
    }
    return Decision(
      [
        .goalCreated(
          GoalCreated(
            key: key, owner: owner, title: content.title, description: content.description))
      ], state.goals.nextNumber)
  }
}

/// Changes a goal's title or description.
public struct UpdateGoal: ColumnCommand {
  /// The goal.
  package var goal: Goal.ID
  /// What changes.
  package var patch: Patch<GoalContent>

  /// Makes a command that sets what the closure sets.
  public init(_ goal: Goal.ID, _ set: (inout GoalContent) -> Void = { _ in }) {
    self.goal = goal
    patch = Patch(set)
  }

  /// "update_goal".
  package static let form = CommandForm(
    "update_goal", "Changes a goal's title or description.", answer: "goal")
  /// Nothing changes.
  public static var defaults: UpdateGoal { UpdateGoal(.placeholder) }

  /// `goal`, and what changes.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("goal", &goal, [.needed])
    try visitor.columns(&patch)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Goal.ID>
  {
    let found = try state.ownGoal(goal, context)
    let old = GoalContent(title: found.title, description: found.description)
    let content = try patch.applied(to: old).checked()
    guard content != old else { return Decision([], goal) }
    let described = GoalDescribed(
      goal: goal, title: content.title, description: content.description)
    return Decision([.goalDescribed(described)], goal)
  }
}

/// Deletes a goal with its habits and their logs, in one commit (MO-2); time travel finds them.
public struct DeleteGoal: ColumnCommand {
  /// The goal.
  package var goal: Goal.ID

  /// Makes the command.
  public init(_ goal: Goal.ID) { self.goal = goal }

  /// "delete_goal".
  package static let form = CommandForm(
    "delete_goal", "Deletes a goal, and with it its habits and their logs.",
    answer: "id, deleted")
  /// Of no goal yet.
  public static var defaults: DeleteGoal { DeleteGoal(.placeholder) }

  /// `goal`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("goal", &goal, [.needed])
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Goal.ID>
  {
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
  package var habit: Habit.ID
  /// The goal.
  package var goal: Goal.ID

  /// Makes the command.
  public init(_ habit: Habit.ID, to goal: Goal.ID) {
    self.habit = habit
    self.goal = goal
  }

  /// "attach_habit".
  package static let form = CommandForm(
    "attach_habit", "Says which goal a habit serves.", answer: "habit")
  /// Of nothing yet.
  public static var defaults: AttachHabit { AttachHabit(.placeholder, to: .placeholder) }

  /// The command's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
    try visitor.column("goal", &goal, [.needed])
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
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
  package var habit: Habit.ID

  /// Makes the command.
  public init(_ habit: Habit.ID) { self.habit = habit }

  /// "detach_habit".
  package static let form = CommandForm(
    "detach_habit", "Says that a habit serves no goal.", answer: "habit")
  /// Of nothing yet.
  public static var defaults: DetachHabit { DetachHabit(.placeholder) }

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
    let (found, _) = try state.ownHabit(habit, context)
    guard found.goal != nil else { return Decision([], habit) }
    return Decision([.habitDetached(HabitDetached(habit: habit))], habit)
  }
}

extension BookState {
  fileprivate func ownGoal(_ number: Goal.ID, _ context: Context) throws(Rejection) -> Goal {
    let (actor, _) = try self.actor(context)
    guard let goal = goals[number], !goal.isDeleted else { throw .goalNotFound }
    guard goal.owner == actor else { throw .notOwner(of: .goal) }
    return goal
  }
}

extension GoalContent {
  /// The content, or why it cannot be.
  fileprivate func checked() throws(Rejection) -> GoalContent {
    var checked = self
    checked.title = title.trimmingSpace
    guard !checked.title.isEmpty else { throw .emptyGoalTitle }
    try Limit.title.check(checked.title, "title")
    guard !checked.title.hasControls else { throw .invalidTitle }
    try Limit.text.check(description, "description")
    return checked
  }
}
