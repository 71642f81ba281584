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

  /// Prepares the templates.
  ///
  /// - Parameters:
  ///   - api: The commands and questions.
  ///   - auth: Sign-in.
  package init(api: ClientAPI, auth: AuthService) {
    self.api = api
    doorway = Doorway(auth)
    pages = PageTemplates()
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
    case (false, ["enter"]): return pages.enter(request, in: language)
    case (true, ["enter"]): return try await sendCode(request, language)
    case (true, ["enter", "code"]), (true, ["enter", "link"]):
      return try await signIn(request, language)
    default: break
    }
    guard let guest = try await doorway.guest(of: request) else {
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
    let hasLeft = request.path == ["leave"] && response.status == .seeOther
    for cookie in guest.cookies where !hasLeft {
      response.headers.append(.init(name: .setCookie, value: cookie))
    }
    return response
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
      var response = WireResponse.redirect(to: form.back)
      for cookie in guest.cookies {
        response.headers.append(.init(name: .setCookie, value: cookie))
      }
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
    case (.post, ["do"]): return try await visit.carryOut()
    case (.post, ["leave"]):
      _ = try PageForm(visit.request, of: visit.guest)
      return await doorway.leave(visit.guest)
    case (.get, let path), (.head, let path):
      guard let screen = screens.screen(at: path) else { throw PageRefusal.notFound }
      if let canonical = try visit.canonicalTarget { return .redirect(to: canonical) }
      return try await pages.show(screen, for: visit)
    default: throw PageRefusal.wrongMethod
    }
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
}
