import Avro
import Calendar
import Crypto
import DaybookStore
import GRDB
import Synchronization
import Values

/// The keys that sign access tokens (ES256), each with its name.
///
/// The newest key signs. Older ones stay in the public key set until the tokens that they signed have expired.
final class SigningKeys: Sendable {
  struct SigningKey: Sendable {
    let kid: String
    let created: Instant
    let privateKey: P256.Signing.PrivateKey
  }

  private let database: ServerDatabase
  private let keys = Mutex<[SigningKey]>([])

  init(in database: ServerDatabase) { self.database = database }

  func key(named kid: String) -> SigningKey? { keys.withLock { $0.first { $0.kid == kid } } }

  /// The key that signs now.
  var newest: SigningKey? { keys.withLock { $0.last } }

  func load() async throws {
    let found = try await database.read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM signing_keys ORDER BY created_at, rowid")
        .compactMap(SigningKey.init(row:))
    }
    keys.withLock { $0 = found }
  }

  /// Makes a new key when the newest is old enough, and deletes those whose tokens have all expired.
  func rotate(at now: Instant, every days: Int, tokenSeconds: Int) async throws {
    let period = Int64(days) * 86_400_000
    guard newest.map({ now.milliseconds - $0.created.milliseconds >= period }) ?? true else {
      return try await drop(at: now, tokenSeconds: tokenSeconds)
    }
    let fresh = SigningKey(kid: Key().description, created: now, privateKey: .init())
    let text = Base64URL.encoded(fresh.privateKey.rawRepresentation)
    try await database.write { database in
      try database.execute(
        sql: "INSERT INTO signing_keys (kid, private_key, created_at) VALUES (?, ?, ?)",
        arguments: [fresh.kid, text, now.milliseconds])
    }
    keys.withLock { $0.append(fresh) }
    try await drop(at: now, tokenSeconds: tokenSeconds)
  }

  /// Deletes a key once its successor is older than any token can get, plus a minute for differing clocks.
  private func drop(at now: Instant, tokenSeconds: Int) async throws {
    let life = Int64(tokenSeconds + 60) * 1000
    let gone = keys.withLock { keys in
      let old = zip(keys, keys.dropFirst()).prefix { _, next in
        now.milliseconds - next.created.milliseconds > life
      }
      keys.removeFirst(old.count)
      return old.map(\.0.kid)
    }
    guard !gone.isEmpty else { return }
    try await database.write { database in
      for kid in gone {
        try database.execute(sql: "DELETE FROM signing_keys WHERE kid = ?", arguments: [kid])
      }
    }
  }

  /// The public keys (RFC 7517).
  var publicSet: JSON {
    ["keys": .array(keys.withLock { $0 }.map { $0.privateKey.publicKey.webKey(named: $0.kid) })]
  }
}

extension SigningKeys.SigningKey {
  fileprivate init?(row: Row) {
    guard let bytes = Base64URL.decoded(row["private_key"] as String),
      let privateKey = try? P256.Signing.PrivateKey(rawRepresentation: bytes)
    else { return nil }
    self.init(
      kid: row["kid"], created: Instant(clamping: row["created_at"]), privateKey: privateKey)
  }
}
