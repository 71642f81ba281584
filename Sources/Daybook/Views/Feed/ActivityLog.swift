package import Calendar
package import Avro

/// The activities of a whole book, whoever may see them: the table `activity_events` (HH-24).
///
/// It is computed from the entries, not stored: any later rule can compute the activities of a book again.
package struct ActivityLog: Projection, Sendable {
  /// The activities, oldest first.
  package private(set) var activities: [Activity] = []
  /// The state after the last entry.
  package private(set) var state = BookState()
  private var habits: [HabitActivityTracker] = []
  private var hives: [HiveTimeline] = []

  /// Before the first entry.
  package init() {}

  /// Applies the next entry.
  package mutating func apply(_ entry: Entry) {
    if case .habitLogged(let logged) = entry.event { return apply(logged, entry.head) }
    state.apply(entry)
    switch entry.event.subject {
    case .new(.habit, _, _): habits.append(HabitActivityTracker())
    case .new(.hive, _, _):
      var timeline = HiveTimeline(hive: Hive.ID(index: hives.count))
      timeline.apply(entry)
      hives.append(timeline)
    case .aggregate(let aggregate) where aggregate.kind == .habit:
      note(entry.event, of: Habit.ID(unchecked: aggregate.number))
    case .aggregate(let aggregate) where aggregate.kind == .hive:
      guard hives.indices.contains(Int(aggregate.number) - 1) else { return }
      activities += hives[Int(aggregate.number) - 1].takeNew(entry)
    case .aggregate, .new: break
    }
  }

  /// Applies a log.
  package mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    let place = state.habits.place(of: logged.habit)
    let former = place.flatMap { state.habits.elements[$0].days[logged.day] }
    state.apply(logged, head)
    guard let place, habits.indices.contains(place),
      let told = habits[place].note(
        logged, head, former, state.habits.elements[place], freeDays(of: place))
    else { return }
    activities.append(told.completion)
    for length in told.milestones { activities.append(told.completion.milestone(length)) }
  }

  private mutating func note(_ event: Event, of habit: Habit.ID) {
    guard let place = state.habits.place(of: habit), habits.indices.contains(place) else { return }
    habits[place].note(event, state.habits.elements[place], freeDays(of: place))
  }

  /// The free days of the owner of the habit at an index.
  private func freeDays(of place: Int) -> Account.FreeDays {
    let owner = state.accounts.place(of: state.habits.elements[place].owner)
    return owner.map { state.accounts.elements[$0].freeDays } ?? .init()
  }

  /// Applies the entries of a block, specialised here.
  ///
  /// - Throws: ``AvroError`` when the bytes are not `count` entries.
  package mutating func applyEntries(
    _ count: Int, in bytes: RawSpan, from first: Int64, startingAt start: Int64,
    until last: Instant
  ) throws(AvroError) -> Bool {
    try readEntries(count, in: bytes, from: first, startingAt: start, until: last)
  }

  /// Returns the activities since the last call, and removes them.
  package mutating func takeActivities() -> [Activity] {
    defer { activities.removeAll(keepingCapacity: true) }
    return activities
  }

  /// The rows of `activity_events`, oldest first, without those of deleted habits and hives.
  package var rows: [JSON] { ActivityList(activities, in: state).rows }
}

/// Rows of `activity_events` in view of a state, without those of deleted habits and hives.
package struct ActivityList: Listing {
  private let activities: [Activity]
  private let state: BookState

  /// Lists activities in the order given.
  package init(_ activities: [Activity], in state: BookState) {
    self.activities = activities
    self.state = state
  }

  /// The number of activities.
  package var stepCount: Int { activities.count }

  /// Writes a row for each activity that may be shown.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for activity in activities[steps] {
      let habit = activity.habit.flatMap { state.habits.place(of: $0) }
      let hive = activity.hive.flatMap { state.hives.place(of: $0) }
      // An activity about an entity that does not exist, or was deleted, is not shown.
      guard habit.map({ !state.habits.elements[$0].isDeleted }) ?? (activity.habit == nil),
        hive.map({ !state.hives.elements[$0].isDeleted }) ?? (activity.hive == nil)
      else { continue }
      let actor = activity.actor.flatMap { state.accounts.place(of: $0) }
      ActivityEventRow(
        activity: activity, hive: hive.map { state.hives.elements[$0].key },
        actor: actor.map { state.accounts.elements[$0].key },
        habit: habit.map { state.habits.elements[$0].key }
      ).write(to: &rows)
    }
  }
}

/// A row of `activity_events`.
struct ActivityEventRow: RowForm {
  let activity: Activity
  let hive: Key?
  let actor: Key?
  let habit: Key?

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == ActivityEventRow {
    visitor.column(
      "id", "the position of the entry; for a milestone, followed by a dash and the milestone"
    ) {
      $0.activity.id
    }
    visitor.column("hive_id", as: Hive.ID?.self) { $0.hive }
    visitor.column("user_id", as: Account.ID?.self, "null if a shared streak ended") {
      $0.actor
    }
    visitor.column("habit_id", as: Habit.ID?.self) { $0.habit }
    visitor.column("type", as: Activity.Kind.self) { $0.activity.kind.rawValue }
    visitor.column("day") { $0.activity.day }
    visitor.column(
      "streak", "the milestone; for a hive's day, its shared streak, or the one that ended"
    ) {
      $0.activity.streak
    }
    visitor.column("created_at") { $0.activity.at }
  }
}
