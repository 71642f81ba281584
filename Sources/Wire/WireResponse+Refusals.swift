package import Avro
package import HTTPTypes

// The forms in which clients read why a request was refused. Sign-in has forms of its own.
extension WireResponse {
  /// A refusal for our own clients: `{"error":{"code":"not_owner","message":"…"}}`.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - code: A stable name in snake_case.
  ///   - message: One sentence.
  ///   - further: What else the error says.
  /// - Returns: The answer.
  package static func apiRefusal(
    _ status: HTTPResponse.Status, _ code: String, _ message: String,
    further: [JSON.Member] = []
  ) -> WireResponse {
    let members: [JSON.Member] = [
      .init("code", .string(code)), .init("message", .string(message)),
    ]
    return WireResponse(status, ["error": .object(members + further)])
  }

  /// A refusal for PostgREST's clients: `{"code":"42501","details":null,"hint":null,"message":"…"}`.
  package static func tableRefusal(
    _ status: HTTPResponse.Status, _ code: String, _ message: String, details: String? = nil,
    hint: String? = nil
  ) -> WireResponse {
    WireResponse(
      status,
      [
        "code": .string(code), "details": details.map { .string($0) } ?? .null,
        "hint": hint.map { .string($0) } ?? .null, "message": .string(message),
      ])
  }

  /// A refusal for clients of functions: `{"error":"…"}`.
  package static func functionRefusal(
    _ status: HTTPResponse.Status, _ message: String
  ) -> WireResponse {
    WireResponse(status, ["error": .string(message)])
  }
}
