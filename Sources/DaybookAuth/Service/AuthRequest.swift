import Avro
import Daybook
import HTTPTypes
import Wire

/// A request with a parsed body. Unknown members are ignored; known ones of a wrong type are refused.
struct AuthRequest: Sendable {
  /// The longest body; nothing longer is a valid request.
  static let largestByteCount = 65_536
  private static let largestTextByteCount = 16_384
  static let largestMetadataByteCount = 4096

  let wire: WireRequest
  private let body: JSON

  /// Parses the body, which is an object; without a body it is empty.
  init(_ wire: WireRequest, needsBody: Bool) throws(AuthFailure) {
    self.wire = wire
    guard wire.body.count <= Self.largestByteCount else { throw .tooLarge }
    guard needsBody else {
      body = [:]
      return
    }
    guard let json = try? JSON(parsing: wire.body), json.members != nil else { throw .badJSON }
    body = json
  }

  /// A text; `nil` if it is missing, null or empty.
  func text(_ name: String) throws(AuthFailure) -> String? {
    switch body[name] {
    case nil, .null: return nil
    case .string(let text):
      guard text.utf8.count <= Self.largestTextByteCount else {
        throw .invalid("\(name) is too long")
      }
      return text.isEmpty ? nil : text
    default: throw .invalid("\(name) must be a string")
    }
  }

  /// A required text.
  func neededText(_ name: String) throws(AuthFailure) -> String {
    guard let text = try text(name) else { throw .invalid("\(name) is required") }
    return text
  }

  /// A required text. An empty one is accepted here and refused later, like any wrong value.
  func statedText(_ name: String) throws(AuthFailure) -> String {
    if let text = try text(name) { return text }
    guard case .string = body[name] else { throw .invalid("\(name) is required") }
    return ""
  }

  /// A boolean.
  func flag(_ name: String) throws(AuthFailure) -> Bool? {
    switch body[name] {
    case nil, .null: return nil
    case .bool(let value): return value
    default: throw .invalid("\(name) must be a boolean")
    }
  }

  /// The data that an app keeps about a person: `data`, an object. Every access token contains it, so it must be
  /// short.
  func metadata() throws(AuthFailure) -> JSON? {
    switch body["data"] {
    case nil, .null: return nil
    case .object(let members):
      let data = JSON.object(members)
      guard data.encoded.utf8.count <= Self.largestMetadataByteCount else {
        throw .invalid("data is too large")
      }
      return data
    default: throw .invalid("data must be an object")
    }
  }

  /// The phone or e-mail address in the request.
  ///
  /// - Parameter missing: The error if there is none.
  /// - Returns: The address.
  /// - Throws: `missing`, or ``AuthFailure`` for an invalid address, or for two.
  func address(
    orElse missing: AuthFailure = .invalid("One of email or phone must be set")
  ) throws(AuthFailure) -> Address {
    switch (try address(.email), try address(.phone)) {
    case (let address?, nil), (nil, let address?): return address
    case (nil, nil): throw missing
    default: throw .invalid("Only an email address or phone number should be provided")
    }
  }

  /// The address of one kind, if it is given.
  func address(_ kind: IdentityKind) throws(AuthFailure) -> Address? {
    guard let text = try text(kind.rawValue) else { return nil }
    guard text.utf8.count <= 320, let address = Address(kind, text) else {
      throw .invalid(
        kind == .phone
          ? "Invalid phone number format (E.164 required)"
          : "Unable to validate email address: invalid format")
    }
    return address
  }

  /// A password, which may be weak but not too long.
  func password() throws(AuthFailure) -> String? {
    guard let password = try text("password") else { return nil }
    guard password.utf8.count <= PasswordRules.largestByteCount else {
      throw .invalid("password is too long")
    }
    return password
  }

  /// A new password; an empty text counts as one that is too weak.
  func newPassword() throws(AuthFailure) -> String? {
    if case .string("") = body["password"] { return "" }
    return try password()
  }

  /// The challenge for a later exchange, if the client sends one (RFC 7636).
  func challenge() throws(AuthFailure) -> ProofKey? {
    try ProofKey(
      challenge: try text("code_challenge"), method: try text("code_challenge_method"))
  }
}
