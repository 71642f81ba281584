package import Values
public import Avro

/// The content of a goal, as a person writes it.
public struct GoalContent: Columns, Hashable {
  /// The title; never empty.
  public var title: String
  /// More about it.
  public var description: String?

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

/// Creates a goal (MO-2). Repeated by its owner with the same key and content it changes nothing.
public struct CreateGoal: ColumnCommand {
  /// The client's name for the goal; a fresh one unless given.
  package var key: Key?
  package var content: GoalContent
  /// When it began by the clock of its app; now if that is not given, or lies in the future.
  package var begun: Instant?

  public init(key: Key? = nil, title: String, description: String? = nil) {
    self.key = key
    content = GoalContent(title: title, description: description)
  }

  package static let form = CommandForm("create_goal", "Sets a goal.", answer: "goal")
  /// A goal without a title.
  public static var defaults: CreateGoal { CreateGoal(title: "") }

  /// `key`, the columns of the content, and `created_at`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("key", &key)
    try content.visitColumns(&visitor)
    try visitor.column("created_at", &begun, [.created])
  }

  /// Decides the command; the answer is the goal's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Goal.ID>
  {
    let owner = try state.actor(context).0
    let key = key ?? context.freshKey
    let content = try content.checked()
    let known = try state.known(key, in: state.goals) { goal in
      goal.owner == owner && goal.content == content
    }
    if let known { return Decision([], known) }
    return Decision(
      [
        .goalCreated(
          GoalCreated(
            key: key, owner: owner, title: content.title, description: content.description,
            begun: context.begun(begun)))
      ], state.goals.nextNumber)
  }
}

/// Changes a goal's title or description.
public struct UpdateGoal: PatchCommand {
  package var thing: Goal.ID
  /// The changes.
  package var patch: Patch<GoalContent>

  public init(_ goal: Goal.ID, _ set: (inout GoalContent) -> Void = { _ in }) {
    thing = goal
    patch = Patch(set)
  }

  package static let form = CommandForm(
    "update_goal", "Changes a goal's title or description.", answer: "goal")
  /// Nothing changes.
  public static var defaults: UpdateGoal { UpdateGoal(.placeholder) }

  func events(_ found: Goal, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    let content = try patch.applied(to: found.content).checked()
    guard content != found.content else { return [] }
    let described = GoalDescribed(
      goal: thing, title: content.title, description: content.description)
    return [.goalDescribed(described)]
  }
}

/// Deletes a goal with its habits and their logs, in one commit (MO-2); as-of queries still find them.
public struct DeleteGoal: BareEntityCommand {
  package var thing: Goal.ID

  public init(_ goal: Goal.ID) { thing = goal }

  package static let form = CommandForm(
    "delete_goal", "Deletes a goal, and with it its habits and their logs.",
    answer: "id, deleted")

  func events(_ found: Goal, _ state: BookState, _ context: Context) -> [Event] {
    let habits = state.indexes.habits.habits(serving: thing)
    return habits.map { .habitDeleted(HabitDeleted(habit: $0)) }
      + [.goalDeleted(GoalDeleted(goal: thing))] + state.endOfFocus(on: habits, of: found.owner)
  }
}

/// Attaches a habit to a goal; the habit leaves the goal that it served before (MO-3).
public struct AttachHabit: EntityCommand {
  package var thing: Habit.ID
  package var goal: Goal.ID

  public init(_ habit: Habit.ID, to goal: Goal.ID) {
    thing = habit
    self.goal = goal
  }

  package static let form = CommandForm(
    "attach_habit", "Attaches a habit to a goal.", answer: "habit")
  /// The defaults; no habit is named yet.
  public static var defaults: AttachHabit { AttachHabit(.placeholder, to: .placeholder) }

  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Habit.visit(&thing, by: &visitor)
    try Goal.visit(&goal, by: &visitor)
  }

  func events(_ found: Habit, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    _ = try state.own(goal, context)
    guard found.goal != goal else { return [] }
    return [.habitAttached(HabitAttached(habit: thing, goal: goal))]
  }
}

/// Detaches a habit from its goal.
public struct DetachHabit: BareEntityCommand {
  package var thing: Habit.ID

  public init(_ habit: Habit.ID) { thing = habit }

  package static let form = CommandForm(
    "detach_habit", "Detaches a habit from its goal.", answer: "habit")

  func events(_ found: Habit, _ state: BookState, _ context: Context) -> [Event] {
    found.goal == nil ? [] : [.habitDetached(HabitDetached(habit: thing))]
  }
}

extension Goal {
  /// The content of the goal, as its person wrote it.
  fileprivate var content: GoalContent { GoalContent(title: title, description: description) }
}

extension GoalContent {
  /// The checked content.
  ///
  /// - Throws: the rejection when it is not valid.
  fileprivate func checked() throws(Rejection) -> GoalContent {
    var checked = self
    checked.title = title.asOneLine
    guard !checked.title.isEmpty else { throw .emptyGoalTitle }
    try Limit.title.check(checked.title, "title")
    guard !checked.title.hasControls else { throw .invalidTitle }
    try Limit.text.check(description, "description")
    return checked
  }
}
