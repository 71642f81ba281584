import Avro
import DaybookAuth
import DaybookTables
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import Wire

/// Answers requests: admits or refuses each, and passes it to its part of the server.
struct ServerResponder: HTTPResponder {
  typealias Context = ServerContext

  let parts: ServerParts
  private let gate = RequestGate()
  private let bodies: BodyReader
  /// Admits long bodies: they are parsed and written one at a time.
  private let longBodies = TurnQueue(width: 1)
  /// Admits short bodies: a fixed number for each sender at once, while eight times as many wait.
  private let shortBodies = TurnQueue(
    width: .max, widthPerAccount: TurnQueue.mostPerAccount,
    mostPerAccount: 8 * TurnQueue.mostPerAccount)
  /// From how many bytes on a body is long. A body that takes longer to parse or to write than others should wait is
  /// longer than this, and hardly any single row or command is that long.
  private static let longByteCount = 4 << 10
  private let figures: RequestFigures
  private let targets: TargetCache

  init(_ parts: ServerParts) {
    self.parts = parts
    bodies = BodyReader(parts.settings.limits)
    figures = RequestFigures(parts.figures)
    targets = TargetCache(
      names: Set(
        parts.schemas.values.flatMap { $0.tables.map(\.name) + $0.functions.map(\.name) }))
  }

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    let start = ContinuousClock.now
    let found = targets.find(request.head.path ?? "")
    let response =
      if let found { try await answer(request, found, context) } else { Response.notFound }
    note(request.head, found, response.status, since: start, context.logger)
    return request.method == .head ? response.createHeadResponse() : response
  }

  /// The answerer of a complete request for rows or of a question; `nil` for any other, which may need more than
  /// one answer.
  ///
  /// - Returns: A closure that answers the request.
  func direct(_ head: HTTPRequest) -> DirectHandler.Answerer? {
    guard head.method != .options, let found = targets.find(head.path ?? ""), found.isDirect
    else { return nil }
    // A body with any other length is refused, or read as it arrives.
    let length = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
    let limits = parts.settings.limits
    guard length <= min(limits.bodyByteCount, limits.anonymousBodyByteCount) else { return nil }
    return { body, address, logger in
      let start = ContinuousClock.now
      var response: WireResponse
      switch admit(head, found) {
      case .failure(let refusal): response = refusal.response
      case .success(let schema):
        let wire = WireRequest(
          head.method, [], query: found.query, headers: head.headerFields, body: body,
          address: client(head, at: address))
        response = crossOrigin(
          await answer(
            wire, found, schema, from: parts.sender(of: head, found.route, at: wire.address),
            at: head.authority), found.route, head)
      }
      if head.method == .head { response.body = [] }
      note(head, found, response.status, since: start, logger)
      return response
    }
  }

  private func note(
    _ head: HTTPRequest, _ found: TargetCache.CachedTarget?, _ status: HTTPResponse.Status,
    since start: ContinuousClock.Instant, _ logger: Logger
  ) {
    let nanoseconds = (ContinuousClock.now - start).nanoseconds
    let label = found?.label ?? "none"
    figures.note(label, status: status.code, nanoseconds: nanoseconds)
    // A log line never reveals who sent a request or what it concerns: no key, no query, no
    // address.
    let isWatching = found?.isWatching == true
    logger.log(
      level: isWatching ? .debug : .info, "request",
      metadata: [
        "method": "\(head.method.rawValue)", "route": "\(label)", "status": "\(status.code)",
        "microseconds": "\(nanoseconds / 1000)",
      ])
  }

  /// An answer given before any part is reached.
  private struct Refusal: Error {
    let response: WireResponse
  }

  /// Finds the schema of a request, if it is admitted.
  private func admit(
    _ head: HTTPRequest, _ found: TargetCache.CachedTarget
  ) -> Result<TableSchema, Refusal> {
    if let refusal = parts.refusal(of: found.route, at: head.authority) {
      return .failure(Refusal(response: refusal))
    }
    // A browser's preflight has no key; for other OPTIONS requests, only tables report more.
    let isPreflight = head.headerFields[.accessControlRequestMethod] != nil
    if head.method == .options, isPreflight || !found.route.isRest {
      return .failure(Refusal(response: crossOrigin(WireResponse(.noContent), found.route, head)))
    }
    guard (head.path?.utf8.count ?? 0) <= parts.settings.limits.targetByteCount else {
      return .failure(Refusal(response: RequestRefusal.targetTooLong.response(on: found.route)))
    }
    guard let schema = parts.schema(of: found.target.app) else {
      return .failure(Refusal(response: ServerParts.nothing))
    }
    let key = head.headerFields[.apiKey] ?? found.query["apikey"]
    guard found.route.isOpen || parts.isKnown(key: key) else {
      return .failure(Refusal(response: crossOrigin(Self.unknownKey, found.route, head)))
    }
    return .success(schema)
  }

  private func answer(
    _ request: Request, _ found: TargetCache.CachedTarget, _ context: ServerContext
  ) async throws -> Response {
    let schema: TableSchema
    switch admit(request.head, found) {
    case .success(let admitted): schema = admitted
    case .failure(let refusal): return Response(refusal.response)
    }
    let sender = parts.sender(
      of: request.head, found.route, at: client(request.head, at: context.address))
    let body: [UInt8]
    let held = bodies.place(for: sender)
    switch try await self.body(of: request, found.route, from: sender, context.channel, held) {
    case .success(let bytes): body = bytes
    // A client that must sign in again is told so, however long its body is.
    case .failure(.tooLarge) where sender == .refused: body = []
    case .failure(.tooLargeWithoutToken) where sender == .refused: body = []
    case .failure(let refusal):
      return Response(crossOrigin(refusal.response(on: found.route), found.route, request.head))
    }
    let wire = WireRequest(
      request.method, [], query: found.query, headers: request.headers, body: body,
      address: client(request.head, at: context.address))
    if found.route.isStream {
      guard gate.enter(atMost: parts.settings.limits.requestCount) else {
        return Response(
          crossOrigin(RequestRefusal.tooMany.response(on: found.route), found.route, request.head))
      }
      defer { gate.leave() }
      if case .api(let path) = found.route {
        return try await parts.events(wire, path, on: request.body, context.channel)
      }
      return try await parts.changes(
        wire, at: request.head.authority, on: request.body, context.channel)
    }
    return Response(
      crossOrigin(
        await answer(wire, found, schema, from: sender, at: request.head.authority), found.route,
        request.head))
  }

  /// Reads a body, unless its sender already has too many long ones in progress.
  private func body(
    of request: Request, _ route: Route, from sender: BodySender, _ channel: any Channel,
    _ held: BodyReservation
  ) async throws -> Result<[UInt8], RequestRefusal> {
    let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
    // A client whose token is refused is told so, and waits for nothing.
    let waits = length > Self.longByteCount && route.takesTurns && sender != .refused
    guard !waits || longBodies.hasRoom(for: sender.key) else { return .failure(.tooManyWaiting) }
    return try await bodies.read(request, from: sender, channel, held)
  }

  /// Answers when it is the sender's turn, so that no sender makes the writes of others wait for all of its own.
  private func answer(
    _ request: WireRequest, _ found: TargetCache.CachedTarget, _ schema: TableSchema,
    from sender: @autoclosure () -> BodySender, at host: String?
  ) async -> WireResponse {
    guard request.method != .get, request.method != .head, found.route.takesTurns else {
      return await counted(request, found, schema, at: host)
    }
    let sender = sender()
    guard sender != .refused else { return await counted(request, found, schema, at: host) }
    let queue = request.body.count > Self.longByteCount ? longBodies : shortBodies
    do {
      return try await queue.hold(for: sender.key) {
        await counted(request, found, schema, at: host)
      }
    } catch is TurnQueue.Full {
      return RequestRefusal.tooManyWaiting.response(on: found.route)
    } catch {
      // The client went away before its turn.
      return RequestRefusal.tooMany.response(on: found.route)
    }
  }

  /// Answers a request, unless the maximum number of requests is being answered. A request that still comes in, or
  /// waits for its turn, is not counted. So neither slow senders nor busy ones keep others out. Requests that monitor
  /// the server are always answered.
  private func counted(
    _ request: WireRequest, _ found: TargetCache.CachedTarget, _ schema: TableSchema,
    at host: String?
  ) async -> WireResponse {
    guard !found.isWatching else { return await parts.answer(request, found.route, schema) }
    guard gate.enter(atMost: parts.settings.limits.requestCount) else {
      return RequestRefusal.tooMany.response(on: found.route)
    }
    defer { gate.leave() }
    return await parts.answer(request, found.route, schema, at: host)
  }

  /// Tables and sign-in put it into `message`, functions and sockets into `error`.
  private static let unknownKey: WireResponse = {
    let reason: JSON = "No API key found in request, or it is not this server's."
    var response = WireResponse(
      .unauthorized, ["message": reason, "error": reason, "code": "401"])
    // The body of an answer to HEAD cannot carry the code.
    response.headers[.proxyStatus] = "PostgREST; error=401"
    return response
  }()

  /// The address of the client behind a connection.
  private func client(_ head: HTTPRequest, at address: String?) -> String? {
    guard parts.settings.trustsProxy, let forwarded = head.headerFields[.forwardedFor] else {
      return address
    }
    // The last address was written by the proxy itself; anybody may have written those before it.
    return forwarded.split(separator: ",").last.map {
      String($0.drop { $0 == " " })
    }
  }

  private func crossOrigin(
    _ response: WireResponse, _ route: Route, _ request: HTTPRequest
  ) -> WireResponse {
    guard !route.isPage, request.headerFields[.origin] != nil else { return response }
    var response = response
    response.headers[.accessControlAllowOrigin] = "*"
    response.headers[.accessControlExposeHeaders] =
      "Content-Range, Content-Location, ETag, Preference-Applied, X-Supabase-Api-Version"
    if request.method == .options {
      response.headers[.accessControlAllowMethods] = "GET, HEAD, POST, PATCH, PUT, DELETE"
      response.headers[.accessControlAllowHeaders] =
        request.headerFields[.accessControlRequestHeaders] ?? "*"
      response.headers[.accessControlMaxAge] = "86400"
    }
    return response
  }
}

extension Response {
  /// An answer of a part of the server.
  init(_ response: WireResponse) {
    self.init(
      status: response.status, headers: response.headers,
      body: response.body.isEmpty
        ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
  }

  static var notFound: Response { Response(ServerParts.nothing) }
}

extension HTTPField.Name {
  // Both are valid names; the fallbacks are never used.
  static let apiKey = Self("apikey") ?? .authorization
  static let forwardedFor = Self("X-Forwarded-For") ?? .via
}

/// Counts the requests in progress.
final class RequestGate: Sendable {
  private let count = Atomic<Int>(0)

  /// Admits a request, unless the limit is reached.
  func enter(atMost limit: Int) -> Bool {
    guard count.add(1, ordering: .relaxed).newValue <= limit else {
      leave()
      return false
    }
    return true
  }

  /// Releases a request.
  func leave() { count.subtract(1, ordering: .relaxed) }
}
