import Avro
import Daybook
import HTTPTypes
import Wire

/// A request whose body was read. What is not known in it is ignored; what is known and of a wrong type is refused.
struct AuthRequest: Sendable {
  /// More is no sign-in.
  static let largestByteCount = 65_536
  private static let largestTextByteCount = 16_384
  static let largestMetadataByteCount = 4096

  let wire: WireRequest
  private let body: JSON

  /// Reads the body, which is an object; without one there is nothing in it.
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

  /// A text; nothing when it is missing, null or empty.
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

  /// A text that must be there.
  func neededText(_ name: String) throws(AuthFailure) -> String {
    guard let text = try text(name) else { throw .invalid("\(name) is required") }
    return text
  }

  /// A text that must be there, but may be empty: what then is a wrong one.
  func statedText(_ name: String) throws(AuthFailure) -> String {
    if let text = try text(name) { return text }
    guard case .string = body[name] else { throw .invalid("\(name) is required") }
    return ""
  }

  /// Whether something is so.
  func flag(_ name: String) throws(AuthFailure) -> Bool? {
    switch body[name] {
    case nil, .null: return nil
    case .bool(let value): return value
    default: throw .invalid("\(name) must be a boolean")
    }
  }

  /// What an app keeps with a person: `data`, an object. It stands in every access token, so it must be short.
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

  /// The phone or the e-mail address that the request is about.
  ///
  /// - Parameter missing: What is thrown where it names none.
  /// - Returns: The address.
  /// - Throws: `missing`, or ``AuthFailure`` for one that is none, or for two.
  func address(
    orElse missing: AuthFailure = .invalid("One of email or phone must be set")
  ) throws(AuthFailure) -> Address {
    switch (try address(.email), try address(.phone)) {
    case (let address?, nil), (nil, let address?): return address
    case (nil, nil): throw missing
    default: throw .invalid("Only an email address or phone number should be provided")
    }
  }

  /// The address of a kind, if one is given.
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

  /// A password that may be too weak, but can be read.
  func password() throws(AuthFailure) -> String? {
    guard let password = try text("password") else { return nil }
    guard password.utf8.count <= PasswordRules.largestByteCount else {
      throw .invalid("password is too long")
    }
    return password
  }

  /// A password that is to be the new one: an empty one is one, and too weak.
  func newPassword() throws(AuthFailure) -> String? {
    if case .string("") = body["password"] { return "" }
    return try password()
  }

  /// What a later exchange must prove, if the client wants one (RFC 7636).
  func challenge() throws(AuthFailure) -> ProofKey? {
    try ProofKey(
      challenge: try text("code_challenge"), method: try text("code_challenge_method"))
  }

  /// The token behind `Bearer`, if there is one.
  var bearer: String? {
    guard let header = wire.headers[.authorization] else { return nil }
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return parts[1].filter { $0 != " " }
  }
}
