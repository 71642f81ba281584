import Avro
package import DaybookAPI
package import DaybookAuth
import DaybookStore
package import HTTPTypes
import Values
package import Wire

/// Daybook in a browser: screens of HTML that read and record without any script, and a few scripts that make them quicker.
///
/// It is a client like any other: each screen asks the questions of ``ClientAPI``, and each form sends it one command. So it
/// decides nothing, and shows nobody what the API would not tell them.
package struct PageService: Sendable {
  let api: ClientAPI
  package let doorway: Doorway
  let pages: PageTemplates
  private let screens: ScreenList
  /// The languages in which it speaks.
  var languages = Language.all
  private let changes: AccountChanges
  let settings: PageSettings
  let uploads = PendingUploads()

  /// Prepares the templates.
  ///
  /// - Parameters:
  ///   - api: The commands and questions.
  ///   - auth: Sign-in.
  ///   - settings: What else the server offers to browsers.
  package init(api: ClientAPI, auth: AuthService, settings: PageSettings = PageSettings()) {
    self.api = api
    self.settings = settings
    doorway = Doorway(auth, mark: settings.cookieMark)
    pages = PageTemplates(takesCodes: settings.takesCodes)
    screens = ScreenList()
    changes = AccountChanges(api.book, heartbeat: api.heartbeat)
  }

  /// Whether a path is one of the page.
  package static func has(_ path: [String]) -> Bool {
    guard let first = path.first else { return true }
    return ScreenList.names.contains(first)
      || ["page", "enter", "leave", "do", "changes", "offline", "sw.js", DocumentScreens.name]
        .contains(first)
  }

  /// Answers a request; there is always an answer.
  ///
  /// - Parameters:
  ///   - request: The request with its whole path.
  ///   - host: The host by which it was asked, with the port.
  /// - Returns: The answer.
  package func answer(_ request: WireRequest, at host: String?) async -> WireResponse {
    let language = Language(of: request, among: languages)
    var response: WireResponse
    do {
      if request.method == .post { try PageForm.checkOrigin(of: request, at: host) }
      response = try await route(request, language)
    } catch {
      response = answer(error, to: request, language)
    }
    response.headers.append(contentsOf: Self.safety)
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    return response
  }

  private func route(_ request: WireRequest, _ language: Language) async throws -> WireResponse {
    if request.path.first == "page" { return try Asset.answer(request) }
    if request.path.first == DocumentScreens.name {
      guard settings.hasDocuments else { throw PageRefusal.notFound }
      return pages.show(try DocumentScreens(language: language).content(request), in: language)
    }
    let isForm = request.method == .post
    switch (isForm, request.path) {
    case (false, ["sw.js"]):
      return WireResponse(
        .ok,
        headers: [.contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache"],
        body: Asset.worker)
    case (false, ["offline"]): return pages.offline(in: language)
    case (false, ["enter"]): return try await enter(request, language)
    case (true, ["enter"]) where settings.takesCodes:
      return try await sendCode(request, language)
    case (true, ["enter", "code"]) where settings.takesCodes,
      (true, ["enter", "link"]) where settings.takesCodes:
      return try await signIn(request, language)
    default: break
    }
    guard let guest = try await doorway.guest(of: request) else {
      if request.isFromScript { throw PageRefusal.signedOut }
      if !isForm, let document = LegalScreen(at: request.path) {
        return pages.show(document.content(in: language), in: language)
      }
      if isForm, request.path == ["do"], settings.takesCodes, let form = try? PageForm(request) {
        return pages.enter(keeping: form, in: language)
      }
      return .redirect(
        to: "/enter?" + PercentCode.query([("back", isForm ? "/" : request.target)]))
    }
    var response: WireResponse
    do {
      response = try await answer(Visit(request, guest, language, self))
    } catch {
      response = answer(error, to: request, language, token: guest.formToken)
    }
    // A refusal, too, brings the tokens that replace used ones: without them the session would end.
    let hasLeft = response.headers[values: .setCookie].contains {
      $0.hasPrefix(doorway.names.access + "=;")
    }
    for cookie in guest.cookies where !hasLeft {
      response.headers.append(.init(name: .setCookie, value: cookie))
    }
    return response
  }

  private func answer(
    _ error: any Error, to request: WireRequest, _ language: Language, token: String? = nil
  ) -> WireResponse {
    let refusal = error as? PageRefusal ?? .unavailable
    return request.isFromScript
      ? refusal.brief(in: language) : pages.answer(refusal, in: language, token: token)
  }

  /// The changes of the account of a request's cookies, for as long as its session lasts.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - host: The host by which it was asked, with the port.
  /// - Returns: The session and the changes.
  /// - Throws: ``PageRefusal``.
  package func changes(for request: WireRequest, at host: String?) async throws -> PageChanges {
    guard request.method == .get || request.method == .head else { throw PageRefusal.wrongMethod }
    // Another site cannot read the stream, but it could use up those that an account may have.
    try PageForm.checkOrigin(of: request, at: host)
    guard let guest = try await doorway.guest(of: request), let token = guest.token,
      let claims = try? doorway.auth.claims(of: token),
      let positions = changes.positions(for: guest.account)
    else { throw PageRefusal.signedOut }
    var headers = EventStream.headers
    headers.append(contentsOf: Self.safety)
    for cookie in guest.cookies { headers.append(.init(name: .setCookie, value: cookie)) }
    return PageChanges(claims: claims, headers: headers, positions: positions)
  }

  /// Answers with the refusal of a stream of changes.
  package func answer(refused error: any Error, _ request: WireRequest) -> WireResponse {
    let refusal = error as? PageRefusal ?? .unavailable
    return refusal.brief(in: Language(of: request, among: languages))
  }

  /// Lets in whoever has a link of the server's own, or asks how to sign in.
  private func enter(_ request: WireRequest, _ language: Language) async throws -> WireResponse {
    guard let link = request.query["link"] else { return pages.enter(request, in: language) }
    // Opening such a link is enough: it was not sent through anybody who might have looked at it.
    if request.method == .get, let guest = try await doorway.visit(by: link) {
      await doorway.note(request, beginning: guest)
      return .signedIn(guest, to: PageForm.own(request.query["back"]))
    }
    // Whoever opens a used link again is still signed in.
    if let guest = try await doorway.guest(of: request) {
      return .signedIn(guest, to: PageForm.own(request.query["back"]))
    }
    return pages.enter(request, in: language)
  }

  private func sendCode(_ request: WireRequest, _ language: Language) async throws -> WireResponse {
    let form = try PageForm(request)
    let address = (form.fields["address"] ?? "").trimmed
    do {
      try await doorway.sendCode(to: address, from: request.address)
    } catch let refusal as PageRefusal {
      return pages.enter(form, refused: refusal, in: language)
    }
    return pages.enterCode(form, address, in: language)
  }

  private func signIn(_ request: WireRequest, _ language: Language) async throws -> WireResponse {
    let form = try PageForm(request)
    do {
      let guest =
        if let link = form.fields["link"] {
          try await doorway.signIn(link: link, from: request.address)
        } else {
          try await doorway.signIn(
            form.fields["address"] ?? "", code: form.fields["code"] ?? "", from: request.address)
        }
      await doorway.note(request, beginning: guest)
      guard let kept = form.keptBefore else { return .signedIn(guest, to: form.back) }
      // What was typed before the sign-in is shown once more, and is sent only by whoever reads it.
      var response = pages.answer(
        PageRefusal(typedBefore: kept, back: form.back), in: language, token: guest.formToken)
      response.headers.append(contentsOf: WireResponse.signedIn(guest, to: "/").cookies)
      return response
    } catch let refusal as PageRefusal {
      guard let address = form.fields["address"] else {
        return pages.enter(form, refused: refusal, in: language)
      }
      return pages.enterCode(form, address, refused: refusal, in: language)
    }
  }

  private func answer(_ visit: Visit) async throws -> WireResponse {
    switch (visit.request.method, visit.request.path) {
    case (.post, ["do"]):
      do { return try await visit.carryOut() } catch let refusal as PageRefusal {
        guard !visit.request.isFromScript, let again = try await shownAgain(refusal, visit)
        else { throw refusal }
        return again
      }
    case (.post, ["leave"]):
      let form = try PageForm(visit.request, of: visit.guest)
      try visit.checkWall(nil)
      return await doorway.leave(visit.guest, scope: form.scope)
    case (.post, let path) where path.first == "settings":
      return try await SettingsForms(visit).answer(Array(path.dropFirst()))
    case (.get, let path) where path.starts(with: ["settings", "export"]),
      (.head, let path) where path.starts(with: ["settings", "export"]):
      return try await visit.export(Array(path.dropFirst(2)))
    case (.get, let path), (.head, let path):
      if let wall = visit.request.query["wall"] { return visit.hang(wall == "1") }
      if visit.isWall, !ScreenList.wall.contains(path.first ?? "") { return .redirect(to: "/") }
      guard let screen = screens.screen(at: path) else { throw PageRefusal.notFound }
      if let canonical = try visit.canonicalTarget { return .redirect(to: canonical) }
      return try await pages.show(screen, for: visit)
    default: throw PageRefusal.wrongMethod
    }
  }

  /// The screen of a refused form with the reason and what was typed; `nil` if the form names no such screen.
  private func shownAgain(_ refusal: PageRefusal, _ visit: Visit) async throws -> WireResponse? {
    guard let again = refusal.again else { return nil }
    var shown = try visit.at(again)
    guard let screen = screens.screen(at: shown.request.path) else { return nil }
    shown.refusal = refusal
    // Where the screen itself cannot be shown any more, the reason of the refusal matters more.
    guard !shown.isPast, let content = try? await screen.content(shown) else { return nil }
    var response = try await pages.show(content, for: shown)
    response.status = refusal.status
    return response
  }

  /// What browsers are allowed to do with the page: run its own scripts and styles, and send its forms to it alone.
  private static let safety: HTTPFields = {
    var headers: HTTPFields = [
      .contentSecurityPolicy:
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        + " manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none';"
        + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types daybook",
      .xContentTypeOptions: "nosniff",
    ]
    for (name, value) in [
      ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
    ] {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    return headers
  }()
}

/// The changes of an account that a browser is told of: that there are some, and nothing else.
package struct PageChanges: Sendable {
  /// The session that ends them.
  package let claims: Claims
  /// The headers of the answer, with the cookies that replace used ones.
  package let headers: HTTPFields
  package let positions: AccountChanges.Positions

  /// The text of a change in a stream of server-sent events.
  package static func event(at position: Int64) -> [UInt8] { Array("data: \(position)\n\n".utf8) }
}

extension WireRequest {
  /// Whether a script of the page sent it, which wants no screen.
  var isFromScript: Bool { headers[.accept] == "application/json" }

  /// A request of an address of the page, with the headers of another request.
  init(of target: String, like other: WireRequest) {
    let address = target.prefix { $0 != "#" }
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(
      .get, (parts.first ?? "").split(separator: "/").map { WireQuery.decoded($0.utf8) },
      query: WireQuery(encoded: parts.count > 1 ? parts[1] : ""), headers: other.headers,
      address: other.address)
  }

  /// The path and the query, as in an address of the page.
  var target: String {
    let path = "/" + path.map { PercentCode.encoded($0) }.joined(separator: "/")
    guard !query.items.isEmpty else { return path }
    return path + "?" + PercentCode.query(query.items.map { ($0.name, $0.value) })
  }
}

extension WireResponse {
  /// Sends the browser to another address of the page with GET.
  static func redirect(to target: String) -> WireResponse {
    WireResponse(.seeOther, headers: [.location: target])
  }

  /// The headers that set cookies.
  var cookies: HTTPFields { HTTPFields(headers.filter { $0.name == .setCookie }) }

  /// Sends a person who has just signed in to an address of the page.
  static func signedIn(_ guest: Guest, to target: String) -> WireResponse {
    var response = redirect(to: target)
    for cookie in guest.cookies {
      response.headers.append(.init(name: .setCookie, value: cookie))
    }
    return response
  }
}
