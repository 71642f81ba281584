import Crypto
import CryptoExtras
import Dispatch
import Synchronization

/// Hashes passwords with scrypt (RFC 7914), which is slow, on threads of its own, two at once.
///
/// A hash is kept as `scrypt$<log2 N>$<salt>$<hash>`, with r = 8 and p = 1, so that the cost can be raised later.
final class PasswordHasher: Sendable {
  /// The most passwords that may wait. Each takes a tenth of a second, so further callers are told to come again.
  private static let capacity = 60
  private let cost: Int
  private let lanes = (0..<2).map { DispatchQueue(label: "daybook.passwords.\($0)") }
  private let waiting = Mutex([0, 0])
  private let rounds = Mutex(0)

  init(cost: Int) { self.cost = min(max(cost, 1), 20) }

  /// The rounds of all hashes so far. They make up the time that the answers took.
  var roundCount: Int { rounds.withLock { $0 } }

  /// The hash of a password, under a fresh salt.
  ///
  /// - Throws: ``AuthFailure/tooManyRequests`` if too many wait.
  func hash(_ password: String) async throws -> String {
    let salt = Base64URL.encoded(Secret.bytes(16))
    let hash = try await derived(password, salt, cost)
    return "scrypt$\(cost)$\(salt)$\(hash)"
  }

  /// Whether a password has a hash. Without a hash, the answer is no after the same time.
  ///
  /// - Throws: ``AuthFailure/tooManyRequests`` if too many wait.
  func matches(_ password: String, _ kept: String?) async throws -> Bool {
    let parts = (kept ?? "").split(separator: "$").map(String.init)
    guard parts.count == 4, parts[0] == "scrypt", let cost = Int(parts[1]),
      (1...20).contains(cost)
    else {
      _ = try await derived(password, "nobody", cost)
      return false
    }
    return Secret.areEqual(try await derived(password, parts[2], cost), parts[3])
  }

  private func derived(_ password: String, _ salt: String, _ cost: Int) async throws -> String {
    let lane = try waiting.withLock { waiting throws(AuthFailure) in
      guard waiting[0] + waiting[1] < Self.capacity else { throw .tooManyRequests }
      let lane = waiting[0] <= waiting[1] ? 0 : 1
      waiting[lane] += 1
      return lane
    }
    return try await withCheckedThrowingContinuation { continuation in
      lanes[lane].async { [self] in
        let hash = Result {
          try KDF.Scrypt.deriveKey(
            from: Array(password.utf8), salt: Array(salt.utf8), outputByteCount: 32,
            rounds: 1 << cost, blockSize: 8, parallelism: 1
          ).withUnsafeBytes { Base64URL.encoded($0) }
        }
        rounds.withLock { $0 += 1 << cost }
        waiting.withLock { $0[lane] -= 1 }
        continuation.resume(with: hash)
      }
    }
  }
}
