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

  /// The rows of `activity_events`, oldest first: without those of habits and hives that were deleted.
  public var rows: [JSON] {
    activities.filter { activity in
      activity.habit.map { state.habits[$0]?.isDeleted == false } ?? true
        && activity.hive.map { state.hives[$0]?.isDeleted == false } ?? true
    }.map { state.activityRow($0) }
  }
}
