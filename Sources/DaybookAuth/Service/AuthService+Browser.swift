import Avro
import Calendar
import Daybook
import GRDB
import HTTPTypes
import Values
import Wire

// Endpoints that a browser opens: it is redirected with a code, a session, or an error.
extension AuthService {
  /// `GET /verify`: opens the link of a mail.
  func openLink(_ request: AuthRequest) async throws -> WireResponse {
    let query = request.wire.query
    let asked = query["redirect_to"]
    let (now, link) = (now, query["token"] ?? query["token_hash"] ?? "")
    do {
      let purposes = try OneTimeCode.Purpose.meant(by: query["type"])
      try await countGuess(request, at: nil)
      let code = try await database.write {
        try OneTimeCode.consume(link: link, for: purposes, at: now, in: $0)
      }
      guard let code else { throw AuthFailure.codeExpired }
      let account = try await admit(code)
      let redirect = redirects.target(asked ?? code.redirect)
      return try await sendBack(
        account, by: "otp", to: redirect, code.challenge, as: code.purpose.sessionType,
        .seeOther)
    } catch let failure as AuthFailure {
      return Self.sendBack(failure, to: redirects.target(asked), .seeOther)
    }
  }

  /// `GET /authorize`: sends the browser to a provider.
  func authorize(_ request: AuthRequest) async throws -> WireResponse {
    let query = request.wire.query
    let provider = (query["provider"] ?? "").lowercased()
    let (state, now) = (Secret.fresh(), now)
    let kept = AuthorizationState(
      provider: provider, redirect: redirects.target(query["redirect_to"]),
      challenge: try ProofKey(
        challenge: query["code_challenge"].nonEmpty,
        method: query["code_challenge_method"].nonEmpty),
      verifier: Secret.fresh())
    let address: String
    if developmentIssuer != nil, provider == "google" || provider == "apple" {
      address =
        "\(settings.siteURL)/dev/authorize?"
        + PercentCode.query([("provider", provider), ("state", state)])
    } else if provider == "google", let google {
      let scopes = query["scopes"].nonEmpty.map { String($0.prefix(512)) }
      address = google.address(
        state: state, verifier: kept.verifier, scopes: scopes, wishes: query)
    } else {
      throw AuthFailure.invalid("Unsupported provider: provider is not enabled")
    }
    // Counted, because anybody could otherwise fill the disk with states that wait for a browser.
    try await countGuess(request, at: nil)
    try await database.write { try kept.save(state, at: now, in: $0) }
    return Self.redirect(to: address, .found)
  }

  /// `GET /callback`: receives the browser from a provider.
  func callBack(_ request: AuthRequest) async throws -> WireResponse {
    let (query, now) = (request.wire.query, now)
    var redirect = redirects.target(nil)
    do {
      let text = query["state"] ?? ""
      let taken = try await database.write {
        try AuthorizationState.consume(text, at: now, in: $0)
      }
      guard let state = taken, let provider = IdentityKind(rawValue: state.provider) else {
        throw AuthFailure.badState
      }
      redirect = redirects.target(state.redirect)
      guard query["error"] == nil, let code = query["code"] else {
        throw AuthFailure(403, "access_denied", "The provider did not sign the person in.")
      }
      let facts = try await identityTokens.facts(
        in: try await identityToken(for: code, verifier: state.verifier), from: provider,
        nonce: nil, at: now)
      let account = try await admit(facts)
      return try await sendBack(
        account, by: "oauth", to: redirect, state.challenge, as: nil, .found)
    } catch let failure as AuthFailure {
      return Self.sendBack(failure, to: redirect, .found)
    }
  }

  private func identityToken(for code: String, verifier: String) async throws -> String {
    if let developmentIssuer, let token = developmentIssuer.redeem(code, at: now) { return token }
    guard let google else { throw AuthFailure.badIdentityToken }
    return try await google.identityToken(for: code, verifier: verifier)
  }

  /// `POST /token?grant_type=pkce`.
  func exchangeCode(_ request: AuthRequest) async throws -> WireResponse {
    let (code, now) = (try request.neededText("auth_code"), now)
    let verifier = try request.neededText("code_verifier")
    let outcome = try await database.write {
      try AuthorizationCode.consume(code, verifier: verifier, at: now, in: $0)
    }
    switch outcome {
    case .unknown: throw AuthFailure.flowStateNotFound
    case .wrongVerifier: throw AuthFailure.badCodeVerifier
    case .taken(let code):
      return WireResponse(.ok, try await openSession(of: code.account, by: code.method))
    }
  }

  /// Sends a browser back to its app: with a code if the app gave a challenge, or else with the session itself.
  private func sendBack(
    _ account: Key, by method: String, to redirect: String, _ challenge: ProofKey?,
    as type: String?, _ status: HTTPResponse.Status
  ) async throws -> WireResponse {
    guard let challenge else {
      let session = try await openSession(of: account, by: method)
      var items: [(String, String)] = []
      for name in ["access_token", "refresh_token", "expires_in", "expires_at", "token_type"] {
        switch session[name] {
        case .string(let text), .number(let text): items.append((name, text))
        default: break
        }
      }
      if let type { items.append(("type", type)) }
      return Self.redirect(to: redirect + "#" + PercentCode.query(items), status)
    }
    let (text, now) = (Secret.fresh(), now)
    let code = AuthorizationCode(account: account, method: method, challenge: challenge)
    try await database.write { try code.save(text, at: now, in: $0) }
    return Self.redirect(
      to: redirect + Self.joint(redirect) + PercentCode.query([("code", text)]), status)
  }

  /// Tells an app why there is no session, both in the query and after `#`, because each app reads one of them.
  private static func sendBack(
    _ failure: AuthFailure, to redirect: String, _ status: HTTPResponse.Status
  ) -> WireResponse {
    let query = PercentCode.query([
      ("error", failure.status >= 500 ? "server_error" : "access_denied"),
      ("error_code", failure.code), ("error_description", failure.message),
    ])
    return Self.redirect(to: redirect + joint(redirect) + query + "#" + query, status)
  }

  private static func joint(_ redirect: String) -> String { redirect.contains("?") ? "&" : "?" }

  private static func redirect(
    to address: String, _ status: HTTPResponse.Status
  ) -> WireResponse {
    WireResponse(status, headers: [.location: address])
  }
}

extension String? {
  fileprivate var nonEmpty: String? { self?.isEmpty == true ? nil : self }
}
