import Daybook
import Testing

/// Entries with their authors: a book without a disk, whose entries can be queried.
struct Chronicle {
  private(set) var state = BookState()
  private(set) var entries: [Entry] = []
  private var counts = AggregateReader()
  /// The entries of each aggregate, oldest first.
  private(set) var lists: [Aggregate: [Entry]] = [:]

  /// Records the events that a command decides.
  mutating func record<C: Command>(_ command: C, by actor: Int?, at: Instant) throws(Rejection) {
    let actor = actor.flatMap { Account.ID($0) }
    let at = max(at, state.at)
    let context = Context(
      actor: actor, at: at, freshKey: Key(high: 9, low: UInt64(entries.count)), zones: TableZones())
    for event in try command.decide(state, context).events { take(event, by: actor, at: at) }
  }

  /// Records an event unchanged.
  mutating func take(_ event: Event, by actor: Account.ID? = nil, at: Instant) {
    let head = EntryHead(position: state.position + 1, at: at, actor: actor, key: nil)
    let entry = Entry(head, event)
    state.apply(entry)
    entries.append(entry)
    lists[counts.aggregate(of: event), default: []].append(entry)
  }

  /// The chronicle after this many entries.
  func prefix(_ count: Int) -> Chronicle {
    var chronicle = Chronicle()
    for entry in entries.prefix(count) {
      chronicle.take(entry.event, by: entry.head.actor, at: entry.head.at)
    }
    return chronicle
  }

  func page(
    of viewer: Int, in hive: Hive.ID? = nil, before end: Int64 = .max, limit: Int = .max
  ) throws -> Feed.Page {
    let feed = Feed(of: try #require(Account.ID(viewer)), in: hive, state)
    // No more is read than the feed asks for.
    let wanted = Set(feed.aggregates)
    return feed.page(lists.filter { wanted.contains($0.key) }, before: end, limit: limit)
  }

  func feed(of viewer: Int) throws -> [String] { try page(of: viewer).lines.map(\.words) }

  func awards(of account: Int, at text: String) throws -> [Award] {
    try awards(of: account, asOf: moment(text))
  }

  func awards(of account: Int, asOf instant: Instant) throws -> [Award] {
    let awards = Awards(of: try #require(Account.ID(account)), in: state)
    let wanted = Set(awards.aggregates)
    return awards.list(
      lists.filter { wanted.contains($0.key) }, Query(asOf: instant, zones: TableZones()))
  }
}

extension Feed.Line {
  /// The line in short: `4 habit_completed 2026-03-02 Read`.
  var words: String {
    [
      activity.id, activity.kind.rawValue, activity.day.description,
      activity.kind == .streakMilestone ? nil : activity.streak.map { "(\($0))" },
      habitName ?? hiveName, isOwn ? nil : actorName.map { "by \($0)" },
    ].compactMap { $0 }.joined(separator: " ")
  }
}

/// The first hive of a book.
let firstHive = BookState().hives.nextNumber

/// Ada, Bob and Cy in Greenwich, whose days begin at midnight; Ada reads daily.
func threePeople(zones: [String] = ["Etc/UTC", "Etc/UTC", "Etc/UTC"]) -> Chronicle {
  var chronicle = Chronicle()
  let at = moment("2026-02-20T12:00:00Z")
  for (index, name) in ["Ada", "Bob", "Cy"].enumerated() {
    chronicle.take(
      .accountCreated(
        make {
          $0.key = Key(high: 1, low: UInt64(index))
          $0.displayName = name
          $0.timeZone = zones[index]
          $0.dayStartHour = 0
        }), at: at)
  }
  chronicle.take(habit(), by: First.account, at: at)
  return chronicle
}

extension Chronicle {
  /// Logs a habit at noon of a day, or later for an earlier day.
  mutating func log(
    _ text: String, of habit: Habit.ID = First.habit, for late: String? = nil,
    value: Amount = .one, by actor: Int = 1
  ) throws {
    try record(
      LogHabit(habit, value: value, day: late.map { .day(day($0)) } ?? .today), by: actor,
      at: moment(text + "T12:00:00Z"))
  }

  /// Ada's hive from her habit, which Bob joins.
  mutating func beginHive(at text: String = "2026-03-02T08:00:00Z") throws {
    let at = moment(text)
    try record(CreateHiveFromHabit(First.habit, name: "Readers", backfillDays: 0), by: 1, at: at)
    try record(CreateHiveInvite(firstHive, minutes: 500_000, code: "0123456789ab"), by: 1, at: at)
    try record(JoinHive("0123456789ab"), by: 2, at: at)
  }

  /// Logs a hive's day at noon.
  mutating func logHive(_ text: String, by actors: Int...) throws {
    for actor in actors {
      try record(LogHiveDay(firstHive), by: actor, at: moment(text + "T12:00:00Z"))
    }
  }
}
