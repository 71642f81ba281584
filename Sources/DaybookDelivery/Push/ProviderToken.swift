import Avro
import Calendar
import Crypto
import DaybookAuth
import Foundation
import Synchronization

/// The server's token for the push service (ES256), used for fifty minutes. The service refuses a token older than
/// an hour, and a server that makes new ones more than every twenty minutes.
final class ProviderToken: Sendable {
  private static let lifetimeMilliseconds: Int64 = 50 * 60_000

  private struct Made {
    var text: String
    var at: Instant
  }

  private let team: String
  private let keyID: String
  private let key: P256.Signing.PrivateKey
  private let made = Mutex<Made?>(nil)

  init(_ settings: PushSettings) throws(SenderSettingsError) {
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: settings.privateKey) else {
      throw SenderSettingsError("the push service's key is not a P-256 key in PEM")
    }
    self.key = key
    team = settings.team
    keyID = settings.keyID
  }

  /// The token to use at an instant.
  func text(at now: Instant) throws(SendFailure) -> String {
    let known = made.withLock { $0 }
    if let known, known.at <= now,
      now.milliseconds - known.at.milliseconds < Self.lifetimeMilliseconds
    {
      return known.text
    }
    let text = try signed(at: now)
    made.withLock { $0 = Made(text: text, at: now) }
    return text
  }

  /// Drops the token, if it is the one that the service refused.
  func forget(_ text: String) {
    made.withLock { made in
      if made?.text == text { made = nil }
    }
  }

  private func signed(at now: Instant) throws(SendFailure) -> String {
    let claims: JSON = ["iss": .string(team), "iat": .number(now.milliseconds / 1000)]
    do { return try CompactToken.signed(claims, by: key, named: keyID) } catch {
      throw .temporary("APNs: the provider token cannot be signed")
    }
  }
}
