import Avro
import Calendar
import Daybook
import HTTPTypes
import Streaks
import Values

extension AppTable {
  /// Profiles (HH-1, DG-1, MO-1): an account sees and changes its own. A query for other profiles by their keys
  /// shows the names and pictures of those who share a hive with the viewer, and nothing else (HH-23). Each app has
  /// only the columns that it knows.
  static func profiles(_ columns: [String]) -> AppTable {
    AppTable(
      "profiles",
      profileFields.filter { columns.contains($0.column.name) }.map { field in
        namedColumns.contains(field.column.name)
          ? field : field.seen(where: { $0.number == $1.viewer })
      },
      writer: OwnAccountWriter(table: "profiles", change: changeProfile),
      touched: { touchedProfiles($0) },
      things: { view, bounds, take in
        guard let account = view.state.accounts[view.viewer], !account.isErased else { return }
        if view.mayMatch(bounds, "id") {
          try take(NumberedEntity(number: view.viewer, entity: account))
        }
        guard let keys = bounds.keys("id"), keys != [account.key] else { return }
        let mates = view.hiveMates
        for number in bounds.numbers("id", in: view.state.accounts, orElse: { [] })
        where mates.contains(number) {
          guard let mate = view.state.accounts[number], !mate.isErased else { continue }
          try take(NumberedEntity(number: number, entity: mate))
        }
      })
  }

  private static func touchedProfiles(_ change: EntryChange) -> [TouchedRow] {
    guard let number = change.subject(.account, as: Account.self),
      let account = change.after.accounts[number]
    else { return [] }
    // Changes to a profile are all that others see of an account.
    var isSeenByOthers = change.erased != nil
    if case .profileChanged = change.entry.event { isSeenByOthers = true }
    let hives = isSeenByOthers ? change.before.hives(of: number) : []
    let mates = hives.flatMap { change.members(of: $0) }
    return EntryChange.row(["id": .uuid(account.key)], for: Set([number] + mates).sorted())
  }

  private static func changeProfile(
    _ columns: RowColumns, _ row: RowColumns, _ write: inout TableWrite
  ) throws {
    // The name is in one or two columns, depending on the app; it may not be NULL.
    guard columns["display_name"] != .null else {
      throw TableError.isNull("display_name", of: "profiles")
    }
    let fields =
      columns.fields([
        "avatar_url", "timezone", "day_start_hour", "theme", "birthday", "notifications_enabled",
      ]) + columns.displayName
    try write.record(UpdateProfile.self, fields + columns.times("notification_times"))
  }

  /// The columns that hive mates see.
  private static let namedColumns: Set = ["id", "display_name", "name", "avatar_url"]

  private static var profileFields: [Field<NumberedEntity<Account>>] {
    [
      Field("id", .caller) { $0.key },
      Field("display_name", .null, isNullable: true) { $0.displayName },
      Field("name", isNullable: true) { $0.displayName },
      Field("email", .null, .server, seen: { $1.directory.email(of: $0.key) }),
      Field("avatar_url") { $0.avatarURL },
      Field("timezone", .value(.text("America/New_York"))) { $0.dayClock.timeZone },
      Field("day_start_hour", .value(.integer(4))) { $0.dayClock.dayStartHour },
      Field("theme", .value(.text("honey"))) { $0.theme }, Field("birthday") { $0.birthday },
      Field("email_verified", .null, .server) { account in
        account.identities.contains { $0.identity.kind == .email && $0.isVerified }
      },
      Field("notifications_enabled", .value(.bool(false))) { $0.notifications.isOn },
      Field("notification_times", .always(.array([]))) { account in
        account.notifications.times.map(\.description)
      },
      Field("onboarded_at", .null, .server) { $0.onboarded },
      Field("created_at", .null, .server) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
  }
}

extension AccountView {
  /// The accounts that share a hive with the viewer.
  fileprivate var hiveMates: Set<Account.ID> {
    let hives = hives(ScanBounds(), "id")
    return Set(hives.flatMap { $0.activeMembers.map(\.account) }).subtracting([viewer])
  }
}

extension RowColumns {
  /// The name of a person, as a field of a command.
  var displayName: [JSON.Member] {
    let name = text("display_name") ?? text("name")
    return name.map { [JSON.Member("display_name", .string($0))] } ?? []
  }

  /// The times of day in a column, as a field of a command.
  func times(_ column: String) throws(TableError) -> [JSON.Member] {
    guard let texts = texts(column) else { return [] }
    let times = try localTimes(texts)
    return [JSON.Member(column, .array(times.map { .string($0.description) }))]
  }
}

/// The times of day that texts mean.
private func localTimes(_ texts: [String]) throws(TableError) -> [LocalTime] {
  var times: [LocalTime] = []
  for text in texts {
    // PostgreSQL also writes seconds.
    guard
      let time = LocalTime(
        text.hasSuffix(":00") && text.utf8.count == 8 ? String(text.dropLast(3)) : text)
    else {
      throw TableError(
        .badRequest, "22007", "invalid input syntax for type time: \"\(text)\"")
    }
    times.append(time)
  }
  return times
}
