import Avro
import DaybookAuth
import HTTPTypes
import Wire

/// Why a request is not taken in, whatever it asks.
enum RequestRefusal: Error {
  /// Its body has more bytes than one may have.
  case tooLarge
  /// Its body has more bytes than a request without a valid token may send.
  case tooLargeWithoutToken
  /// Its body came too slowly.
  case tooSlow
  /// The bodies that are coming take all the room there is.
  case noRoom
  /// As many requests as may be are being answered.
  case tooMany
  /// Its sender already has as many long bodies waiting as one sender may.
  case tooManyLong

  /// How it is told, in the form in which the route tells what it refuses.
  func response(on route: Route) -> WireResponse {
    let (status, code, message): (HTTPResponse.Status, String, String) =
      switch self {
      case .tooLarge: (.contentTooLarge, "body_too_long", "The body is too large.")
      case .tooLargeWithoutToken:
        (.contentTooLarge, "body_too_long", "The body is too large without a sign-in.")
      case .tooSlow: (.requestTimeout, "body_too_slow", "The body came too slowly.")
      case .noRoom: (.serviceUnavailable, "unavailable", "Too many bodies at once: come again.")
      case .tooMany: (.serviceUnavailable, "unavailable", "Too many requests at once: come again.")
      case .tooManyLong:
        (
          .tooManyRequests, "too_many_requests",
          "Too many requests wait for their turn: come again when some are answered."
        )
      }
    let members: JSON =
      switch route {
      case .api: ["error": ["code": .string(code), "message": .string(message)]]
      case .function: ["error": .string(message)]
      case .auth:
        // Whichever form a client reads: the header says that the code is a text.
        [
          "code": .string(code), "message": .string(message), "error_code": .string(code),
          "msg": .string(message),
        ]
      case .rest, .realtime, .dev, .health, .ready, .metrics:
        [
          "code": .string(String(status.code)), "details": nil, "hint": nil,
          "message": .string(message),
        ]
      }
    var response = WireResponse(status, members)
    if case .auth = route { AuthService.sayVersion(in: &response) }
    if status == .serviceUnavailable || status == .tooManyRequests {
      response.headers[.retryAfter] = "1"
    }
    return response
  }
}
