import Avro
import DaybookAPI
import DaybookAuth
import DaybookDelivery
import DaybookPage
import DaybookStore
import DaybookTables
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Values
import Wire

/// The parts of a server, each of which answers its own requests.
struct ServerParts: Sendable {
  let settings: ServerSettings
  let book: Book
  let auth: AuthService
  /// `nil` outside development.
  let development: DevService?
  let tables: TableService
  let api: ClientAPI
  let functions: EdgeFunctions
  /// `nil` unless the settings switch them on.
  let personalTokens: PersonalTokens?
  /// `nil` where the settings switch it off.
  let page: PageService?
  let health: Health
  let figures: FigureRegistry
  /// Whether only the page is served, and only to this machine: ``DaybookServer/init(pageOf:_:logger:)``.
  var isLocal = false
  /// Counts the open streams of events.
  let streams = StreamGate()
  /// The apps' schemas by their path component; all tables together are under the empty one.
  let schemas: [String: TableSchema]

  /// The schema of an app's prefix; `nil` for an unknown app.
  func schema(of app: String?) -> TableSchema? { schemas[app ?? ""] }

  /// Whether a public key is this server's, compared in constant time.
  func isKnown(key: String?) -> Bool {
    guard let key else { return false }
    return Secret.areEqual(key, settings.anonymousKey)
  }

  /// The refusal of a request that this server does not serve; `nil` for any other.
  ///
  /// A page of one's own answers by the names of this machine alone. Otherwise a site whose name is made to lead here
  /// could ask it like its own server (DNS rebinding).
  func refusal(of route: Route, at host: String?) -> WireResponse? {
    guard isLocal else { return nil }
    guard Self.isLoopback(host) else {
      return WireResponse(
        .misdirectedRequest, headers: [.contentType: "text/plain; charset=utf-8"],
        body: Array("This page answers only at 127.0.0.1 and localhost.\n".utf8))
    }
    return route.isPage || route == .health ? nil : Self.nothing
  }

  /// Whether a request's host, with or without a port, is a name of this machine itself.
  static func isLoopback(_ host: String?) -> Bool {
    guard let host else { return false }
    let name =
      host.hasPrefix("[")
      ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    return ["127.0.0.1", "localhost", "[::1]"].contains(name.lowercased())
  }

  /// Lets the part of the route answer a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - route: Its route.
  ///   - schema: The app's tables.
  ///   - host: The host by which it was asked, with the port.
  /// - Returns: The answer.
  func answer(
    _ request: WireRequest, _ route: Route, _ schema: TableSchema, at host: String? = nil
  ) async -> WireResponse {
    var request = request
    switch route {
    case .auth(let path):
      request.path = path
      return await auth.answer(request)
    case .rest(let path):
      request.path = path
      do throws(TokenError) {
        return await tables.answer(request, in: schema, by: try viewer(of: request))
      } catch { return Self.refusal(error) }
    case .function(let name):
      do throws(TokenError) {
        return await functions.answer(request, name: name, for: try account(of: request))
      } catch { return .functionRefusal(.unauthorized, error.description) }
    case .api(let path):
      request.path = path
      return await answer(api: request)
    case .feed(let name):
      guard let personalTokens else { return Self.nothing }
      return await personalTokens.calendar(request, named: name)
    case .dev(let path):
      guard let development else { return Self.nothing }
      request.path = path
      return await development.answer(request)
    case .page(let path):
      guard let page else { return Self.nothing }
      request.path = path
      return await page.answer(request, at: host)
    case .realtime:
      return WireResponse(.upgradeRequired, ["error": "Only a WebSocket may be opened here."])
    case .health: return WireResponse(.ok, ["status": "ok"])
    case .ready: return await health.answer()
    case .metrics:
      // A request that a proxy forwards comes from outside.
      guard request.headers[.forwardedFor] == nil else { return Self.nothing }
      health.noteFigures()
      return WireResponse(
        .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
        body: Array(figures.text.utf8))
    }
  }

  /// Answers a request to the API, by a token of a session or by a personal one.
  private func answer(api request: WireRequest) async -> WireResponse {
    if let personalTokens, let token = request.bearer, PersonalToken.isOne(token) {
      return await personalTokens.answer(request, with: token)
    }
    do throws(TokenError) {
      let account = try account(of: request)
      if let personalTokens, request.path.first == "tokens" {
        return await personalTokens.answer(request, for: account)
      }
      return await api.answer(request, for: account)
    } catch { return Self.apiRefusal(error) }
  }

  /// The account of a request's token; `nil` with the public key, or without a token.
  private func account(of request: WireRequest) throws(TokenError) -> Key? {
    try claims(of: request)?.account
  }

  /// The claims of a request's token; `nil` with the public key, or without a token.
  private func claims(of request: WireRequest) throws(TokenError) -> Claims? {
    guard let token = request.bearer else { return nil }
    return try tokens.claims(of: token)
  }

  var tokens: AuthTokens { AuthTokens(auth: auth, anonymousKey: settings.anonymousKey) }

  /// The sender of a request's body.
  ///
  /// - Parameters:
  ///   - head: The head of the request.
  ///   - route: Its route.
  ///   - address: The address of the client.
  /// - Returns: The sender, as far as the head tells.
  func sender(of head: HTTPRequest, _ route: Route, at address: String?) -> BodySender {
    if route.isPage {
      // An expired token in a cookie is not refused, because the page may have another one.
      let token = page?.doorway.token(in: head.headerFields)
      let account = token.flatMap { try? auth.claims(of: $0).account }
      return account.map { .account($0) } ?? .network(AuthService.network(of: address))
    }
    let request = WireRequest(head.method, [], headers: head.headerFields)
    // Whose a personal token is, only the database tells.
    if case .api = route, personalTokens != nil, let token = request.bearer,
      PersonalToken.isOne(token)
    {
      return .network(AuthService.network(of: address))
    }
    do throws(TokenError) {
      let account = try account(of: request)
      return account.map { .account($0) } ?? .network(AuthService.network(of: address))
    } catch { return .refused }
  }

  private func viewer(of request: WireRequest) throws(TokenError) -> Viewer {
    try account(of: request).map { .account($0) } ?? .anonymous
  }

  private static func refusal(_ error: TokenError) -> WireResponse {
    let isExpired = error == .expired
    let code = isExpired ? "PGRST303" : "PGRST301"
    var response = WireResponse(
      .unauthorized,
      [
        "code": .string(code),
        "message": isExpired ? "JWT expired" : .string(error.description), "details": nil,
        "hint": nil,
      ])
    // The body of an answer to HEAD cannot carry the code.
    response.headers[.proxyStatus] = "PostgREST; error=\(code)"
    return response
  }

  private static func apiRefusal(_ error: TokenError) -> WireResponse {
    .apiRefusal(.unauthorized, "actor_missing", error.description)
  }

  /// The answer for an unknown path: tables report it as `message`, functions as `error`.
  static let nothing: WireResponse = {
    let reason: JSON = "There is nothing here."
    return WireResponse(
      .notFound,
      ["code": "404", "details": nil, "error": reason, "hint": nil, "message": reason])
  }()

  /// Answers with events as they arise, for as long as the client listens, its session lasts and the server runs.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - path: The path after that of the API.
  ///   - connection: The request's body, which ends when the client goes away.
  ///   - channel: The connection.
  /// - Returns: The answer, which stays open until then.
  /// - Throws: what writing throws.
  func events(
    _ request: WireRequest, _ path: [String], on connection: RequestBody, _ channel: any Channel
  ) async throws -> Response {
    var request = request
    request.path = path
    let claims: Claims?
    do throws(TokenError) { claims = try self.claims(of: request) } catch {
      return Response(Self.apiRefusal(error))
    }
    do throws(APIRefusal) {
      let stream = try api.events(request, for: claims?.account)
      guard request.method != .head else {
        return Response(status: .ok, headers: EventStream.headers)
      }
      guard let pass = streams.admit(for: claims?.account) else { return .tooManyStreams }
      return streamed(stream, in: claims, pass, on: connection, channel)
    } catch { return Response(error.response) }
  }

  /// Tells a browser that something changed, for as long as it listens, its session lasts and the server runs.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - host: The host by which it was asked, with the port.
  ///   - connection: The request's body, which ends when the browser goes away.
  ///   - channel: The connection.
  /// - Returns: The answer, which stays open until then.
  /// - Throws: what writing throws.
  func changes(
    _ request: WireRequest, at host: String?, on connection: RequestBody, _ channel: any Channel
  ) async throws -> Response {
    guard let page else { return Response(Self.nothing) }
    let changes: PageChanges
    do { changes = try await page.changes(for: request, at: host) } catch {
      return Response(page.answer(refused: error, request))
    }
    guard request.method != .head else { return Response(status: .ok, headers: changes.headers) }
    guard let pass = streams.admit(for: changes.claims.account) else { return .tooManyStreams }
    return streamed(
      changes.positions.map { PageChanges.event(at: $0) }, in: changes.claims, pass,
      on: connection, channel, changes.headers)
  }

  /// Answers with chunks, until the session of the claims ends.
  private func streamed<Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks, in claims: Claims?, _ pass: StreamPass, on connection: RequestBody,
    _ channel: any Channel, _ headers: HTTPFields = EventStream.headers
  ) -> Response where Chunks.Element == [UInt8] {
    Response(
      status: .ok, headers: headers,
      body: ResponseBody { [auth] writer in
        // A client that leaves is noticed at once, not at the next failed write, because it may already be back
        // by then.
        let closing = ClosingChannel(channel)
        try await withGracefulShutdownHandler {
          do {
            try await connection.consumeWithCancellationOnInboundClose { _ in
              for try await chunk in chunks.cancelOnGracefulShutdown() {
                if let claims, claims.expires <= BookClock.system.now() || !auth.isLive(claims) {
                  break
                }
                try await writer.write(ByteBuffer(bytes: chunk))
              }
            }
          } catch is CancellationError {}
          pass.end()
          try await writer.finish(nil)
        } onGracefulShutdown: {
          // The server does not wait for a client that does not read.
          closing.begin()
        }
        closing.end()
      })
  }
}
