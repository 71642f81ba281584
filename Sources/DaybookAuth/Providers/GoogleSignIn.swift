import Avro
import HTTPTypes
import Wire

/// Sign-in at Google by browser: the authorization code flow (RFC 6749, section 4.1), with a proof key of its own.
struct GoogleSignIn: Sendable {
  let client: String
  let secret: String
  /// The address to which Google sends the browser back.
  let callback: String
  let outbound: any Outbound

  /// The optional parameters that an app may pass on to Google.
  private static let wishes = [
    "access_type", "hd", "hl", "include_granted_scopes", "login_hint", "prompt",
  ]

  /// The address to which the browser is sent.
  ///
  /// - Parameters:
  ///   - state: The value that Google sends back with the browser.
  ///   - verifier: The verifier for the exchange of the code.
  ///   - scopes: Further scopes that the app wants, separated by spaces or commas.
  ///   - wishes: The app's parameters; those that Google does not know, or that the server sets, are ignored.
  /// - Returns: The address.
  func address(
    state: String, verifier: String, scopes: String?, wishes: WireQuery = WireQuery([])
  ) -> String {
    var scope = "openid email profile"
    if let scopes { scope += " " + scopes.replacing(",", with: " ") }
    return "https://accounts.google.com/o/oauth2/v2/auth?"
      + PercentCode.query(
        [
          ("client_id", client), ("redirect_uri", callback), ("response_type", "code"),
          ("scope", scope), ("state", state),
          ("code_challenge", ProofKey.challenge(of: verifier)), ("code_challenge_method", "S256"),
        ] + Self.wishes.compactMap { name in wishes[name].map { (name, String($0.prefix(512))) } })
  }

  /// Exchanges a code for an id token at Google.
  ///
  /// - Throws: ``AuthFailure/unexpected`` if Google does not answer, or ``AuthFailure/badIdentityToken`` if it
  ///   refuses.
  func identityToken(for code: String, verifier: String) async throws -> String {
    let form = PercentCode.query([
      ("grant_type", "authorization_code"), ("code", code), ("client_id", client),
      ("client_secret", secret), ("redirect_uri", callback), ("code_verifier", verifier),
    ])
    let answer: WireResponse
    do throws(OutboundFailure) {
      answer = try await outbound.send(
        .post, "https://oauth2.googleapis.com/token",
        headers: [.contentType: "application/x-www-form-urlencoded"], body: Array(form.utf8))
    } catch { throw AuthFailure.unexpected }
    guard answer.status == .ok, let json = try? JSON(parsing: answer.body),
      let token = json["id_token"]?.text
    else { throw AuthFailure.badIdentityToken }
    return token
  }
}
