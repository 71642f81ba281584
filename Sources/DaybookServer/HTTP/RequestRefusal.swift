import Avro
import HTTPTypes
import Wire

/// Why a request is not taken in, whatever it asks.
enum RequestRefusal: Error {
  /// Its body has more bytes than one may have.
  case tooLarge
  /// Its body came too slowly.
  case tooSlow
  /// The bodies that are coming take all the room there is.
  case noRoom
  /// As many requests as may be are being answered.
  case tooMany

  /// How it is told: of commands and questions as `error`, of all others as `message`.
  func response(on route: Route) -> WireResponse {
    let (status, code, message): (HTTPResponse.Status, String, String) =
      switch self {
      case .tooLarge: (.contentTooLarge, "body_too_long", "The body is too large.")
      case .tooSlow: (.requestTimeout, "body_too_slow", "The body came too slowly.")
      case .noRoom: (.serviceUnavailable, "unavailable", "Too many bodies at once: come again.")
      case .tooMany: (.serviceUnavailable, "unavailable", "Too many requests at once: come again.")
      }
    var response =
      if case .api = route {
        WireResponse(status, ["error": ["code": .string(code), "message": .string(message)]])
      } else {
        WireResponse(
          status,
          [
            "code": .string(String(status.code)), "details": nil, "hint": nil,
            "message": .string(message),
          ])
      }
    if status == .serviceUnavailable { response.headers[.retryAfter] = "1" }
    return response
  }
}
