import Calendar

/// The activities of a hive, computed from its entries: who joined, which days advanced, which broke the streak, and
/// the milestones of the shared streak.
///
/// Recorded streaks are shown as the members saw them. A day that advances reaches every milestone up to the new length
/// of the shared streak, except those that were already shown in the same run.
package struct HiveTimeline: Projection, Sendable {
  let hive: Hive.ID
  /// The position of the entry that created the hive.
  private(set) var beginning: Int64 = .max
  /// The stays of each member: from the entry of joining to before the entry of leaving.
  private(set) var stays: [Account.ID: [Range<Int64>]] = [:]
  /// The activities so far, oldest first.
  private(set) var activities: [Activity] = []
  /// The days that advanced, ascending.
  private(set) var advanced: [Day] = []
  private var broken: Set<Day> = []
  /// For each milestone, the first day of the run in which it was last shown.
  private var told: [Int: Day] = [:]

  /// Begins before the first entry.
  package init(hive: Hive.ID) { self.hive = hive }

  /// Makes the timeline of a hive from its entries, oldest first.
  init(hive: Hive.ID, _ entries: some Sequence<Entry>) {
    self.init(hive: hive)
    for entry in entries { apply(entry) }
  }

  /// Whether an account was a member when an entry was recorded.
  func wasMember(_ account: Account.ID, at position: Int64) -> Bool {
    stays[account]?.contains { $0.contains(position) } ?? false
  }

  /// Applies the hive's next entry.
  package mutating func apply(_ entry: Entry) {
    let head = entry.head
    guard case .hives(let event) = entry.event.byContext else { return }
    switch event {
    case .hiveCreated: beginning = head.position
    case .hiveJoined(let event): apply(event, head)
    case .hiveLeft(let event):
      guard let stay = stays[event.member]?.popLast() else { return }
      stays[event.member]?.append(stay.lowerBound..<min(stay.upperBound, head.position))
    case .hiveAdvanced(let event): apply(event, head)
    case .hiveBroken(let event):
      guard broken.insert(event.day).inserted else { return }
      activities.append(
        Activity(.hiveBroken, at: head, hive: hive, day: event.day, streak: Int(event.streak)))
    // A hive's activities are only about its members joining, and its days.
    case .hiveDescribed, .hiveHandedOver, .hiveDeleted, .hiveHabitLinked, .hiveInviteCreated,
      .hiveInviteRevoked, .hiveDayLogged, .hiveDayCleared, .hiveRestored:
      break
    }
  }

  /// Applies the hive's next entry, and returns its activities instead of keeping them.
  mutating func takeNew(_ entry: Entry) -> [Activity] {
    apply(entry)
    defer { activities.removeAll(keepingCapacity: true) }
    return activities
  }

  private mutating func apply(_ event: HiveJoined, _ head: EntryHead) {
    guard stays[event.member]?.last?.upperBound != .max else { return }
    stays[event.member, default: []].append(head.position..<Int64.max)
    activities.append(
      Activity(.hiveJoined, at: head, actor: event.member, hive: hive, day: event.day))
  }

  private mutating func apply(_ event: HiveAdvanced, _ head: EntryHead) {
    let place = advanced.lowerBound(of: event.day)
    guard place == advanced.count || advanced[place] != event.day else { return }
    advanced.insert(event.day, at: place)
    let streak = min(max(0, Int(event.streak)), advanced.count)
    let activity = Activity(
      .hiveAdvanced, at: head, actor: head.actor, hive: hive, day: event.day, streak: streak)
    activities.append(activity)
    guard streak > 0 else { return }
    let start = advanced[advanced.count - streak]
    for length in Milestone.reached(after: 0, through: streak)
    where told[length].map({ $0 < start }) ?? true {
      told[length] = start
      activities.append(activity.milestone(length))
    }
  }
}
