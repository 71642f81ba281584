import Avro
import Calendar
import HTTPTypes
import Wire

/// The reason for refusing a request, as clients see it. It repeats nothing that was sent.
struct AuthFailure: Error, Hashable, Sendable {
  let status: Int
  /// A stable code for clients.
  let code: String
  /// One sentence.
  let message: String
  /// The reasons why a password is too weak.
  var weaknesses: [String] = []

  init(_ status: Int, _ code: String, _ message: String) {
    self.status = status
    self.code = code
    self.message = message
  }

  /// The header in which a client names the form of errors that it reads.
  static let versionHeader = HTTPField.Name("X-Supabase-Api-Version")
  /// The form of errors with a code.
  static let version = "2024-01-01"

  /// Whether a client with these headers reads the form with `code` and `message`: it asks for the version that
  /// introduced the form, or a later one. A header that is not a date means the oldest version.
  static func isVersioned(by headers: HTTPFields) -> Bool {
    guard let header = versionHeader.flatMap({ headers[$0] }), let asked = Day(header),
      let first = Day(version)
    else { return false }
    return asked >= first
  }

  /// The response, in the form with `code` and `message` or in the older one.
  func response(versioned: Bool) -> WireResponse {
    var members: [JSON.Member]
    if code == Self.badIdentityToken.code {
      members = [
        .init("error", "invalid request"), .init("error_description", .string(message)),
      ]
    } else if versioned {
      members = [.init("code", .string(code)), .init("message", .string(message))]
    } else {
      members = [
        .init("code", .number(status)), .init("error_code", .string(code)),
        .init("msg", .string(message)),
      ]
    }
    if !weaknesses.isEmpty {
      let reasons = weaknesses.map { JSON.string($0) }
      members.append(.init("weak_password", ["reasons": .array(reasons)]))
    }
    var response = WireResponse(HTTPResponse.Status(code: status), .object(members))
    if status == 503 { response.headers[.retryAfter] = "1" }
    return response
  }
}

// The failures.
extension AuthFailure {
  static let badJSON = AuthFailure(400, "bad_json", "The body is not a JSON object.")
  static let tooLarge = AuthFailure(413, "validation_failed", "The body is too large.")
  static let invalidCredentials = AuthFailure(
    400, "invalid_credentials", "Invalid login credentials")
  static let emailNotConfirmed = AuthFailure(400, "email_not_confirmed", "Email not confirmed")
  static let phoneNotConfirmed = AuthFailure(400, "phone_not_confirmed", "Phone not confirmed")
  static let refreshTokenNotFound = AuthFailure(
    400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
  static let refreshTokenAlreadyUsed = AuthFailure(
    400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
  static let badCodeVerifier = AuthFailure(
    400, "bad_code_verifier", "code challenge does not match previously saved code verifier")
  static let flowStateNotFound = AuthFailure(
    404, "flow_state_not_found", "invalid flow state, no valid flow state found")
  static let noAuthorization = AuthFailure(
    401, "no_authorization", "This endpoint requires a Bearer token")
  static let codeExpired = AuthFailure(403, "otp_expired", "Token has expired or is invalid")
  static let anonymousDisabled = AuthFailure(
    422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
  static let codesDisabled = AuthFailure(422, "otp_disabled", "Signups not allowed for otp")
  static let userAlreadyExists = AuthFailure(
    422, "user_already_exists", "User already registered")
  static let phoneExists = AuthFailure(
    422, "phone_exists", "A user with this phone number has already been registered")
  static let emailExists = AuthFailure(
    422, "email_exists", "A user with this email address has already been registered")
  static let identityExists = AuthFailure(
    422, "identity_already_exists", "Identity is already linked to another user")
  static let samePassword = AuthFailure(
    422, "same_password", "New password should be different from the old password.")
  static let tooManyRequests = AuthFailure(
    429, "over_request_rate_limit", "Request rate limit reached")
  static let tooManyMessagesByPhone = AuthFailure(
    429, "over_sms_send_rate_limit", "For security purposes, wait before asking for another code.")
  static let tooManyMessagesByMail = AuthFailure(
    429, "over_email_send_rate_limit",
    "For security purposes, wait before asking for another mail.")
  static let notFound = AuthFailure(404, "not_found", "There is no such address here.")
  static let methodNotAllowed = AuthFailure(
    405, "method_not_allowed", "This address does not take that method.")
  static let unexpected = AuthFailure(
    500, "unexpected_failure", "Something went wrong here; try again.")
  /// The database is locked, damaged or not writable; the request was not carried out, or not completely.
  static let unavailable = AuthFailure(
    503, "unavailable", "Sign-in is not available now; try again in a moment.")
  static let badIdentityToken = AuthFailure(400, "bad_identity_token", "Bad ID token")
  static let sessionNotFound = AuthFailure(
    403, "session_not_found", "Session from session_id claim in JWT does not exist")
  static let userNotFound = AuthFailure(
    403, "user_not_found", "User from sub claim in JWT does not exist")
  static let badState = AuthFailure(400, "bad_oauth_state", "OAuth state is unknown or expired")

  static func invalid(_ message: String) -> AuthFailure {
    AuthFailure(400, "validation_failed", message)
  }

  static func weakPassword(_ reasons: [String]) -> AuthFailure {
    var failure = AuthFailure(
      422, "weak_password", "Password is known to be weak or too short; choose another one.")
    failure.weaknesses = reasons
    return failure
  }

  init(_ error: TokenError) {
    switch error {
    case .endedSession: self = .sessionNotFound
    case .erasedAccount: self = .userNotFound
    default:
      self = AuthFailure(403, "bad_jwt", "invalid JWT: \(error.description)")
    }
  }
}
