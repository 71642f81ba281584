import Avro
import Calendar
import Crypto
import Daybook
public import DaybookStore
import GRDB
import HTTPTypes
import Values
public import Wire

/// Signs people in (HH-2, DG-1, DM-11, MC-2, MO-1) under `/auth/v1`.
///
/// There are two stores. The book is the source of truth for accounts and their identities, which it has as hashes;
/// the database has secrets and sessions. Losing part of the database costs a sign-in and nothing else, because an
/// address finds its account in the book again. If the book is older than the database, a sign-in makes the account
/// again with the same key.
public final class AuthService: Sendable {
  /// The settings of sign-in.
  public let settings: AuthSettings
  /// The phones and e-mail addresses of accounts.
  public let people = PeopleDirectory()
  let database: ServerDatabase
  let accounts: AccountBook
  let keys: SigningKeys
  let live = LiveSessions()
  let hasher: PasswordHasher
  let redirects: RedirectList
  let identityTokens: IdentityTokens
  let google: GoogleSignIn?
  /// The issuer of id tokens in development.
  let developmentIssuer: DevelopmentIssuer?
  /// Makes the tokens of the page's forms.
  let formKey: SymmetricKey

  /// Makes the service: loads keys, sessions and people, and deletes the data of accounts that the book has erased.
  ///
  /// - Parameters:
  ///   - settings: The settings of sign-in.
  ///   - database: The database of secrets.
  ///   - book: The book of accounts.
  ///   - pepper: The book's pepper, which hashes phones and addresses.
  ///   - outbound: Sends requests to other servers.
  /// - Throws: ``DatabaseFailure``.
  public init(
    settings: AuthSettings, database: ServerDatabase, book: Book, pepper: Pepper,
    outbound: any Outbound
  ) async throws(DatabaseFailure) {
    self.settings = settings
    self.database = database
    accounts = AccountBook(book: book, pepper: pepper)
    // The same after a restart, so that a form that stands open meanwhile is still taken.
    let secret = (try? pepper.hash(.email, "forms@daybook.invalid"))?.description
    formKey = SymmetricKey(data: Array((secret ?? Secret.fresh()).utf8))
    keys = SigningKeys(in: database)
    hasher = PasswordHasher(cost: settings.passwordCost)
    redirects = RedirectList(
      settings.redirects, site: settings.siteURL, fallback: settings.defaultRedirect)
    developmentIssuer =
      settings.isDevelopment ? DevelopmentIssuer(name: settings.issuer + "/development") : nil
    identityTokens = IdentityTokens(
      issuers: [.apple(settings.appleClients), .google(settings.googleClients)]
        + (developmentIssuer?.trusted ?? []), keys: ProviderKeys(outbound))
    google = settings.googleClients.first.flatMap { client in
      settings.googleSecret.map { secret in
        GoogleSignIn(
          client: client, secret: secret, callback: settings.siteURL + "/auth/v1/callback",
          outbound: outbound)
      }
    }
    do {
      try await keys.load()
      try await rotateKeys()
      try await loadSessions()
      try await people.load(from: database)
    } catch { throw DatabaseFailure(error) }
    try await sweep()
  }

  var now: Instant { settings.now() }

  /// Answers a request.
  ///
  /// - Parameter request: A request with the path after `/auth/v1`.
  /// - Returns: The answer; an error is in the form that the client reads.
  public func answer(_ request: WireRequest) async -> WireResponse {
    let isVersioned = AuthFailure.isVersioned(by: request.headers)
    var response: WireResponse
    do { response = try await route(request) } catch let failure as AuthFailure {
      response = failure.response(versioned: isVersioned)
    } catch is DatabaseFailure {
      response = AuthFailure.unavailable.response(versioned: isVersioned)
    } catch {
      response = AuthFailure.unexpected.response(versioned: isVersioned)
    }
    if isVersioned { Self.sayVersion(in: &response) }
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    return response
  }

  /// Marks a response as having errors in the form with `code`, which clients otherwise do not look for.
  public static func sayVersion(in response: inout WireResponse) {
    guard let header = AuthFailure.versionHeader else { return }
    response.headers[header] = AuthFailure.version
  }

  /// The network of an address for the purpose of limits.
  public static func network(of address: String?) -> String { NetworkName.of(address) }

  private func route(_ request: WireRequest) async throws -> WireResponse {
    let path = request.path.joined(separator: "/")
    switch (request.method.rawValue, path) {
    case ("GET", "health"), ("HEAD", "health"):
      return WireResponse(.ok, ["name": "Daybook", "description": "Daybook signs people in"])
    case ("GET", "settings"): return WireResponse(.ok, settingsForClients)
    case ("GET", ".well-known/jwks.json"): return publicKeys()
    case ("GET", "verify"): return try await openLink(AuthRequest(request, needsBody: false))
    case ("GET", "authorize"): return try await authorize(AuthRequest(request, needsBody: false))
    case ("GET", "callback"): return try await callBack(AuthRequest(request, needsBody: false))
    case ("GET", "user"): return try await user(AuthRequest(request, needsBody: false))
    case ("PUT", "user"), ("PATCH", "user"):
      return try await updateUser(AuthRequest(request, needsBody: true))
    case ("POST", "logout"): return try await signOut(AuthRequest(request, needsBody: false))
    case ("POST", "otp"): return try await sendCode(AuthRequest(request, needsBody: true))
    case ("POST", "resend"): return try await sendCodeAgain(AuthRequest(request, needsBody: true))
    case ("POST", "recover"): return try await recover(AuthRequest(request, needsBody: true))
    case ("POST", "verify"): return try await verifyCode(AuthRequest(request, needsBody: true))
    case ("POST", "signup"): return try await signUp(AuthRequest(request, needsBody: true))
    case ("POST", "token"): return try await token(AuthRequest(request, needsBody: true))
    default:
      throw Self.paths.contains(path) ? AuthFailure.methodNotAllowed : AuthFailure.notFound
    }
  }

  private static let paths: Set<String> = [
    "health", "settings", ".well-known/jwks.json", "verify", "authorize", "callback", "user",
    "logout", "otp", "resend", "recover", "signup", "token",
  ]

  private func token(_ request: AuthRequest) async throws -> WireResponse {
    switch request.wire.query["grant_type"] {
    case "password": try await signInWithPassword(request)
    case "refresh_token": try await refresh(request)
    case "pkce": try await exchangeCode(request)
    case "id_token": try await signInWithIdentityToken(request)
    default: throw AuthFailure.invalid("grant_type is not supported")
    }
  }

  private var settingsForClients: JSON {
    [
      "external": [
        "email": true, "phone": true,
        "apple": .bool(!settings.appleClients.isEmpty || settings.isDevelopment),
        "google": .bool(!settings.googleClients.isEmpty || settings.isDevelopment),
      ],
      "disable_signup": false, "mailer_autoconfirm": .bool(!settings.confirmsAddresses),
      "phone_autoconfirm": .bool(!settings.confirmsAddresses),
    ]
  }

  private func publicKeys() -> WireResponse {
    var response = WireResponse(.ok, keys.publicSet)
    response.headers[.cacheControl] = "public, max-age=600"
    return response
  }
}
