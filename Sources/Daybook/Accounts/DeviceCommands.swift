/// Lets pushes to the actor go to a device (HH-4). A device of another account's is the actor's from now on: who
/// holds it is who signed in last.
public struct RegisterDevice: Command {
  /// By what the push service knows the device.
  public var token: String
  /// Which of the push service's two worlds it is in.
  public var environment: PushEnvironment

  /// Makes the command.
  public init(token: String, environment: PushEnvironment = .prod) {
    self.token = token
    self.environment = environment
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    let (number, account) = try state.actor(context)
    guard token.isDeviceToken else { throw .invalidToken }
    let registered = Event.deviceRegistered(
      DeviceRegistered(account: number, token: token, environment: environment))
    if let device = account.device(token) {
      return Decision(device.environment == environment ? [] : [registered], number)
    }
    try Limit.devices.check(account.devices.count + 1, "apns_token")
    guard let former = state.account(ofDevice: token) else { return Decision([registered], number) }
    return Decision(
      [.deviceUnregistered(DeviceUnregistered(account: former, token: token)), registered], number)
  }
}

/// Lets pushes to the actor go to a device no more. One that is not the actor's changes nothing.
public struct UnregisterDevice: Command {
  /// By what the push service knows the device.
  public var token: String

  /// Makes the command.
  public init(token: String) { self.token = token }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    let (number, account) = try state.actor(context)
    guard account.device(token) != nil else { return Decision([], number) }
    return Decision(
      [.deviceUnregistered(DeviceUnregistered(account: number, token: token))], number)
  }
}

extension String {
  /// Whether it can be a device's token: visible ASCII, and no more of it than push services give.
  public var isDeviceToken: Bool {
    (1...512).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
