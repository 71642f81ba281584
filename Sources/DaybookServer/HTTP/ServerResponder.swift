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

/// Answers requests: finds which part of the server one is for, and whether it may come in at all.
struct ServerResponder: HTTPResponder {
  typealias Context = ServerContext

  let parts: ServerParts
  private let gate = RequestGate()
  private let bodies = BodyBudget()
  private let figures: RequestFigures
  private let targets: TargetCache

  init(_ parts: ServerParts) {
    self.parts = parts
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

  /// Answers a request for rows, or a question, which came whole; nothing of any other, for which more than one answer may be
  /// needed.
  ///
  /// - Returns: What answers it, when it is called.
  func direct(_ head: HTTPRequest) -> DirectHandler.Answerer? {
    guard head.method != .options, let found = targets.find(head.path ?? ""), found.isDirect,
      head.headerFields[.contentLength].flatMap({ Int($0) }) ?? 0
        <= parts.settings.limits.bodyByteCount
    else { return nil }
    return { body, address, logger in
      let start = ContinuousClock.now
      var response: WireResponse
      if gate.enter(atMost: parts.settings.limits.requestCount) {
        defer { gate.leave() }
        switch admit(head, found) {
        case .failure(let refusal): response = refusal.response
        case .success(let schema):
          let wire = WireRequest(
            head.method, [], query: found.query, headers: head.headerFields, body: body,
            address: client(head, at: address))
          response = crossOrigin(await parts.answer(wire, found.route, schema), head)
        }
      } else {
        response = crossOrigin(RequestRefusal.tooMany.response(on: found.route), head)
      }
      if head.method == .head { response.body = [] }
      note(head, found, response.status, since: start, logger)
      return response
    }
  }

  private func note(
    _ head: HTTPRequest, _ found: TargetCache.Found?, _ status: HTTPResponse.Status,
    since start: ContinuousClock.Instant, _ logger: Logger
  ) {
    let nanoseconds = (ContinuousClock.now - start).nanoseconds
    let label = found?.label ?? "none"
    figures.note(label, status: status.code, nanoseconds: nanoseconds)
    // A log line never says whose request it was, or about what: no key, no query, no address.
    let isWatching = found?.isWatching == true
    logger.log(
      level: isWatching ? .debug : .info, "request",
      metadata: [
        "method": "\(head.method.rawValue)", "route": "\(label)", "status": "\(status.code)",
        "microseconds": "\(nanoseconds / 1000)",
      ])
  }

  /// An answer that is given before any part is asked.
  private struct Refusal: Error {
    let response: WireResponse
  }

  /// Finds the schema that a request may use, if it may come in.
  private func admit(
    _ head: HTTPRequest, _ found: TargetCache.Found
  ) -> Result<TableSchema, Refusal> {
    if head.method == .options {
      return .failure(Refusal(response: crossOrigin(WireResponse(.noContent), head)))
    }
    guard (head.path?.utf8.count ?? 0) <= parts.settings.limits.targetByteCount else {
      let tooLong = WireResponse(
        .uriTooLong,
        [
          "code": "414", "details": nil, "hint": nil,
          "message": "The request target is too long.",
        ])
      return .failure(Refusal(response: tooLong))
    }
    guard let schema = parts.schema(of: found.target.app) else {
      return .failure(Refusal(response: ServerParts.nothing))
    }
    let key = head.headerFields[.apiKey] ?? found.query["apikey"]
    guard found.route.isOpen || parts.isKnown(key: key) else {
      return .failure(Refusal(response: crossOrigin(Self.unknownKey, head)))
    }
    return .success(schema)
  }

  private func answer(
    _ request: Request, _ found: TargetCache.Found, _ context: ServerContext
  ) async throws -> Response {
    let schema: TableSchema
    switch admit(request.head, found) {
    case .success(let admitted): schema = admitted
    case .failure(let refusal): return Response(refusal.response)
    }
    let body: [UInt8]
    let held = HeldBody(bodies)
    switch try await Self.body(of: request, parts.settings.limits, context.channel, held) {
    case .success(let bytes): body = bytes
    case .failure(let refusal):
      return Response(crossOrigin(refusal.response(on: found.route), request.head))
    }
    // What is still coming does not count among what is being answered: whoever sends slowly keeps nobody else out. Whoever
    // watches over the server hears that it is there, also where it is asked for too much.
    let isCounted = !found.isWatching
    if isCounted, !gate.enter(atMost: parts.settings.limits.requestCount) {
      return Response(crossOrigin(RequestRefusal.tooMany.response(on: found.route), request.head))
    }
    defer { if isCounted { gate.leave() } }
    let wire = WireRequest(
      request.method, [], query: found.query, headers: request.headers, body: body,
      address: client(request.head, at: context.address))
    if case .api(let path) = found.route, path.first == "events" {
      return try await parts.events(wire, path, on: request.body, context.channel)
    }
    return Response(crossOrigin(await parts.answer(wire, found.route, schema), request.head))
  }

  /// Tables and sign-in tell it as `message`, functions and sockets as `error`.
  private static let unknownKey: WireResponse = {
    let reason: JSON = "No API key found in request, or it is not this server's."
    var response = WireResponse(
      .unauthorized, ["message": reason, "error": reason, "code": "401"])
    // An answer to HEAD has no body that could say it.
    response.headers[.proxyStatus] = "PostgREST; error=401"
    return response
  }()

  /// Reads a body, within the limits of size and time.
  private static func body(
    of request: Request, _ limits: ServerLimits, _ channel: any Channel, _ held: HeldBody
  ) async throws -> Result<[UInt8], RequestRefusal> {
    if let length = request.headers[.contentLength].flatMap({ Int($0) }) {
      if length == 0 { return .success([]) }
      if length > limits.bodyByteCount { return .failure(.tooLarge) }
    } else if request.headers[.transferEncoding] == nil {
      return .success([])
    }
    // One that trickles is told so; one that comes no further can only be closed. A task of the event loop is forgotten when
    // it is cancelled, where one that sleeps would be kept until it was to wake.
    let deadline = ContinuousClock.now + .seconds(limits.seconds)
    let end = channel.eventLoop.scheduleTask(in: .seconds(Int64(limits.seconds) + 1)) {
      channel.close(promise: nil)
    }
    // Who sends slowly is not waited for when the server ends.
    let closing = ClosingChannel(channel)
    return try await withGracefulShutdownHandler {
      var bytes: [UInt8] = []
      for try await buffer in request.body {
        guard bytes.count + buffer.readableBytes <= limits.bodyByteCount else {
          return .failure(.tooLarge)
        }
        guard ContinuousClock.now <= deadline else { return .failure(.tooSlow) }
        let room = limits.bodyByteCount.multipliedReportingOverflow(by: limits.requestCount)
        guard held.take(buffer.readableBytes, atMost: room.overflow ? .max : room.partialValue)
        else { return .failure(.noRoom) }
        bytes.append(contentsOf: buffer.readableBytesView)
      }
      // Of a body that is refused the rest may come for ever: its connection is closed.
      end.cancel()
      closing.end()
      return .success(bytes)
    } onGracefulShutdown: {
      closing.begin()
    }
  }

  /// The address of a client whose connection comes from one.
  private func client(_ head: HTTPRequest, at address: String?) -> String? {
    guard parts.settings.trustsProxy, let forwarded = head.headerFields[.forwardedFor] else {
      return address
    }
    // The last one was written by the proxy itself; those before it anybody may have written.
    return forwarded.split(separator: ",").last.map {
      String($0.drop { $0 == " " })
    }
  }

  private func crossOrigin(_ response: WireResponse, _ request: HTTPRequest) -> WireResponse {
    guard request.headerFields[.origin] != nil else { return response }
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

/// How much of all bodies is held together while they come: as much as all requests that may be answered at once could have.
final class BodyBudget: Sendable {
  fileprivate let byteCount = Atomic<Int>(0)
}

/// What is held of one body, until it is let go.
final class HeldBody: Sendable {
  private let budget: BodyBudget
  private let byteCount = Atomic<Int>(0)

  init(_ budget: BodyBudget) { self.budget = budget }

  deinit { budget.byteCount.subtract(byteCount.load(ordering: .relaxed), ordering: .relaxed) }

  /// Holds more, unless there is no room for it.
  func take(_ count: Int, atMost limit: Int) -> Bool {
    byteCount.add(count, ordering: .relaxed)
    return budget.byteCount.add(count, ordering: .relaxed).newValue <= limit
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
  // Both are names; the others are never taken.
  static let apiKey = Self("apikey") ?? .authorization
  static let forwardedFor = Self("X-Forwarded-For") ?? .via
}

/// Counts the requests that are being answered.
final class RequestGate: Sendable {
  private let count = Atomic<Int>(0)

  /// Lets a request in, unless as many as may be are in.
  func enter(atMost limit: Int) -> Bool {
    guard count.add(1, ordering: .relaxed).newValue <= limit else {
      leave()
      return false
    }
    return true
  }

  /// Lets a request go.
  func leave() { count.subtract(1, ordering: .relaxed) }
}
