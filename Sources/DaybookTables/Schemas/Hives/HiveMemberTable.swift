import Calendar
import Daybook
import DaybookStore
import Values

/// A current member of a hive.
struct HiveMemberThing {
  let hive: NumberedEntity<Hive>
  let member: HiveMember
}

extension AppTable {
  /// The current members of hives (HH-16, HH-18). Members leave by deleting their own row; the owner deletes the
  /// rows of others.
  static var hiveMembers: AppTable {
    let fields: [Field<HiveMemberThing>] = [
      Field(
        "id", .null, .server,
        seen: { thing, view in
          view.key(of: thing.member.account).map {
            hiveMemberKey(thing.hive.key, $0)
          }
        }),
      Field("hive_id") { $0.hive.key }, .account("user_id") { $0.member.account },
      Field("role", .value(.text("member")), allowed: ["owner", "member"]) { thing in
        thing.hive.owner == thing.member.account ? "owner" : "member"
      },
      // Only the member sees which of their habits logs the hive's days.
      Field(
        "habit_id",
        seen: { thing, view in
          thing.member.account == view.viewer
            ? thing.member.habit.flatMap { view.state.habits[$0]?.key } : nil
        }),
      Field("joined_at", .null, .server) { $0.member.stays.last?.joined },
      Field("created_at", .null, .server) { $0.member.stays.last?.joined },
    ]
    return AppTable(
      "hive_members", fields, uniqueKeys: [["hive_id", "user_id"]],
      foreignKeys: [
        ForeignKey("hive_id", of: "hive_members", to: "hives", isChecked: false),
        ForeignKey("user_id", of: "hive_members", to: "profiles", isChecked: false),
      ],
      writer: HiveMemberWriter(), touched: { touchedMembers($0) },
      things: { view, bounds, take in
        for hive in view.hives(bounds, "hive_id") {
          for member in hive.members where member.isActive {
            try take(HiveMemberThing(hive: hive, member: member))
          }
        }
      })
  }

  /// The key of a membership, which stays the same when somebody returns.
  static func hiveMemberKey(_ hive: Values.Key, _ member: Values.Key) -> Values.Key {
    Values.Key(derivedFrom: ["hive_member", hive.description, member.description])
  }

  private static func touchedMembers(_ change: EntryChange) -> [TouchedRow] {
    change.hives.flatMap { number, scope -> [TouchedRow] in
      if case .day = scope { return [] }
      guard let hive = change.after.hives[number] else { return [] }
      let members = change.members(of: number)
      return members.flatMap { member -> [TouchedRow] in
        guard let account = change.after.accounts[member] else { return [] }
        return EntryChange.row(
          ["hive_id": .uuid(hive.key), "user_id": .uuid(account.key)], for: members)
      }
    }
  }
}

/// Carries out writes to a hive's members.
struct HiveMemberWriter: TableWriter {
  /// Adds one of the owner's contacts. Others join with a code.
  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    guard let key = row.key("hive_id"), let person = row.key("user_id"),
      let number = try? write.hive(key), write.batch.state.hives[number]?.owner == write.viewer,
      let member = write.batch.state.accounts.number(of: person)
    else { throw TableError.rowSecurity("hive_members") }
    try write.record(AddHiveMember(member, to: number))
    return [AppTable.hiveMemberKey(key, person).columnValue]
  }

  func mayChange(_ row: RowColumns, _ write: TableWrite) -> Bool {
    row.key("user_id") == write.key || isOwner(row, write)
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    let (hive, member) = try membership(row, write)
    if changes.sets("habit_id") {
      guard member == write.viewer else { throw TableError.rowSecurity("hive_members") }
      let habit = try changes.key("habit_id").map { try write.habit($0).number }
      try write.record(LinkHabit(habit, to: hive))
    }
    if let role = changes.text("role") {
      // Only the owner can make another member the owner, and cannot resign otherwise.
      guard role == "owner", isOwner(row, write) else {
        throw TableError.rowSecurity("hive_members")
      }
      try write.record(HandOverHive(hive, to: member))
    }
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    let (hive, member) = try membership(row, write)
    if member == write.viewer {
      try write.record(LeaveHive(hive))
    } else {
      try write.record(RemoveHiveMember(member, from: hive))
    }
  }

  private func membership(
    _ row: RowColumns, _ write: TableWrite
  ) throws(Rejection) -> (Hive.ID, Account.ID) {
    let hive = try write.hive(row.key("hive_id"))
    guard let member = row.key("user_id").flatMap({ write.batch.state.accounts.number(of: $0) })
    else { throw .hiveMemberNotFound }
    return (hive, member)
  }

  private func isOwner(_ row: RowColumns, _ write: TableWrite) -> Bool {
    guard let number = try? write.hive(row.key("hive_id")) else { return false }
    return write.batch.state.hives[number]?.owner == write.viewer
  }
}
