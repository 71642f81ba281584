public import HTTPTypes

/// A request as the parts of the server see it, independent of its transport.
public struct WireRequest: Sendable {
  /// GET, HEAD, POST, PATCH, DELETE, …
  public var method: HTTPRequest.Method
  /// The path after the service's own (`/rest/v1`, `/auth/v1`), in decoded components without empty ones: `["rpc",
  /// "log_habit"]`.
  public var path: [String]
  /// The items after the `?`, in order.
  public var query: WireQuery
  /// The headers; names are matched in any case.
  public var headers: HTTPFields
  /// The body, whole; empty without one.
  public var body: [UInt8]
  /// The client's address, if it is known: used for limits, never for rows.
  public var address: String?

  public init(
    _ method: HTTPRequest.Method, _ path: [String], query: WireQuery = WireQuery(),
    headers: HTTPFields = HTTPFields(), body: [UInt8] = [], address: String? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.address = address
  }

  /// The token after `Bearer` in `Authorization`, if there is one (RFC 6750, section 2.1).
  package var bearer: String? {
    guard let header = headers[.authorization]?.utf8, header.count > 7,
      zip(header, "bearer ".utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
    else { return nil }
    return String(Substring(header.dropFirst(7).drop { $0 == UInt8(ascii: " ") }))
  }
}
