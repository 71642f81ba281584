public import Avro

/// Pushes to an account go to a device (HH-4). Registering it again changes its environment.
public struct DeviceRegistered: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The token by which the push service knows the device; empty once the account was erased.
  public var token = ""
  /// The environment of the push service in which the device is registered.
  public var environment: PushEnvironment = .prod

  public static var recordName: String { "DeviceRegistered" }
  var rowScope: RowScope { .tables(["device_tokens"]) }
  var verb: String { "registered a device" }
  var reasonNotToUndo: String? { "a device registers itself" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("token", &token, [.personal, .neverEmpty])
    try visitor.visit("environment", &environment)
  }
}

/// Pushes to an account no longer go to a device: its person signed out there, or another signed in (HH-4).
public struct DeviceUnregistered: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The token by which the push service knows the device; empty once the account was erased.
  public var token = ""

  public static var recordName: String { "DeviceUnregistered" }
  var rowScope: RowScope { .tables(["device_tokens"]) }
  var verb: String { "unregistered a device" }
  var reasonNotToUndo: String? { "a device registers itself" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("token", &token, [.personal, .neverEmpty])
  }
}

/// The push service's two environments (HH-4).
public enum PushEnvironment: String, AvroEnumeration {
  /// For apps from the store.
  case prod
  /// For apps under development.
  case sandbox

  public static var enumerationName: String { "PushEnvironment" }
}
