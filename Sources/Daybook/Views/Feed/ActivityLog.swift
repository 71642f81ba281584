public import Avro

/// All that a whole book has to tell, whoever may see it: the table `activity_events` (HH-24).
///
/// It is computed from the entries, not kept: what a book tells can be found in it again, by any later rule.
public struct ActivityLog: Projection, Sendable {
  /// What happened, oldest first.
  public private(set) var activities: [Activity] = []
  /// The state with the last entry.
  public private(set) var state = State()
  private var habits: [HabitMemory] = []
  private var hives: [HiveStory] = []

  private struct HabitMemory {
    var completed: Set<Day> = []
    /// The milestones that were crossed, each with the day that was completed.
    var crossed: [Int: [Day]] = [:]
  }

  /// Before the first entry.
  public init() {}

  /// Takes the next entry.
  public mutating func apply(_ entry: Entry) {
    if case .habitLogged(let logged) = entry.event { return apply(logged, entry.head) }
    state.apply(entry)
    switch entry.event {
    case .habitCreated: habits.append(HabitMemory())
    case .hiveCreated:
      var story = HiveStory(hive: Hive.ID(index: hives.count))
      story.take(entry)
      hives.append(story)
    default:
      guard let hive = entry.event.subject.aggregate, hive.kind == .hive,
        hives.indices.contains(Int(hive.number) - 1)
      else { return }
      let count = hives[Int(hive.number) - 1].activities.count
      hives[Int(hive.number) - 1].take(entry)
      activities += hives[Int(hive.number) - 1].activities[count...]
    }
  }

  /// Takes a log.
  public mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    let former = state.habits[logged.habit]?.days[logged.day]
    state.apply(logged, head)
    let index = logged.habit.index
    guard habits.indices.contains(index),
      let completion = state.completion(logged, head, &habits[index].completed)
    else { return }
    activities.append(completion)
    guard let crossing = Crossing(of: completion, former, in: state) else { return }
    let days = crossing.streak.start...crossing.streak.end
    for length in crossing.milestones {
      let crossed = habits[index].crossed[length] ?? []
      if !crossed.contains(where: days.contains) {
        activities.append(completion.milestone(length))
      }
      habits[index].crossed[length] = crossed + [completion.day]
    }
  }

  /// Hands over what happened since the last time, and forgets it.
  public mutating func takeActivities() -> [Activity] {
    defer { activities.removeAll(keepingCapacity: true) }
    return activities
  }

  /// The rows of `activity_events`, oldest first: without those of habits and hives that were deleted.
  public var rows: [JSON] { ActivityList(activities, in: state).rows }
}

/// Rows of `activity_events`, as a state sees what happened: without those of habits and hives that were deleted.
public struct ActivityList: Listing {
  private let activities: [Activity]
  private let state: State

  /// Lists what happened, in the order given.
  public init(_ activities: [Activity], in state: State) {
    self.activities = activities
    self.state = state
  }

  /// How much happened.
  public var stepCount: Int { activities.count }

  /// Writes a row for each that may be told.
  public func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for activity in activities[steps] {
      let habit = activity.habit.flatMap { state.habits.place(of: $0) }
      let hive = activity.hive.flatMap { state.hives.place(of: $0) }
      // What is about a thing that is not there, or not any more, is not told.
      guard habit.map({ !state.habits.elements[$0].isDeleted }) ?? (activity.habit == nil),
        hive.map({ !state.hives.elements[$0].isDeleted }) ?? (activity.hive == nil)
      else { continue }
      let actor = activity.actor.flatMap { state.accounts.place(of: $0) }
      rows.object { row in
        row.member("id", activity.id)
        row.member("hive_id", hive.map { state.hives.elements[$0].key })
        row.member("user_id", actor.map { state.accounts.elements[$0].key })
        row.member("habit_id", habit.map { state.habits.elements[$0].key })
        row.member("type", activity.kind.rawValue)
        row.member("day", activity.day)
        row.name("streak")
        if let streak = activity.streak { row.number(Int64(streak)) } else { row.null() }
        row.member("created_at", activity.at)
      }
    }
  }
}
