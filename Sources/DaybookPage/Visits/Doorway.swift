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
  let names: CookieNames

  init(_ auth: AuthService, mark: String = "") {
    self.auth = auth
    names = CookieNames(isSecure: auth.settings.siteURL.hasPrefix("https://"), mark: mark)
  }

  /// The access token in the cookies of a request.
  package func token(in headers: HTTPFields) -> String? { headers.cookies[names.access] }

  /// Who sent a request; `nil` when nobody is signed in. An access token that is over is replaced, if the session goes on.
  func guest(of request: WireRequest) async throws -> Guest? {
    let cookies = request.headers.cookies
    if let token = cookies[names.access], let claims = try? auth.claims(of: token) {
      return guest(claims, token, cookies: [])
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

  /// Signs in with the token of a link that whoever runs the server handed out; `nil` if it is none, or was used.
  func visit(by link: String) async throws -> Guest? {
    do throws(DatabaseFailure) {
      let session = try await auth.openSession(byVisitLink: link)
      return session.flatMap { guest(in: WireResponse(.ok, $0)) }
    } catch { throw PageRefusal.unavailable }
  }

  private func signIn(_ body: JSON, _ client: String?) async throws -> Guest {
    let answer = await ask("verify", body, from: client)
    guard let guest = guest(in: answer) else { throw Self.refusal(in: answer) }
    return guest
  }

  /// Ends this session, all of the account (`global`), or all others, and for the first two forgets the cookies.
  func leave(_ guest: Guest, scope: String = "local") async -> WireResponse {
    _ = await ask(
      "logout", [:], query: [.init("scope", scope)], bearer: guest.token, from: nil)
    guard scope != "others" else { return .redirect(to: "/settings#devices") }
    return forgettingCookies(.redirect(to: "/enter"))
  }

  /// An answer after which the browser has no cookie of the page any more.
  func forgettingCookies(_ response: WireResponse) -> WireResponse {
    var response = response
    for name in [names.access, names.refresh, names.done] {
      response.headers.append(.init(name: .setCookie, value: names.cookie(name, "", seconds: 0)))
    }
    // What the browser kept for when there is no connection goes, too.
    if let name = HTTPField.Name("Clear-Site-Data") { response.headers[name] = "\"storage\"" }
    return response
  }

  /// Notes in which browser a session began. It is only a help for its owner, so a failure is none of the sign-in.
  func note(_ request: WireRequest, beginning guest: Guest) async {
    guard let device = BrowserName(request.headers[.userAgent] ?? "").text else { return }
    try? await auth.note(device: device, of: guest.session)
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
    return guest(
      claims, access,
      cookies: [
        names.cookie(names.access, access, seconds: session["expires_in"]?.integer ?? 3600),
        names.cookie(names.refresh, refresh, seconds: 60 * 86_400),
      ])
  }

  private func guest(_ claims: Claims, _ token: String, cookies: [String]) -> Guest {
    Guest(
      account: claims.account, session: claims.session, token: token,
      formToken: auth.formToken(of: claims.session), cookies: cookies)
  }
}

/// The page's cookies. Over HTTPS their prefix binds them to this host alone (RFC 6265bis, section 4.1.3).
struct CookieNames: Sendable {
  let isSecure: Bool
  /// Tells the cookies of servers on one machine apart, for browsers do not: a port is no part of a cookie's host.
  let mark: String

  var access: String { name("access") }
  var refresh: String { name("refresh") }
  /// Holds the position of what was recorded last, for some seconds.
  var done: String { name("done") }

  private func name(_ word: String) -> String {
    (isSecure ? "__Host-" : "") + "daybook-" + word + (mark.isEmpty ? "" : "-" + mark)
  }

  /// A cookie that no script reads, and that no other site sends with a form. With 0 seconds it is forgotten.
  func cookie(_ name: String, _ value: String, seconds: Int) -> String {
    "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax"
      + (isSecure ? "; Secure" : "")
  }
}

/// A person who is signed in.
struct Guest: Sendable {
  let account: Key
  let session: Key
  var token: String?
  /// What each form of this session must contain. Another site cannot know it.
  let formToken: String
  /// The cookies to set: there are some after a sign-in and when tokens were replaced.
  let cookies: [String]

  /// What tells a browser whether two screens are of the same account. It reveals nothing of the account.
  var mark: String { Key(derivedFrom: ["page", account.description]).description }
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
