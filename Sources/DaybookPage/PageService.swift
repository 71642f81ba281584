import Avro
package import DaybookAPI
package import DaybookAuth
import DaybookStore
import HTTPTypes
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
  }

  /// Whether a path is one of the page.
  package static func has(_ path: [String]) -> Bool {
    guard let first = path.first else { return true }
    return ScreenList.names.contains(first) || ["page", "enter", "leave", "do"].contains(first)
  }

  /// Answers a request; there is always an answer.
  ///
  /// - Parameters:
  ///   - request: The request with its whole path.
  ///   - host: The host by which it was asked, with the port.
  /// - Returns: The answer.
  package func answer(_ request: WireRequest, at host: String?) async -> WireResponse {
    let language = Language(of: request)
    var response: WireResponse
    do {
      if request.method == .post { try PageForm.checkOrigin(of: request, at: host) }
      response = try await route(request, language)
    } catch let refusal as PageRefusal {
      response = pages.answer(refusal, in: language)
    } catch {
      response = pages.answer(.unavailable, in: language)
    }
    response.headers.append(contentsOf: Self.safety)
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    return response
  }

  private func route(_ request: WireRequest, _ language: Language) async throws -> WireResponse {
    if request.path.first == "page", request.path.count == 2 {
      return try Asset.answer(request.path[1], request)
    }
    let isForm = request.method == .post
    switch (isForm, request.path) {
    case (false, ["enter"]): return try await enter(request, language)
    case (true, ["enter"]) where settings.takesCodes:
      return try await sendCode(request, language)
    case (true, ["enter", "code"]) where settings.takesCodes,
      (true, ["enter", "link"]) where settings.takesCodes:
      return try await signIn(request, language)
    default: break
    }
    guard let guest = try await doorway.guest(of: request) else {
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
    } catch let refusal as PageRefusal {
      response = pages.answer(refusal, in: language, token: guest.formToken)
    } catch {
      response = pages.answer(.unavailable, in: language)
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
        guard let again = try await shownAgain(refusal, visit) else { throw refusal }
        return again
      }
    case (.post, ["leave"]):
      let form = try PageForm(visit.request, of: visit.guest)
      return await doorway.leave(visit.guest, scope: form.scope)
    case (.post, let path) where path.first == "settings":
      return try await SettingsForms(visit).answer(Array(path.dropFirst()))
    case (.get, let path) where path.starts(with: ["settings", "export"]),
      (.head, let path) where path.starts(with: ["settings", "export"]):
      return try await visit.export(Array(path.dropFirst(2)))
    case (.get, let path), (.head, let path):
      guard let screen = screens.screen(at: path) else { throw PageRefusal.notFound }
      if let canonical = try visit.canonicalTarget { return .redirect(to: canonical) }
      return try await pages.show(screen, for: visit)
    default: throw PageRefusal.wrongMethod
    }
  }

  /// The screen of a refused form with the reason and what was typed; `nil` if the form names no such screen.
  private func shownAgain(_ refusal: PageRefusal, _ visit: Visit) async throws -> WireResponse? {
    guard let again = refusal.again else { return nil }
    let request = WireRequest(of: again, like: visit.request)
    guard let screen = screens.screen(at: request.path) else { return nil }
    var shown = try Visit(request, visit.guest, visit.language, self)
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

extension WireRequest {
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
