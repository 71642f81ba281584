/// The server's credentials at Apple's push service (APNs).
public struct PushSettings: Sendable {
  /// The developer team's id.
  public var team: String
  /// The key's id.
  public var keyID: String
  /// The key (PEM, a `.p8` file), for ES256.
  public var privateKey: String
  /// The app's bundle id.
  public var topic: String
  /// The service's address for apps from the store.
  public var productionURL = "https://api.push.apple.com"
  /// The service's address for apps under development.
  public var sandboxURL = "https://api.sandbox.push.apple.com"

  /// Makes settings.
  public init(team: String, keyID: String, privateKey: String, topic: String) {
    self.team = team
    self.keyID = keyID
    self.privateKey = privateKey
    self.topic = topic
  }
}
