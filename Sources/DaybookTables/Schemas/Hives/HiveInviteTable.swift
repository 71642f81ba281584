import Calendar
import Daybook
import DaybookStore
import Values

struct HiveInviteThing {
  let hive: NumberedEntity<Hive>
  let invite: HiveInvite
  /// Its place among the hive's invites.
  let place: Int

  /// The key of an invite, which does not reveal its code.
  static func key(_ hive: Values.Key, _ place: Int) -> Values.Key {
    Values.Key(derivedFrom: ["hive_invite", hive.description, String(place)])
  }
}

extension AppTable {
  /// The invite codes of hives (HH-17): members read them, and the owner makes and revokes them.
  static var hiveInvites: AppTable {
    let fields: [Field<HiveInviteThing>] = [
      .derivedKey(in: .hiveInvites, ownedBy: { $0.invite.creator }) { thing, _ in
        HiveInviteThing.key(thing.hive.key, thing.place)
      },
      Field("hive_id") { $0.hive.key },
      Field("code", isNullable: true) { $0.invite.code },
      .account("created_by", .caller, isNullable: true) { $0.invite.creator },
      Field("expires_at", isNullable: true) { $0.invite.expires },
      Field("max_uses", .value(.integer(20))) { $0.invite.maximumUseCount },
      Field("use_count", .value(.integer(0)), .server) { $0.invite.useCount },
      Field("created_at", .null, .server) { $0.invite.created },
    ]
    return AppTable(
      "hive_invites", fields, uniqueKeys: [["code"]],
      foreignKeys: [ForeignKey("hive_id", of: "hive_invites", to: "hives", isChecked: false)],
      writer: HiveInviteWriter(), touched: { touchedInvites($0) },
      things: { view, bounds, take in
        for hive in view.hives(bounds, "hive_id") {
          let invites = view.state.invites(of: hive.entity, seenBy: view.viewer)
          for (place, invite) in invites.enumerated() where !invite.isRevoked {
            guard bounds.admits("code", invite.code) else { continue }
            try take(HiveInviteThing(hive: hive, invite: invite, place: place))
          }
        }
      })
  }

  private static func touchedInvites(_ change: EntryChange) -> [TouchedRow] {
    change.hives.flatMap { number, scope -> [TouchedRow] in
      if case .day = scope { return [] }
      guard let hive = change.after.hives[number] else { return [] }
      let audience = change.members(of: number)
      let former = change.before.hives[number]?.invites ?? []
      return hive.invites.enumerated().flatMap { place, invite in
        // Erasing an account blanks its codes.
        let code = invite.code.isEmpty && place < former.count ? former[place].code : invite.code
        return EntryChange.row(["hive_id": .uuid(hive.key), "code": .text(code)], for: audience)
      }
    }
  }
}

/// Carries out owners' writes to their hives' invites.
struct HiveInviteWriter: TableWriter {
  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    guard let key = row.key("hive_id"), let hive = try? write.hive(key),
      write.batch.state.hives[hive]?.owner == write.viewer
    else { throw TableError.rowSecurity("hive_invites") }
    var command = CreateHiveInvite(hive, code: row.text("code"))
    if let uses = row.integer("max_uses") {
      guard uses > 0 else { throw TableError.checkFailed("max_uses", of: "hive_invites") }
      command.maximumUseCount = uses
    }
    command.expires = row.instant("expires_at")
    let invite = try write.record(command)
    return [HiveInviteThing.key(key, invite.number - 1).columnValue]
  }

  func mayChange(_ row: RowColumns, _ write: TableWrite) -> Bool {
    guard let hive = try? write.hive(row.key("hive_id")) else { return false }
    return write.batch.state.hives[hive]?.owner == write.viewer
  }

  /// An invite cannot be changed.
  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    if let column = changes.keys.min() {
      throw TableError.checkFailed(column, of: "hive_invites")
    }
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    try write.record(RevokeHiveInvite(row.text("code") ?? ""))
  }
}
