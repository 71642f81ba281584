import Values
public import Avro

/// Sends the actor's pushes to a device (HH-4). A device of another account becomes the actor's: it belongs to whoever
/// signed in last.
public struct RegisterDevice: OwnAccountCommand {
  /// The token by which the push service knows the device.
  package var token: String
  /// The environment of the push service in which the device is registered.
  package var environment: PushEnvironment

  public init(token: String, environment: PushEnvironment = .prod) {
    self.token = token
    self.environment = environment
  }

  package static let form = CommandForm(
    "register_device", "Registers a device for the account's push notifications.", answer: "device")
  /// No device yet.
  public static var defaults: RegisterDevice { RegisterDevice(token: "") }

  /// `apns_token`, `environment`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "apns_token", &token, [.needed, .bounds(["pattern": "^[!-~]{1,512}$"])])
    try visitor.column("environment", &environment)
  }

  /// The device's row.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    guard let account = state.accounts[answer] else { return .null }
    return state.deviceRows(account).first { $0["apns_token"]?.text == token } ?? .null
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    guard token.isDeviceToken else { throw .invalidToken }
    let registered = Event.deviceRegistered(
      DeviceRegistered(account: number, token: token, environment: environment))
    if let device = account.device(token) {
      return device.environment == environment ? [] : [registered]
    }
    try Limit.devices.check(account.devices.count + 1, "apns_token")
    guard let former = state.account(ofDevice: token) else { return [registered] }
    return [.deviceUnregistered(DeviceUnregistered(account: former, token: token)), registered]
  }
}

/// Stops sending the actor's pushes to a device. A device that is not the actor's changes nothing.
public struct UnregisterDevice: OwnAccountCommand {
  /// The token by which the push service knows the device.
  package var token: String

  public init(token: String) { self.token = token }

  package static let form = CommandForm(
    "unregister_device", "Unregisters a device from the account's push notifications.",
    answer: "user_id, apns_token, deleted")
  /// No device yet.
  public static var defaults: UnregisterDevice { UnregisterDevice(token: "") }

  /// `apns_token`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("apns_token", &token, [.needed])
  }

  /// The device that is gone.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    [
      "user_id": .key(state.accounts[answer]?.key), "apns_token": .string(token),
      "deleted": true,
    ]
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) -> [Event] {
    account.device(token) == nil
      ? [] : [.deviceUnregistered(DeviceUnregistered(account: number, token: token))]
  }
}

extension String {
  /// Whether the text can be a device token: visible ASCII, no longer than the tokens of push services.
  package var isDeviceToken: Bool {
    (1...512).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
