import Avro
import Calendar
import Daybook
import DaybookStore
import Streaks
import Values

extension AppTable {
  /// Hives (HH-15…HH-21): members see them, and owners change them.
  static var hives: AppTable {
    let fields: [Field<NumberedEntity<Hive>>] = [
      Field("id", .freshKey) { $0.key }, .account("owner_id", .caller) { $0.owner },
      Field("name") { $0.name },
      Field("emoji") { $0.description.emoji.isEmpty ? nil : $0.description.emoji },
      Field("color_hex", .value(.text(HabitDescription.usualColor))) { $0.description.color },
      Field("type", .value(.text(HabitType.checkbox.rawValue))) { $0.type },
      Field("target_per_day", .value(.integer(1))) { $0.target.wholeAbove },
      Field("rule", .value(.text(HiveRule.allMustComplete.rawValue))) { $0.rule },
      Field("threshold") { $0.rule == .threshold ? $0.threshold : nil },
      Field("schedule_daily", .value(.bool(true))) { $0.schedule == .everyDay },
      Field("schedule_weekmask", .value(.integer(127))) { Int($0.schedule.bits) },
      // Members do not see each other's habits.
      Field(
        "source_habit_id", .null, .once,
        seen: { hive, view in
          hive.source.flatMap { view.state.habits[$0] }
            .flatMap { $0.owner == view.viewer && !$0.isDeleted ? $0.key : nil }
        }),
      Field(
        "current_length", .null, .server,
        seen: { hive, view in
          hive.entity.streak(
            firstOpen: view.state.firstOpenDay(
              of: hive.entity, at: view.at, in: view.reader.zones))
        }),
      Field("last_advanced_on", .null, .server) { $0.advanced.last },
      Field("created_at", .null, .server) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
    return AppTable(
      "hives", fields, of: .hive,
      foreignKeys: [
        ForeignKey("owner_id", of: "hives", to: "profiles"),
        ForeignKey("source_habit_id", of: "hives", to: "habits"),
      ],
      writer: EntityWriter(
        "hives", "p_hive_id", CreateHive.self, UpdateHive.self, DeleteHive.self, in: \.hives,
        mayChange: { row, write in row.key("owner_id") == write.key }, fields: hiveFields),
      touched: { touchedHives($0) },
      things: { view, bounds, take in
        for hive in view.hives(bounds, "id") { try take(hive) }
      })
  }

  private static func hiveFields(_ row: RowWrite) throws -> [JSON.Member] {
    let columns = row.columns
    let look = columns.fields(["name", "color_hex"]) + columns.emoji
    guard row.former == nil else {
      // The requirements of a hive cannot change, because members joined for them.
      let fixed = [
        "type", "target_per_day", "rule", "threshold", "schedule_daily", "schedule_weekmask",
      ]
      if let column = fixed.first(where: columns.sets) {
        throw TableError.checkFailed(column, of: "hives")
      }
      return look
    }
    _ = try columns.amount("target_per_day", of: "hives")
    let isOfThreshold = columns.text("rule") == HiveRule.threshold.rawValue
    if isOfThreshold || row.given.contains("rule"), isOfThreshold != columns.sets("threshold") {
      throw TableError.checkFailed("threshold", of: "hives")
    }
    // The threshold alone tells the rule.
    return try look + row.schedule(of: "hives")
      + columns.fields(["type", "target_per_day", "threshold", "source_habit_id"])
  }

  private static func touchedHives(_ change: EntryChange) -> [TouchedRow] {
    var hives = change.hives.map(\.number)
    // A changed day clock may change which days broke the streak.
    if case .dayClockChanged(let event) = change.entry.event {
      hives = change.after.hives(of: event.account)
    }
    hives += hivesWithSources(change)
    return Set(hives).sorted().flatMap { number -> [TouchedRow] in
      guard let hive = change.after.hives[number] else { return [] }
      return EntryChange.row(["id": .uuid(hive.key)], for: change.members(of: number))
    }
  }

  /// The hives whose source habit was deleted or restored.
  private static func hivesWithSources(_ change: EntryChange) -> [Hive.ID] {
    let habit: Habit.ID
    switch change.entry.event {
    case .habitDeleted(let event): habit = event.habit
    case .habitUndeleted(let event): habit = event.habit
    case .accountErased(let event): return change.before.hives(of: event.account)
    default: return []
    }
    guard let owner = change.after.habits[habit]?.owner else { return [] }
    return change.after.hives(of: owner).filter { change.after.hives[$0]?.source == habit }
  }
}

extension AccountView {
  /// The viewer's hives that a column may mean.
  func hives(_ bounds: ScanBounds, _ column: String) -> [NumberedEntity<Hive>] {
    let numbers = bounds.numbers(column, in: state.hives) { state.hives(of: viewer) }
    return numbers.compactMap { number in
      guard let hive = state.hives[number], !hive.isDeleted, hive.hasMember(viewer) else {
        return nil
      }
      return NumberedEntity(number: number, entity: hive)
    }
  }
}

extension EntryChange {
  /// The hives that the entry is about, and the part of each that it touches.
  var hives: [(number: Hive.ID, scope: HiveScope)] {
    if let account = erased { return before.allHives(ledBy: account).map { ($0, .visibility) } }
    guard let number = subject(.hive, as: Hive.self) else { return [] }
    return [(number, HiveScope(entry.event))]
  }

  /// The members of a hive before or after the entry.
  func members(of hive: Hive.ID) -> [Account.ID] {
    let members = states.flatMap { $0.hives[hive]?.activeMembers.map(\.account) ?? [] }
    return Set(members).sorted()
  }
}

/// The part of a hive that an entry touches.
enum HiveScope {
  /// The hive's own row, and perhaps its members'.
  case itself
  /// One day of the hive.
  case day(Day)
  /// All rows, because its visibility or the days it requires changed.
  case visibility

  init(_ event: Event) {
    switch event {
    case .hiveDayLogged(let event): self = .day(event.day)
    case .hiveDayCleared(let event): self = .day(event.day)
    case .hiveAdvanced(let event): self = .day(event.day)
    case .hiveJoined, .hiveLeft, .hiveDeleted, .hiveRestored: self = .visibility
    default: self = .itself
    }
  }
}

extension TableWrite {
  /// The hive with a key, if the caller is a member.
  func hive(_ key: Values.Key?) throws(Rejection) -> Hive.ID {
    guard let number = key.flatMap({ batch.state.hives.number(of: $0) }),
      let hive = batch.state.hives[number], !hive.isDeleted, hive.member(viewer) != nil
    else { throw .hiveNotFound }
    return number
  }
}
