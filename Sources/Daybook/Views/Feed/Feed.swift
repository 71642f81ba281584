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

  /// A page of the feed, newest first.
  ///
  /// Only the page's own days are judged, so that the cost of a page does not depend on the length of the book.
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
    var timelines: [Habit.ID: HabitTimeline] = [:]
    var lines: [Activity] = []
    for habit in habits {
      let timeline = HabitTimeline(
        habit: habit, owner: viewer,
        entries: Self.merged(lists[.habit(habit)] ?? [], lists[.account(viewer)] ?? []))
      timelines[habit] = timeline
      lines += timeline.completions(before: end)
    }
    var hiveTimelines: [Hive.ID: HiveTimeline] = [:]
    for hive in hives {
      let timeline = HiveTimeline(hive: hive, lists[.hive(hive)] ?? [])
      hiveTimelines[hive] = timeline
      lines += timeline.activities.filter { $0.position < end }
    }
    for source in sources {
      let timeline = HabitTimeline(
        habit: source.habit, owner: source.owner,
        entries: Self.merged(
          lists[.habit(source.habit)] ?? [], lists[.account(source.owner)] ?? []))
      for var line in timeline.completions(before: end) {
        let seenIn = source.hives.first { hive in
          hiveTimelines[hive].map {
            $0.beginning < line.position && $0.wasMember(source.owner, at: line.position)
          } ?? false
        }
        guard let seenIn else { continue }
        (line.habit, line.hive) = (nil, seenIn)
        lines.append(line)
      }
    }
    if let day { lines.removeAll { $0.day != day } }
    lines.sort(by: Activity.isBefore)
    return page(lines, timelines, limit)
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

  private static func merged(_ left: [Entry], _ right: [Entry]) -> [Entry] {
    var merged: [Entry] = []
    merged.reserveCapacity(left.count + right.count)
    var rest = right[...]
    for entry in left {
      while let next = rest.first, next.head.position < entry.head.position {
        merged.append(rest.removeFirst())
      }
      merged.append(entry)
    }
    return merged + rest
  }
}

extension BookState {
  /// The habits of an account that were not deleted, in the order in which they were created.
  func habitNumbers(of account: Account.ID) -> [Habit.ID] {
    indexes.owned[Habit.self][account].filter { habits[$0]?.isDeleted == false }
  }
}
