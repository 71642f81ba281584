import Calendar
import Daybook
import Values

/// A device that receives an account's pushes.
struct DeviceThing {
  let owner: Account.ID
  let device: Account.Device

  /// The key of a device, which stays the same when the device moves to another account.
  static func key(_ token: String) -> Values.Key {
    Values.Key(derivedFrom: ["device_token", token])
  }
}

extension AppTable {
  /// The devices that receive pushes (HH-4); an account sees only its own. A device moves to the account that
  /// registers it last.
  static var deviceTokens: AppTable {
    let fields: [Field<DeviceThing>] = [
      .derivedKey(in: .deviceTokens, ownedBy: { $0.owner }) { thing, _ in
        DeviceThing.key(thing.device.token)
      },
      .account("user_id", .caller) { $0.owner }, Field("apns_token") { $0.device.token },
      Field(
        "environment", .value(.text(PushEnvironment.prod.rawValue)),
        allowed: PushEnvironment.allCases.map(\.rawValue) + ["dev"]
      ) { $0.device.environment.rawValue },
      Field("created_at", .null, .server) { $0.device.created },
      Field("updated_at", .null, .server) { $0.device.updated },
    ]
    return AppTable(
      "device_tokens", fields, uniqueKeys: [["apns_token"]],
      foreignKeys: [ForeignKey("user_id", of: "device_tokens", to: "profiles")],
      writer: DeviceWriter(), touched: touchedDevices,
      things: { view, bounds, take in
        guard view.mayMatch(bounds), let account = view.state.accounts[view.viewer] else {
          return
        }
        for device in account.devices where bounds.admits("apns_token", device.token) {
          try take(DeviceThing(owner: view.viewer, device: device))
        }
      })
  }

  private static func touchedDevices(_ change: EntryChange) -> [TouchedRow] {
    let tokens: [(token: String, owner: Account.ID)]
    switch change.entry.event {
    case .deviceRegistered(let event): tokens = [(event.token, event.account)]
    case .deviceUnregistered(let event): tokens = [(event.token, event.account)]
    case .accountErased(let event):
      tokens =
        change.before.accounts[event.account]?.devices.map { ($0.token, event.account) } ?? []
    default: return []
    }
    return tokens.flatMap { token, owner -> [TouchedRow] in
      let former = change.before.account(ofDevice: token)
      return EntryChange.row(
        ["apns_token": .text(token)], for: [owner] + (former.map { $0 == owner ? [] : [$0] } ?? []))
    }
  }
}

/// Carries out an account's writes to its devices.
struct DeviceWriter: TableWriter {
  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    let token = row.text("apns_token") ?? ""
    try write.record(RegisterDevice(token: token, environment: environment(row)))
    return [.uuid(DeviceThing.key(token))]
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    let token = row.text("apns_token") ?? ""
    let new = row.merging(changes) { $1 }
    if new.text("apns_token") != token { try write.record(UnregisterDevice(token: token)) }
    try write.record(
      RegisterDevice(token: new.text("apns_token") ?? "", environment: environment(new)))
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    try write.record(UnregisterDevice(token: row.text("apns_token") ?? ""))
  }

  /// The push environment; apps call the push service's sandbox `dev`.
  private func environment(_ row: RowColumns) -> PushEnvironment {
    row.text("environment").flatMap { PushEnvironment(rawValue: $0 == "dev" ? "sandbox" : $0) }
      ?? .prod
  }
}
