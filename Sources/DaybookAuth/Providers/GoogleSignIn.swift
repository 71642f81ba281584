import Avro
import HTTPTypes
import Wire

/// Signing in at Google by browser: the authorization code flow (RFC 6749, section 4.1), with a proof key of its own.
struct GoogleSignIn: Sendable {
  let client: String
  let secret: String
  /// Where Google sends the browser back to.
  let callback: String
  let outbound: any Outbound

  /// What an app may ask of Google besides: which account, and what it is asked for.
  private static let wishes = [
    "access_type", "hd", "hl", "include_granted_scopes", "login_hint", "prompt",
  ]

  /// Where the browser is sent.
  ///
  /// - Parameters:
  ///   - state: What Google sends back with the browser.
  ///   - verifier: What the exchange of the code proves.
  ///   - scopes: What else than who it is the app wants to know, with spaces or commas between.
  ///   - wishes: What the app asked for; what Google knows nothing of, or is the server's to say, is passed over.
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

  /// The id token for which Google takes a code.
  ///
  /// - Throws: ``AuthFailure/unexpected`` when Google does not answer, or ``AuthFailure/badIdentityToken`` when it
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
