import Avro
import Calendar
import DaybookAuth
import Daybook
import DaybookStore
package import HTTPTypes
import Values
import Wire

/// Lets people in, and knows them again by their cookies.
///
/// The cookies hold what an app would hold: an access token, and a refresh token that gets the next one. No script can read
/// them, and no other site can send them with a form.
package struct Doorway: Sendable {
  let auth: AuthService
  private let names: CookieNames

  init(_ auth: AuthService) {
    self.auth = auth
    names = CookieNames(isSecure: auth.settings.siteURL.hasPrefix("https://"))
  }

  /// The access token in the cookies of a request.
  package func token(in headers: HTTPFields) -> String? { headers.cookies[names.access] }

  /// Who sent a request; `nil` when nobody is signed in. An access token that is over is replaced, if the session goes on.
  func guest(of request: WireRequest) async throws -> Guest? {
    let cookies = request.headers.cookies
    if let token = cookies[names.access], let claims = try? auth.claims(of: token) {
      return Guest(
        account: claims.account, session: claims.session, token: token, cookies: [])
    }
    guard let refresh = cookies[names.refresh] else { return nil }
    let answer = await ask(
      "token", ["refresh_token": .string(refresh)], query: [.init("grant_type", "refresh_token")],
      from: request.address)
    guard answer.status != .serviceUnavailable else { throw PageRefusal.unavailable }
    return guest(in: answer)
  }

  /// Asks for a code to be sent to a phone or an e-mail address.
  ///
  /// - Throws: ``PageRefusal`` with the sentence of sign-in.
  func sendCode(to address: String, from client: String?) async throws {
    let answer = await ask("otp", Self.address(address), from: client)
    guard answer.status == .ok else { throw Self.refusal(in: answer) }
  }

  /// Signs in with a code that was sent to an address.
  func signIn(_ address: String, code: String, from client: String?) async throws -> Guest {
    let type = address.contains("@") ? "email" : "sms"
    let members = [.init("type", .string(type)), .init("token", .string(code))] as [JSON.Member]
    return try await signIn(.object((Self.address(address).members ?? []) + members), client)
  }

  /// Signs in with the token of a link.
  func signIn(link: String, from client: String?) async throws -> Guest {
    try await signIn(["type": "email", "token_hash": .string(link)], client)
  }

  private func signIn(_ body: JSON, _ client: String?) async throws -> Guest {
    let answer = await ask("verify", body, from: client)
    guard let guest = guest(in: answer) else { throw Self.refusal(in: answer) }
    return guest
  }

  /// Ends a session, and forgets its cookies.
  func leave(_ guest: Guest) async -> WireResponse {
    _ = await ask(
      "logout", [:], query: [.init("scope", "local")], bearer: guest.token, from: nil)
    var response = WireResponse.redirect(to: "/enter")
    for name in [names.access, names.refresh] {
      response.headers.append(.init(name: .setCookie, value: cookie(name, "", seconds: 0)))
    }
    return response
  }

  private static func address(_ text: String) -> JSON {
    .object([.init(text.contains("@") ? "email" : "phone", .string(text))])
  }

  private static func refusal(in answer: WireResponse) -> PageRefusal {
    let json = try? JSON(parsing: answer.body)
    return PageRefusal(
      answer.status, json?["msg"]?.text ?? json?["message"]?.text ?? "refused.unavailable")
  }

  private func ask(
    _ path: String, _ body: JSON, query: [WireQuery.Item] = [], bearer: String? = nil,
    from client: String?
  ) async -> WireResponse {
    var headers: HTTPFields = [.contentType: "application/json"]
    headers[.authorization] = bearer.map { "Bearer \($0)" }
    return await auth.answer(
      WireRequest(
        .post, [path], query: WireQuery(query), headers: headers, body: Array(body.encoded.utf8),
        address: client))
  }

  /// The guest of an answer with a session.
  private func guest(in answer: WireResponse) -> Guest? {
    guard answer.status == .ok, let session = try? JSON(parsing: answer.body),
      let access = session["access_token"]?.text, let refresh = session["refresh_token"]?.text,
      let claims = try? auth.claims(of: access)
    else { return nil }
    return Guest(
      account: claims.account, session: claims.session, token: access,
      cookies: [
        cookie(names.access, access, seconds: session["expires_in"]?.integer ?? 3600),
        cookie(names.refresh, refresh, seconds: 60 * 86_400),
      ])
  }

  /// A cookie that no script reads, and that no other site sends with a form.
  private func cookie(_ name: String, _ value: String, seconds: Int) -> String {
    "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax"
      + (names.isSecure ? "; Secure" : "")
  }
}

/// The names of the cookies. Over HTTPS their prefix binds them to this host alone (RFC 6265bis, section 4.1.3).
private struct CookieNames: Sendable {
  let isSecure: Bool
  var access: String { (isSecure ? "__Host-" : "") + "daybook-access" }
  var refresh: String { (isSecure ? "__Host-" : "") + "daybook-refresh" }
}

/// A person who is signed in.
struct Guest: Sendable {
  let account: Key
  let session: Key
  var token: String?
  /// The cookies to set: there are some after a sign-in and when tokens were replaced.
  let cookies: [String]

  /// What each form of this session must contain. Another site cannot know it.
  var formToken: String { Key(derivedFrom: ["form", session.description]).description }
}

extension HTTPFields {
  /// The cookies of a request, by name; of two with a name, the first.
  var cookies: [String: String] {
    var cookies: [String: String] = [:]
    for header in self[values: .cookie] {
      for piece in header.split(separator: ";") {
        let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { continue }
        let name = parts[0].filter { $0 != " " }
        if cookies[name] == nil { cookies[name] = String(parts[1]) }
      }
    }
    return cookies
  }
}
