import Avro
import Calendar
import HTTPTypes
import Wire

/// The public keys of identity providers, cached and fetched again when they may have changed.
actor ProviderKeys {
  private struct Kept {
    let keys: [String: WebKey]
    let fetched: Instant
    let expires: Instant
  }

  private static let shortestSeconds: Int64 = 60
  private static let longestSeconds: Int64 = 86_400
  private let outbound: any Outbound
  private var kept: [String: Kept] = [:]

  init(_ outbound: any Outbound) { self.outbound = outbound }

  /// Returns an issuer's key, or `nil` if the issuer has no such key. The issuer's keys are fetched again if
  /// the cached ones have expired, or if they lack this key and are not recent.
  ///
  /// - Throws: ``AuthFailure/unexpected`` if the keys cannot be fetched.
  func key(
    named kid: String, of source: TrustedIssuer.Keys, at now: Instant
  ) async throws -> WebKey? {
    switch source {
    case .fixed(let json): return Self.keys(in: json)[kid]
    case .address(let address):
      if let kept = kept[address], now < kept.expires {
        let isRecent =
          now.milliseconds - kept.fetched.milliseconds < Self.shortestSeconds * 1000
        if kept.keys[kid] != nil || isRecent { return kept.keys[kid] }
      }
      return try await fetch(address, at: now)[kid]
    }
  }

  /// The keys of a key set by key ID (RFC 7517). Unreadable keys are skipped, because no token may ever need
  /// them.
  private static func keys(in json: JSON) -> [String: WebKey] {
    let keys = (json["keys"]?.elements ?? []).compactMap { key in
      key["kid"]?.text.flatMap { kid in WebKey(key).map { (kid, $0) } }
    }
    return Dictionary(keys) { first, _ in first }
  }

  private func fetch(_ address: String, at now: Instant) async throws -> [String: WebKey] {
    let answer: WireResponse
    do throws(OutboundFailure) {
      answer = try await outbound.send(.get, address, headers: HTTPFields(), body: [])
    } catch { throw AuthFailure.unexpected }
    guard answer.status == .ok, let json = try? JSON(parsing: answer.body) else {
      throw AuthFailure.unexpected
    }
    let keys = Self.keys(in: json)
    let seconds = Self.seconds(in: answer.headers[.cacheControl])
    kept[address] = Kept(
      keys: keys, fetched: now, expires: now.advanced(byMilliseconds: seconds * 1000))
    return keys
  }

  /// The `max-age` of an answer, clamped to the bounds; an hour if there is none.
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
