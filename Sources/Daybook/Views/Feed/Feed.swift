package import Calendar

/// The feed of an account (HH-24, R8): its own habits' days, its hives' activities, and for each habit from which one
/// of its hives was made, the days that the habit's owner completed.
///
/// A viewer sees only their current hives, and nothing of deleted hives and habits. They see what another person
/// completed while that person shared the habit with the hive. It appears under the hive's name, never under the
/// habit's own name.
public struct Feed: Sendable {
  /// The account whose feed it is.
  public let viewer: Account.ID
  private let state: BookState
  private let habits: [Habit.ID]
  private let hives: [Hive.ID]
  /// The habits from which the viewer's hives were made, with those hives: other people's habits, unless it is the feed
  /// of one hive.
  private let sources: [(habit: Habit.ID, owner: Account.ID, hives: [Hive.ID])]

  /// Collects the entities of the feed.
  ///
  /// - Parameters:
  ///   - viewer: The account whose feed it is.
  ///   - hive: The hive whose feed it is: empty when the viewer is not a member.
  ///   - state: The state that gives memberships and names.
  public init(of viewer: Account.ID, in hive: Hive.ID? = nil, _ state: BookState) {
    self.viewer = viewer
    self.state = state
    habits = hive == nil ? state.habitNumbers(of: viewer) : []
    hives = state.hives(of: viewer).filter { hive == nil || $0 == hive }
    var sources: [Habit.ID: [Hive.ID]] = [:]
    for number in hives {
      guard let source = state.hives[number]?.source, let habit = state.habits[source],
        !habit.isDeleted, hive != nil || habit.owner != viewer
      else { continue }
      sources[source, default: []].append(number)
    }
    self.sources = sources.sorted { $0.key < $1.key }.compactMap { habit, hives in
      state.habits[habit].map { (habit, $0.owner, hives) }
    }
  }

  /// The aggregates whose entries a page needs.
  public var aggregates: [Aggregate] {
    let own = [.account(viewer)] + habits.map { Aggregate.habit($0) }
    let shared = hives.map { Aggregate.hive($0) }
    return own + shared + sources.flatMap { [.habit($0.habit), .account($0.owner)] }
  }

  /// The habits of the feed with their owners: the viewer's, and those from which the viewer's hives were made.
  package var timelineHabits: [(habit: Habit.ID, owner: Account.ID)] {
    habits.map { ($0, viewer) } + sources.map { ($0.habit, $0.owner) }
  }

  /// The hives of the feed.
  package var timelineHives: [Hive.ID] { hives }

  /// A page of the feed, newest first.
  ///
  /// - Parameters:
  ///   - lists: The entries of each of the ``aggregates``, oldest first.
  ///   - day: The day that activities are about; all days if not given.
  ///   - end: The position of an entry: activities caused by it and later ones are left out.
  ///   - limit: The maximum number of lines; activities of one entry are never separated.
  /// - Returns: The page.
  package func page(
    _ lists: [Aggregate: [Entry]], on day: Day? = nil, before end: Int64 = .max,
    limit: Int = .max
  ) -> Page {
    var timelines = FeedTimelines()
    for (habit, owner) in timelineHabits {
      timelines.habits[habit] = HabitTimeline(
        habit: habit, owner: owner,
        entries: ((lists[.habit(habit)] ?? []) + (lists[.account(owner)] ?? [])).inOrder)
    }
    for hive in hives {
      timelines.hives[hive] = HiveTimeline(hive: hive, lists[.hive(hive)] ?? [])
    }
    return page(timelines, on: day, before: end, limit: limit)
  }

  /// A page of the feed, newest first.
  ///
  /// Unless it is about a day, no more lines are looked at than it may hold of each habit and hive. So it costs no more
  /// after twenty years than after one.
  ///
  /// - Parameters:
  ///   - timelines: The activities of the feed's habits and hives, which may reach beyond the feed's state.
  ///   - day: The day that activities are about; all days if not given.
  ///   - end: The position of an entry: activities caused by it and later ones are left out.
  ///   - limit: The maximum number of lines; activities of one entry are never separated.
  /// - Returns: The page.
  package func page(
    _ timelines: FeedTimelines, on day: Day? = nil, before end: Int64 = .max, limit: Int = .max
  ) -> Page {
    let end = min(end, state.position == .max ? .max : state.position + 1)
    func newest(
      _ activities: some BidirectionalCollection<Activity>,
      seen: (Activity) -> Activity? = { $0 }
    ) -> [Activity] {
      var lines: [Activity] = []
      for activity in activities.reversed() {
        // One line more tells that there is a next page, and lines of one entry are never separated.
        if lines.count > limit, lines.last?.position != activity.position { break }
        guard day.map({ $0 == activity.day }) ?? true, let line = seen(activity) else { continue }
        lines.append(line)
      }
      return lines.reversed()
    }
    var lines: [Activity] = []
    for habit in habits {
      if let timeline = timelines.habits[habit] {
        lines += newest(timeline.completions(before: end))
      }
    }
    for hive in hives {
      guard let all = timelines.hives[hive]?.activities else { continue }
      lines += newest(all.prefix(before: end))
    }
    for source in sources {
      guard let timeline = timelines.habits[source.habit] else { continue }
      lines += newest(timeline.completions(before: end)) { activity in
        let seenIn = source.hives.first { hive in
          timelines.hives[hive].map {
            $0.beginning < activity.position && $0.wasMember(source.owner, at: activity.position)
          } ?? false
        }
        guard let seenIn else { return nil }
        var line = activity
        (line.habit, line.hive) = (nil, seenIn)
        return line
      }
    }
    lines.sort(by: Activity.isBefore)
    return page(lines, timelines.habits, limit)
  }

  /// Selects the newest lines, and adds the milestones that the viewer's own habits reached with them.
  private func page(
    _ lines: [Activity], _ timelines: [Habit.ID: HabitTimeline], _ limit: Int
  ) -> Page {
    // All activities of one entry are included.
    var first = max(0, lines.count - max(1, limit))
    while first > 0, lines[first - 1].position == lines[first].position { first -= 1 }
    var newest = Array(lines[first...])
    // A milestone comes with the line that reached it, so the newest lines give all of the page's milestones.
    var positions: [Habit.ID: Set<Int64>] = [:]
    for line in newest where line.kind == .habitCompleted {
      if let habit = line.habit { positions[habit, default: []].insert(line.position) }
    }
    for (habit, positions) in positions {
      newest += timelines[habit]?.milestones(at: positions) ?? []
    }
    newest.sort(by: Activity.isBefore)
    newest.reverse()
    var kept = 0
    while kept < newest.count {
      let position = newest[kept].position
      let end = newest[kept...].firstIndex { $0.position != position } ?? newest.count
      if kept > 0, end > limit { break }
      kept = end
    }
    let page = newest.prefix(kept)
    return Page(
      lines: page.map { Line($0, for: viewer, in: state) },
      next: first == 0 && kept == newest.count ? nil : page.last?.position)
  }
}

/// The activities of the habits and hives of a feed.
package struct FeedTimelines: Sendable {
  /// The activities of each habit.
  package var habits: [Habit.ID: HabitTimeline]
  /// The activities of each hive.
  package var hives: [Hive.ID: HiveTimeline]

  package init(habits: [Habit.ID: HabitTimeline] = [:], hives: [Hive.ID: HiveTimeline] = [:]) {
    self.habits = habits
    self.hives = hives
  }
}

extension BookState {
  /// The habits of an account that were not deleted, in the order in which they were created.
  func habitNumbers(of account: Account.ID) -> [Habit.ID] {
    indexes.owned[Habit.self][account].filter { habits[$0]?.isDeleted == false }
  }
}
