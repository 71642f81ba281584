import Avro
import DaybookAuth
import DaybookTables
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization
import Wire

/// Answers requests: finds which part of the server one is for, and whether it may come in at all.
struct ServerResponder: HTTPResponder {
  typealias Context = ServerContext

  let parts: ServerParts
  private let gate = RequestGate()
  private let figures: RequestFigures
  /// The names of tables and of functions of the database.
  private let names: Set<String>

  init(_ parts: ServerParts) {
    self.parts = parts
    figures = RequestFigures(parts.figures)
    names = Set(
      parts.schemas.values.flatMap { $0.tables.map(\.name) + $0.functions.map(\.name) })
  }

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    let start = ContinuousClock.now
    guard gate.enter(atMost: parts.settings.limits.requestCount) else { return .unavailable }
    defer { gate.leave() }
    let label: String
    let response: Response
    if let target = RequestTarget(request.head.path ?? ""), let route = Route(target.path) {
      label = route.label(names)
      response = try await answer(request, target, route, context)
    } else {
      label = "none"
      response = .notFound
    }
    note(request, label, response, since: start, context)
    return response
  }

  private func note(
    _ request: Request, _ label: String, _ response: Response,
    since start: ContinuousClock.Instant, _ context: ServerContext
  ) {
    let (status, nanoseconds) = (response.status.code, (ContinuousClock.now - start).nanoseconds)
    figures.note(label, status: status, nanoseconds: nanoseconds)
    // A log line never says whose request it was, or about what: no key, no query, no address.
    let isWatching = label == "health" || label == "ready" || label == "metrics"
    context.logger.log(
      level: isWatching ? .debug : .info, "request",
      metadata: [
        "method": "\(request.method.rawValue)", "route": "\(label)", "status": "\(status)",
        "microseconds": "\(nanoseconds / 1000)",
      ])
  }

  private func answer(
    _ request: Request, _ target: RequestTarget, _ route: Route, _ context: ServerContext
  ) async throws -> Response {
    if request.method == .options { return Response(crossOrigin(.init(.noContent), request)) }
    guard (request.head.path?.utf8.count ?? 0) <= parts.settings.limits.targetByteCount else {
      return Response(WireResponse(.uriTooLong, ["message": "The request target is too long."]))
    }
    guard let schema = parts.schema(of: target.app) else { return .notFound }
    let query = WireQuery(encoded: target.query)
    if !route.isOpen, !parts.isKnown(key: request.headers[.apiKey] ?? query["apikey"]) {
      return Response(crossOrigin(Self.unknownKey, request))
    }
    let body: [UInt8]
    switch try await Self.body(of: request, parts.settings.limits, context.channel) {
    case .success(let bytes): body = bytes
    case .failure(let refusal): return Response(crossOrigin(refusal.response, request))
    }
    let wire = WireRequest(
      request.method, [], query: query, headers: request.headers, body: body,
      address: address(request, context))
    if case .api(let path) = route, path.first == "events" {
      return try await parts.events(wire, path)
    }
    return Response(crossOrigin(await parts.answer(wire, route, schema), request))
  }

  /// Tables and sign-in tell it as `message`, functions and sockets as `error`.
  private static let unknownKey: WireResponse = {
    let reason: JSON = "No API key found in request, or it is not this server's."
    return WireResponse(.unauthorized, ["message": reason, "error": reason, "code": "401"])
  }()

  /// Reads a body, within the limits of size and time.
  private static func body(
    of request: Request, _ limits: ServerLimits, _ channel: any Channel
  ) async throws -> Result<[UInt8], BodyRefusal> {
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
    var bytes: [UInt8] = []
    for try await buffer in request.body {
      guard bytes.count + buffer.readableBytes <= limits.bodyByteCount else {
        return .failure(.tooLarge)
      }
      guard ContinuousClock.now <= deadline else { return .failure(.tooSlow) }
      bytes.append(contentsOf: buffer.readableBytesView)
    }
    // Of a body that is refused the rest may come for ever: its connection is closed.
    end.cancel()
    return .success(bytes)
  }

  private func address(_ request: Request, _ context: ServerContext) -> String? {
    guard parts.settings.trustsProxy, let forwarded = request.headers[.forwardedFor] else {
      return context.address
    }
    // The last one was written by the proxy itself; those before it anybody may have written.
    return forwarded.split(separator: ",").last.map {
      String($0.drop { $0 == " " })
    }
  }

  private func crossOrigin(_ response: WireResponse, _ request: Request) -> WireResponse {
    guard request.headers[.origin] != nil else { return response }
    var response = response
    response.headers[.accessControlAllowOrigin] = "*"
    response.headers[.accessControlExposeHeaders] =
      "Content-Range, Content-Location, ETag, Preference-Applied, X-Supabase-Api-Version"
    if request.method == .options {
      response.headers[.accessControlAllowMethods] = "GET, HEAD, POST, PATCH, PUT, DELETE"
      response.headers[.accessControlAllowHeaders] =
        request.headers[.accessControlRequestHeaders] ?? "*"
      response.headers[.accessControlMaxAge] = "86400"
    }
    return response
  }
}

/// Why a body is not taken.
enum BodyRefusal: Error {
  case tooLarge
  case tooSlow

  var response: WireResponse {
    switch self {
    case .tooLarge:
      WireResponse(.contentTooLarge, ["code": "413", "message": "The body is too large."])
    case .tooSlow:
      WireResponse(.requestTimeout, ["code": "408", "message": "The body came too slowly."])
    }
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

  static var unavailable: Response {
    var answer = WireResponse(
      .serviceUnavailable, ["code": "503", "message": "Too many requests at once: come again."])
    answer.headers[.retryAfter] = "1"
    return Response(answer)
  }
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
