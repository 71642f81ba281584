import Avro
import Calendar
import HTTPTypes
import JWTKit
import Wire

/// The public keys of other servers, fetched again when they may have changed.
actor ProviderKeys {
  /// A key set (RFC 7517), ready for verification.
  struct KeySet: Sendable {
    let collection: JWTKeyCollection
    /// The type of each key by its name.
    let kinds: [String: String]

    init(_ json: JSON) async throws {
      var kinds: [String: String] = [:]
      let collection = JWTKeyCollection()
      for key in json["keys"]?.elements ?? [] {
        // A key that cannot be read is not needed, unless it signs a token.
        guard let kid = key["kid"]?.text, let kind = key["kty"]?.text,
          kind == "RSA" || kind == "EC", kinds[kid] == nil
        else { continue }
        let one: JSON = ["keys": [key]]
        guard (try? await collection.add(jwksJSON: one.encoded)) != nil else { continue }
        kinds[kid] = kind
      }
      self.collection = collection
      self.kinds = kinds
    }
  }

  private struct Kept {
    let keys: KeySet
    let fetched: Instant
    let expires: Instant
  }

  private static let shortestSeconds: Int64 = 60
  private static let longestSeconds: Int64 = 86_400
  private let outbound: any Outbound
  private var kept: [String: Kept] = [:]

  init(_ outbound: any Outbound) { self.outbound = outbound }

  /// The keys of an issuer, fetched again if they are too old or a name is missing.
  ///
  /// - Throws: ``AuthFailure/unexpected`` if they are not available.
  func keys(_ source: TrustedIssuer.Keys, with kid: String, at now: Instant) async throws -> KeySet
  {
    switch source {
    case .fixed(let json): return try await KeySet(json)
    case .address(let address):
      if let kept = kept[address], now < kept.expires {
        let isRecent =
          now.milliseconds - kept.fetched.milliseconds < Self.shortestSeconds * 1000
        if kept.keys.kinds[kid] != nil || isRecent { return kept.keys }
      }
      return try await fetch(address, at: now)
    }
  }

  private func fetch(_ address: String, at now: Instant) async throws -> KeySet {
    let answer: WireResponse
    do throws(OutboundFailure) {
      answer = try await outbound.send(.get, address, headers: HTTPFields(), body: [])
    } catch { throw AuthFailure.unexpected }
    guard answer.status == .ok, let json = try? JSON(parsing: answer.body) else {
      throw AuthFailure.unexpected
    }
    let keys = try await KeySet(json)
    let seconds = Self.seconds(in: answer.headers[.cacheControl])
    kept[address] = Kept(
      keys: keys, fetched: now, expires: now.advanced(byMilliseconds: seconds * 1000))
    return keys
  }

  /// The `max-age` of an answer, within bounds.
  private static func seconds(in header: String?) -> Int64 {
    for directive in (header ?? "").split(separator: ",") {
      let parts = directive.split(separator: "=")
      guard parts.count == 2, parts[0].filter({ $0 != " " }).lowercased() == "max-age",
        let seconds = Int64(parts[1].filter { $0 != " " && $0 != "\"" })
      else { continue }
      return min(max(seconds, shortestSeconds), longestSeconds)
    }
    return 3600
  }
}
