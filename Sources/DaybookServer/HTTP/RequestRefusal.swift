import Avro
import DaybookAPI
import DaybookAuth
import HTTPTypes
import Wire

/// The reason for refusing a request before it reaches any part of the server.
enum RequestRefusal: Error {
  /// The target is too long.
  case targetTooLong
  /// The body is too long.
  case tooLarge
  /// The body is too long for a request without a valid token.
  case tooLargeWithoutToken
  /// The body arrived too slowly.
  case tooSlow
  /// The bodies in progress use up the memory for bodies.
  case noRoom
  /// Too many requests are in progress.
  case tooMany
  /// The sender has too many long bodies waiting.
  case tooManyWaiting

  /// The answer, in the route's form of errors.
  func response(on route: Route) -> WireResponse {
    let (status, code, message): (HTTPResponse.Status, String, String) =
      switch self {
      case .targetTooLong:
        (
          APIRefusal.targetTooLong.status, APIRefusal.targetTooLong.code,
          APIRefusal.targetTooLong.description
        )
      case .tooLarge: (.contentTooLarge, "body_too_long", "The body is too large.")
      case .tooLargeWithoutToken:
        (.contentTooLarge, "body_too_long", "The body is too large without a sign-in.")
      case .tooSlow: (.requestTimeout, "body_too_slow", "The body came too slowly.")
      case .noRoom:
        (.serviceUnavailable, "unavailable", "Too many bodies at once; try again later.")
      case .tooMany:
        (.serviceUnavailable, "unavailable", "Too many requests at once; try again later.")
      case .tooManyWaiting:
        (
          .tooManyRequests, "too_many_requests",
          "Too many requests are waiting; try again when some are answered."
        )
      }
    var response: WireResponse =
      switch route {
      case .api: .apiRefusal(status, code, message)
      case .function: .functionRefusal(status, message)
      case .auth:
        // Works for every form that clients read: the header says that the code is a text.
        WireResponse(
          status,
          [
            "code": .string(code), "message": .string(message), "error_code": .string(code),
            "msg": .string(message),
          ])
      case .page, .feed:
        WireResponse(
          status, headers: [.contentType: "text/plain; charset=utf-8"], body: Array(message.utf8))
      case .rest, .realtime, .dev, .health, .ready, .metrics:
        .tableRefusal(status, String(status.code), message)
      }
    if case .auth = route { AuthService.sayVersion(in: &response) }
    if status == .serviceUnavailable || status == .tooManyRequests {
      response.headers[.retryAfter] = "1"
    }
    return response
  }
}
