import Calendar
import Daybook
import Streaks
import Values

/// A member's log of a hive's day; a late log is shown but does not count.
struct HiveMemberDayThing {
  let hive: NumberedEntity<Hive>
  let member: HiveMember
  let day: Day

  var shown: DayTable.Record? { member.lateDays[day] ?? member.days[day] }
  var created: Instant? { (member.days[day] ?? member.lateDays[day])?.created }
  var isDone: Bool { member.days[day].map { hive.entity.isDone($0.value) } ?? false }
}

/// A day of a hive with some activity.
struct HiveDayThing {
  let hive: Values.Key
  let day: HiveDay
}

extension AppTable {
  /// The logs of members on hives' days (HH-19): one row per member and day.
  static var hiveMemberDays: AppTable {
    let fields: [Field<HiveMemberDayThing>] = [
      .derivedKey(in: .hiveMemberDays, ownedBy: { $0.member.account }) { thing, view in
        view.key(of: thing.member.account).map {
          hiveMemberDayKey(thing.hive.key, $0, thing.day)
        }
      },
      Field("hive_id") { $0.hive.key }, .account("user_id", .caller) { $0.member.account },
      Field("day_date") { $0.day },
      Field("value", .value(.integer(1))) { thing in
        thing.shown?.value.whole(of: thing.hive.target) ?? 0
      },
      Field("done", .null, .computed) { $0.isDone },
      Field("late", .null, .computed) { $0.member.lateDays[$0.day] != nil },
      Field("source", .value(.text(LogSource.manual.rawValue))) { $0.shown?.source ?? .manual },
      Field("created_at", .null, .server) { $0.created },
      Field("updated_at", .null, .server) { $0.shown?.updated },
    ]
    return AppTable(
      "hive_member_days", fields, uniqueKeys: [["hive_id", "user_id", "day_date"]],
      foreignKeys: [
        ForeignKey("hive_id", of: "hive_member_days", to: "hives", isChecked: false),
        ForeignKey("user_id", of: "hive_member_days", to: "profiles", isChecked: false),
      ],
      writer: HiveMemberDayWriter(), touched: { touchedMemberDays($0) },
      things: { view, bounds, take in
        for hive in view.hives(bounds, "hive_id") {
          for member in hive.members where view.mayMatch(member, bounds) {
            for day in member.shownDays where bounds.admits("day_date", day) {
              try take(HiveMemberDayThing(hive: hive, member: member, day: day))
            }
          }
        }
      })
  }

  /// The days of hives on which a member was done or the hive advanced (HH-20).
  static var hiveDays: AppTable {
    let fields: [Field<HiveDayThing>] = [
      Field("id", .null, .server) { thing in
        Values.Key(
          derivedFrom: ["hive_day", thing.hive.description, thing.day.day.description])
      },
      Field("hive_id") { $0.hive }, Field("day_date") { $0.day.day },
      Field("advanced") { $0.day.hasAdvanced },
      Field("complete_count") { $0.day.completeCount },
      Field("required_count") { $0.day.requiredCount },
    ]
    return AppTable(
      "hive_days", fields, uniqueKeys: [["hive_id", "day_date"]],
      foreignKeys: [ForeignKey("hive_id", of: "hive_days", to: "hives")],
      touched: { touchedDays($0) },
      things: { view, bounds, take in
        for hive in view.hives(bounds, "hive_id") {
          for day in hive.entity.notedDays where bounds.admits("day_date", day) {
            // The hive's streak shows whether a day closed; this row shows only what was done.
            try take(HiveDayThing(hive: hive.key, day: hive.entity.day(day, firstOpen: .last)))
          }
        }
      })
  }

  /// The key of a member's day.
  static func hiveMemberDayKey(
    _ hive: Values.Key, _ member: Values.Key, _ day: Day
  ) -> Values.Key {
    Values.Key(
      derivedFrom: [
        "hive_member_day", hive.description, member.description, day.description,
      ])
  }

  private static func touchedMemberDays(_ change: EntryChange) -> [TouchedRow] {
    change.hives.flatMap { number, scope -> [TouchedRow] in
      guard let hive = change.after.hives[number] else { return [] }
      let audience = change.members(of: number)
      var rows: [TouchedRow] = []
      // A former member stays in the list of members, with their logs.
      for (place, member) in hive.members.enumerated() {
        guard let account = change.after.accounts[member.account] else { continue }
        let former = change.before.hives[number]?.members[at: place]
        let days = Set(member.shownDays).union(former?.shownDays ?? [])
        for day in days.sorted() where scope.includes(day) {
          rows += EntryChange.row(
            [
              "hive_id": .uuid(hive.key), "user_id": .uuid(account.key), "day_date": .date(day),
            ], for: audience)
        }
      }
      return rows
    }
  }

  private static func touchedDays(_ change: EntryChange) -> [TouchedRow] {
    var touched = change.hives.flatMap { number, scope in
      touchedDays(of: number, change, where: scope.includes)
    }
    // A move over the date line may change who is required on the day that was left out there.
    if case .dayClockChanged(let event) = change.entry.event {
      for number in change.after.hives(of: event.account) {
        touched += touchedDays(of: number, change) { day in
          let counts = change.states.map {
            $0.hives[number]?.day(day, firstOpen: .last).requiredCount
          }
          return Set(counts).count > 1
        }
      }
    }
    return touched
  }

  private static func touchedDays(
    of number: Hive.ID, _ change: EntryChange, where isTouched: (Day) -> Bool
  ) -> [TouchedRow] {
    guard let hive = change.after.hives[number] else { return [] }
    let days = Set(change.states.flatMap { $0.hives[number]?.notedDays ?? [] })
    return days.filter(isTouched).sorted().flatMap { day in
      EntryChange.row(
        ["hive_id": .uuid(hive.key), "day_date": .date(day)], for: change.members(of: number))
    }
  }
}

extension HiveScope {
  /// Whether the rows of a day are touched.
  func includes(_ day: Day) -> Bool {
    switch self {
    case .itself: false
    case .day(let touched): touched == day
    case .visibility: true
    }
  }
}

extension Array {
  /// The element at a place, if there is one.
  fileprivate subscript(at place: Int) -> Element? { indices.contains(place) ? self[place] : nil }
}

extension AccountView {
  /// Whether rows of a member may lie within bounds.
  fileprivate func mayMatch(_ member: HiveMember, _ bounds: ScanBounds) -> Bool {
    guard bounds.equal["user_id"] != nil else { return true }
    return key(of: member.account).map { bounds.admits("user_id", $0) }
      ?? false
  }
}

extension HiveMember {
  /// The days that the member logged, in time or late, in ascending order.
  fileprivate var shownDays: [Day] {
    let days = days.records.map(\.day)
    let late = lateDays.records.map(\.day)
    return late.isEmpty ? days : Set(days + late).sorted()
  }
}

extension Hive {
  /// The days on which a member logged in time or the hive advanced, in ascending order.
  fileprivate var notedDays: [Day] {
    Set(advanced + members.flatMap { $0.days.records.map(\.day) }).sorted()
  }
}

/// Carries out members' writes to their days in hives.
struct HiveMemberDayWriter: TableWriter {
  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    guard let key = row.key("hive_id"), let day = row.day("day_date"), let person = write.key else {
      throw TableError.isNull("day_date", of: "hive_member_days")
    }
    try record(row, on: day, &write)
    return [AppTable.hiveMemberDayKey(key, person, day).columnValue]
  }

  func mayChange(_ row: RowColumns, _ write: TableWrite) -> Bool {
    row.key("user_id") == write.key
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    guard let day = row.day("day_date") else { return }
    let new = row.merging(changes) { $1 }
    let newDay = new.day("day_date") ?? day
    if newDay != day || new.key("hive_id") != row.key("hive_id") { try delete(row, &write) }
    try record(new, on: newDay, &write)
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    guard let day = row.day("day_date") else { return }
    try write.record(ClearHiveLog(write.hive(row.key("hive_id")), day: .day(day)))
  }

  private func record(_ row: RowColumns, on day: Day, _ write: inout TableWrite) throws {
    let value = Amount(max(row.integer("value") ?? 1, 0)) ?? .one
    try write.record(
      LogHiveDay(
        write.hive(row.key("hive_id")), value: value, day: .day(day),
        source: row.choice("source") ?? .manual))
  }
}
