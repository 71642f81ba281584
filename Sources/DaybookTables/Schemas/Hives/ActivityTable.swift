import Avro
import Calendar
import Daybook
import DaybookStore
import Streaks
import Values

/// An activity as a viewer sees it, derived from the book or posted by a client.
struct ActivityThing {
  let key: Values.Key
  let actor: Account.ID?
  let hive: Hive.ID?
  let habit: Habit.ID?
  let kind: Activity.Kind
  let data: JSON
  let created: Instant

  /// Converts a line of the feed.
  init(_ activity: Activity) {
    key = Self.key(activity.id)
    actor = activity.actor
    hive = activity.hive
    habit = activity.habit
    kind = activity.kind
    created = activity.at
    let day = JSON.string(activity.day.description)
    var members = [JSON.Member("log_date", day)]
    // The app has another name for the day of a hive's own activities.
    if kind == .hiveAdvanced || kind == .hiveBroken { members.append(JSON.Member("day", day)) }
    if let streak = activity.streak { members.append(JSON.Member("streak", .number(streak))) }
    data = .object(members)
  }

  /// Makes a posted activity as a viewer sees it, without the habits of others.
  init(_ posted: PostedActivity, for viewer: Account.ID) {
    key = posted.key
    actor = posted.owner
    hive = posted.hive
    habit = posted.owner == viewer ? posted.habit : nil
    kind = posted.kind
    created = posted.created
    data = posted.said
  }

  /// The key of a derived activity, which never changes.
  static func key(_ id: String) -> Values.Key {
    Values.Key(derivedFrom: ["activity_event", id])
  }
}

extension AppTable {
  /// Activities (HH-24): a viewer's own, and those of their hives.
  ///
  /// A derived row is notified when it arises. It is not notified when it becomes visible because the viewer joins
  /// a hive, or disappears with its subject.
  static var activityEvents: AppTable {
    let fields: [Field<ActivityThing>] = [
      Field("id", .freshKey) { $0.key },
      .account("actor_id", .caller, isNullable: true) { $0.actor },
      Field("hive_id", seen: { line, view in line.hive.flatMap { view.state.hives[$0]?.key } }),
      Field(
        "habit_id", seen: { line, view in line.habit.flatMap { view.state.habits[$0]?.key } }),
      Field("type") { $0.kind }, Field("data", .value(.json([:]))) { $0.data },
      Field("created_at", .null, .server) { $0.created },
    ]
    return AppTable(
      "activity_events", fields,
      foreignKeys: [
        ForeignKey("hive_id", of: "activity_events", to: "hives", isChecked: false),
        ForeignKey("habit_id", of: "activity_events", to: "habits", isChecked: false),
        ForeignKey("actor_id", of: "activity_events", to: "profiles", isChecked: false),
      ],
      writer: ActivityWriter(), touched: { ActivityTouch(change: $0).rows },
      things: { view, bounds, take in
        guard view.viewerKey != nil else { return }
        for posted in view.postedActivities(bounds) {
          try take(ActivityThing(posted, for: view.viewer))
        }
        guard !bounds.onlyWritten else { return }
        try view.forEachLine(bounds) { try take(ActivityThing($0)) }
      })
  }
}

extension AccountView {
  /// The posted activities that the viewer may read, oldest first.
  fileprivate func postedActivities(_ bounds: ScanBounds) -> [PostedActivity] {
    if let keys = bounds.keys("id") {
      let found = keys.compactMap { state.postedActivity(of: $0, for: viewer) }
      return found.sorted { ($0.created, $0.key) < ($1.created, $1.key) }
    }
    var found = Dictionary(
      state.postedActivities(of: viewer).map { ($0.number, $0.activity) },
      uniquingKeysWith: { first, _ in first })
    for hive in state.hives(of: viewer) {
      for (number, activity) in state.postedActivities(in: hive) { found[number] = activity }
    }
    return found.sorted { $0.key < $1.key }.map(\.value).filter {
      bounds.admits("id", $0.key) && bounds.admits("created_at", $0.created)
    }
  }

  /// Passes on the lines of the viewer's feed, newest first, no further back than needed.
  fileprivate func forEachLine(
    _ bounds: ScanBounds, _ take: (Activity) throws -> Void
  ) throws {
    let view = BookView(state, Query(asOf: at, zones: reader.zones), reader)
    var start = Instant.first
    if case .timestamp(let lower) = bounds.ranges["created_at"]?.lower { start = lower }
    if let values = bounds.equal["created_at"] {
      let instants = values.compactMap { value -> Instant? in
        guard case .timestamp(let instant) = value else { return nil }
        return instant
      }
      start = max(start, instants.min() ?? .last)
    }
    var next: Int64? = .max
    while let end = next {
      // A request for the newest lines does not compute old ones.
      let page = try view.feed(of: viewer, before: end, limit: start == .first ? .max : 50)
      for line in page.lines {
        guard start <= line.activity.at else { return }
        if bounds.admits("created_at", line.activity.at) { try take(line.activity) }
      }
      next = page.next
    }
  }
}

/// Carries out posts of activities in the caller's own name.
struct ActivityWriter: TableWriter {
  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    var command = PostActivity(
      key: row.key("id"), row.choice("type") ?? .habitCompleted,
      data: row.json("data") ?? [:])
    if let hive = row.key("hive_id") {
      guard let number = try? write.hive(hive) else {
        throw TableError.rowSecurity("activity_events")
      }
      command.hive = number
    }
    if let habit = row.key("habit_id") {
      guard let number = try? write.habit(habit).number else {
        throw TableError.rowSecurity("activity_events")
      }
      command.habit = number
    }
    let activity = try write.record(command)
    return [(write.batch.state.activities[activity]?.key).columnValue]
  }

  /// An activity cannot be changed.
  func mayChange(_ row: RowColumns, _ write: TableWrite) -> Bool { false }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    throw TableError.denied("activity_events")
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    throw TableError.denied("activity_events")
  }
}
