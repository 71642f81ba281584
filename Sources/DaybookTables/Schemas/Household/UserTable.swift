import Avro
import Calendar
import Daybook
import DaybookStore
import Values

extension AppTable {
  /// The members of households (MC-1): viewers see themselves and those they live with, and change only themselves.
  static var users: AppTable {
    let fields: [Field<NumberedEntity<Account>>] = [
      Field("id", .caller) { $0.key }, Field("name", isNullable: true) { $0.displayName },
      Field("email", .null, .server, seen: { $1.directory.email(of: $0.key) }),
      Field(
        "household_id",
        seen: { person, view in
          view.household(of: person.number).flatMap { view.state.households[$0]?.key }
        }),
      Field("notification_times", .always(.array([]))) { person in
        person.notifications.times.map(\.description)
      },
      // Only the viewer's own push token is shown.
      Field(
        "device_token",
        seen: { person, view in
          person.number == view.viewer ? person.devices.last?.token : nil
        }),
      Field("created_at", .null, .server) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
    return AppTable(
      "users", fields,
      foreignKeys: [ForeignKey("household_id", of: "users", to: "households", isChecked: false)],
      // The row exists from the account's beginning, but apps insert it after sign-up.
      writer: OwnAccountWriter(table: "users", isNewAtFirst: true, change: changeUser),
      touched: { touchedUsers($0) },
      things: { view, bounds, take in
        for number in view.people(bounds) {
          guard let account = view.accounts[number], !account.isErased else {
            continue
          }
          try take(NumberedEntity(number: number, entity: account))
        }
      })
  }

  /// Changes a person. They join a household by creating it, or with a code.
  private static func changeUser(
    _ columns: RowColumns, _ row: RowColumns, _ write: inout TableWrite
  ) throws {
    if let household = columns.key("household_id") {
      guard (try? write.household(household)) != nil else {
        throw TableError.rowSecurity("users")
      }
    } else if columns.sets("household_id"), let former = row.key("household_id") {
      try write.record(LeaveHousehold(write.household(former)))
    }
    if let token = columns.text("device_token") {
      try write.record(RegisterDevice(token: token))
    } else if columns.sets("device_token"), let former = row.text("device_token") {
      try write.record(UnregisterDevice(token: former))
    }
    var fields = try columns.displayName + columns.times("notification_times")
    if let times = columns.texts("notification_times") {
      fields.append(JSON.Member("notifications_enabled", .bool(!times.isEmpty)))
    }
    try write.record(UpdateProfile.self, fields)
  }

  private static func touchedUsers(_ change: EntryChange) -> [TouchedRow] {
    var people: [Account.ID: Set<Account.ID>] = [:]
    for household in change.shownOrHidden {
      let members = change.members(of: household)
      for member in members { people[member, default: []].formUnion(members) }
    }
    var accounts = change.subject(.account, as: Account.self).map { [$0] } ?? []
    // A device that another account registers no longer belongs to its former account.
    if case .deviceRegistered(let event) = change.entry.event {
      accounts += change.before.account(ofDevice: event.token).map { [$0] } ?? []
    }
    for account in accounts {
      let homes = change.before.allHouseholds(of: account)
      people[account, default: [account]].formUnion(homes.flatMap { change.members(of: $0) })
    }
    return people.sorted { $0.key < $1.key }.flatMap { number, audience -> [TouchedRow] in
      guard let account = change.after.accounts[number] else { return [] }
      return EntryChange.row(["id": .uuid(account.key)], for: audience.sorted())
    }
  }
}

extension AccountView {
  /// The viewer and those they live with, as far as they may match.
  fileprivate func people(_ bounds: ScanBounds) -> [Account.ID] {
    let fellows = households(bounds, "household_id").flatMap { $0.activeMembers.map(\.account) }
    var people = Set(fellows)
    people.insert(viewer)
    guard let keys = bounds.keys("id") else { return people.sorted() }
    return people.intersection(keys.compactMap { accounts.number(of: $0) }).sorted()
  }

  /// The household of a person, as the viewer knows it: of the households that they share, the one that the person
  /// joined last.
  fileprivate func household(of person: Account.ID) -> Household.ID? {
    var found: (joined: Instant, household: Household.ID)?
    for household in state.households(of: viewer) {
      let member = state.people.households[household]?.activeMembers.first {
        $0.account == person
      }
      guard let joined = member?.stays.last?.joined else { continue }
      if found.map({ ($0.joined, $0.household) < (joined, household) }) ?? true {
        found = (joined, household)
      }
    }
    return found?.household
  }
}
