import Avro
import Daybook
import HTTPTypes
import Wire

/// The refusal of a request about a personal token, or by one.
struct TokenRefusal: Error, Hashable {
  let status: HTTPResponse.Status
  let code: String
  let message: String
  var field: String?
  var allowed: String?

  private init(
    _ status: HTTPResponse.Status, _ code: String, _ message: String, field: String? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.field = field
  }

  /// A rejection of a habit or household that the account may not see.
  init(_ rejection: Rejection) { self.init(.notFound, rejection.code, rejection.description) }

  /// The seconds after which a token may be used again, at most.
  static let retryAfter = "3600"

  static let notSignedIn = TokenRefusal(
    .unauthorized, "actor_missing", "Sign in, and send the token as Authorization: Bearer ….")
  static let unknownToken = TokenRefusal(
    .unauthorized, "token_unknown", "The token is not valid; it may have been revoked.")
  static let beyondScope = TokenRefusal(
    .forbidden, "beyond_scope", "The token does not permit this; its owner can make another one.")
  static let noSuchToken = TokenRefusal(
    .notFound, "token_not_found", "You have no such token; GET /v1/tokens lists them.")
  static let tooManyTokens = TokenRefusal(
    .unprocessableContent, "too_many_tokens", "You have too many tokens; revoke one first.")
  static let tooOften = TokenRefusal(
    .tooManyRequests, "token_used_too_often",
    "The token was used too often in the last hour; try again later.")
  static let unavailable = TokenRefusal(
    .serviceUnavailable, "unavailable", "Tokens cannot be read just now; try again.")

  static func invalid(_ message: String, _ field: String? = nil) -> TokenRefusal {
    TokenRefusal(.unprocessableContent, "invalid_field", message, field: field)
  }

  static func wrongMethod(_ allowed: String) -> TokenRefusal {
    var refusal = TokenRefusal(
      .methodNotAllowed, "method_not_allowed", "This path takes only \(allowed).")
    refusal.allowed = allowed
    return refusal
  }

  /// The refusal as a response, in the form of the API.
  var response: WireResponse {
    var response = WireResponse.apiRefusal(
      status, code, message, further: field.map { [.init("field", .string($0))] } ?? [])
    response.headers[.cacheControl] = "no-store"
    if let allowed { response.headers[.allow] = allowed }
    switch status {
    case .unauthorized: response.headers[.wwwAuthenticate] = "Bearer"
    case .tooManyRequests: response.headers[.retryAfter] = Self.retryAfter
    case .serviceUnavailable: response.headers[.retryAfter] = "1"
    default: break
    }
    return response
  }
}
