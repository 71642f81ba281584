package import Avro

/// An error of JSON-RPC 2.0 (section 5.1): a message that cannot be answered.
package struct RPCError: Error, Hashable, Sendable {
  /// The number that JSON-RPC or the protocol gave to this kind of error.
  package let code: Int
  /// One sentence, cut where a client's own words make it long.
  package let message: String
  /// What a client needs to know besides.
  let data: JSON?

  private init(_ code: Int, _ message: String, _ data: JSON? = nil) {
    self.code = code
    self.message = message.cutForErrors
    self.data = data
  }

  static func notJSON(_ error: JSONError) -> RPCError {
    RPCError(-32_700, "The message is \(error).")
  }

  static func invalidRequest(_ message: String) -> RPCError { RPCError(-32_600, message) }

  /// Whether the message is no request at all.
  package var isMalformed: Bool { code == -32_700 || code == -32_600 }

  static func unknownMethod(_ name: String) -> RPCError {
    RPCError(-32_601, "There is no method \"\(name)\" here.")
  }

  /// Whether the request is for a method that does not exist.
  package var isUnknownMethod: Bool { code == -32_601 }

  static func invalidParameters(_ message: String) -> RPCError { RPCError(-32_602, message) }

  /// The book cannot be read.
  static func unreadable(_ failure: ToolFailure) -> RPCError { RPCError(-32_603, failure.message) }

  /// A resource that does not exist has a code of its own in versions with sessions; since then it is an invalid
  /// parameter.
  static func noSuchResource(_ message: String, isStateless: Bool) -> RPCError {
    RPCError(isStateless ? -32_602 : -32_002, message)
  }

  /// A header of HTTP says something else than the message.
  package static func headerMismatch(_ name: String) -> RPCError {
    RPCError(-32_020, "\(name): the header is missing, or says something else than the message.")
  }

  /// A request in a version that is not spoken here.
  package static func unsupportedVersion(_ requested: String) -> RPCError {
    let requested = requested.cutForErrors
    return RPCError(
      -32_022, "The version \(requested) is not spoken here.",
      [
        "supported": .array(ProtocolVersion.names.map { .string($0) }),
        "requested": .string(requested),
      ])
  }

  /// The error as a response.
  ///
  /// - Parameter id: The id of the request; null if it could not be read.
  /// - Returns: The response on one line.
  package func response(to id: JSON) -> [UInt8] {
    let error: [JSON.Member] = [
      .init("code", .number(code)), .init("message", .string(message)),
    ]
    return JSON.object([
      .init("jsonrpc", "2.0"), .init("id", id),
      .init("error", .object(error + (data.map { [.init("data", $0)] } ?? []))),
    ]).line
  }
}

extension String {
  /// The text as errors quote it: with at most 300 characters, whatever a client sent.
  var cutForErrors: String {
    guard utf8.count > 300 else { return self }
    let scalars = unicodeScalars.prefix(300)
    return scalars.count == unicodeScalars.count ? self : String(scalars) + "…"
  }
}

extension JSON {
  /// The value on one line.
  var line: [UInt8] {
    var json = JSONWriter()
    json.value(self)
    return json.bytes
  }
}
