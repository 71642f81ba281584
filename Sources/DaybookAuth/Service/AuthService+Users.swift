import Avro
import Daybook
import GRDB
import HTTPTypes
public import Values
import Wire

// The signed-in user, and changes to it.
extension AuthService {
  /// The claims of the caller.
  ///
  /// - Throws: ``AuthFailure`` if nobody is signed in, or the token is invalid.
  func claims(_ request: AuthRequest) throws(AuthFailure) -> Claims {
    let token = try token(of: request)
    do throws(TokenError) { return try claims(of: token) } catch { throw AuthFailure(error) }
  }

  /// The token of the caller, which may be invalid.
  private func token(of request: AuthRequest) throws(AuthFailure) -> String {
    guard let token = request.wire.bearer, token != settings.anonymousKey else {
      throw .noAuthorization
    }
    return token
  }

  /// `GET /user`.
  func user(_ request: AuthRequest) async throws -> WireResponse {
    WireResponse(.ok, try await person(claims(request).account).json)
  }

  /// The e-mail address of an account, if it is proven in the book; without proofs, anybody can sign up with any
  /// address.
  public func provenEmail(of account: Key) -> String? {
    people.email(of: account).flatMap { email in
      let isProven = (try? accounts.isProven(.email, email, of: account)) ?? false
      return isProven ? email : nil
    }
  }

  func person(_ account: Key) async throws -> Person {
    let now = now
    guard let person = try await database.read({ try Person.fetch(account, at: now, in: $0) })
    else {
      throw AuthFailure.userNotFound
    }
    return person
  }

  /// `PUT /user`, or `PATCH`: sets metadata and a password at once, and a phone or an e-mail address once it is
  /// proven.
  func updateUser(_ request: AuthRequest) async throws -> WireResponse {
    let claims = try claims(request)
    let metadata = try request.metadata()
    let password = try request.newPassword()
    let challenge = try request.challenge()
    let addresses = [try request.address(.email), try request.address(.phone)].compactMap(\.self)
    let user = try await person(claims.account).user
    if let metadata {
      var merged = user
      merged.merge(metadata)
      guard merged.metadata.encoded.utf8.count <= AuthRequest.largestMetadataByteCount else {
        throw AuthFailure.invalid("data is too large")
      }
    }
    var hash: String?
    if let password { hash = try await newHash(of: password, for: user) }
    for address in addresses {
      guard address.value != (address.kind == .phone ? user.phone : user.email) else { continue }
      var code = OneTimeCode(
        address.kind == .phone ? .phoneChange : .emailChange, address,
        redirect: redirects.target(request.wire.query["redirect_to"]))
      (code.account, code.session) = (claims.account, claims.session)
      code.challenge = challenge
      try await askToProve(code, request)
    }
    return WireResponse(.ok, try await change(claims, metadata, hash, addresses).json)
  }

  private func newHash(of password: String, for user: UserRecord) async throws -> String {
    let weaknesses = PasswordRules.weaknesses(of: password)
    guard weaknesses.isEmpty else { throw AuthFailure.weakPassword(weaknesses) }
    if let kept = user.passwordHash, try await hasher.matches(password, kept) {
      throw AuthFailure.samePassword
    }
    return try await hasher.hash(password)
  }

  private func askToProve(_ code: OneTimeCode, _ request: AuthRequest) async throws {
    let address = code.address
    if try accounts.account(having: address.kind, address.value).map({ $0 != code.account })
      ?? false
    {
      throw address.kind == .phone ? AuthFailure.phoneExists : AuthFailure.emailExists
    }
    guard try await mayAskForMessage(request, to: address) else { return }
    try await send(code, isKnown: false, for: request)
  }

  /// Makes the changes that need no proof. A new password ends all other sessions, because they may belong to
  /// somebody who knew the old one, and voids codes for addresses other than those in this request.
  ///
  /// - Throws: ``AuthFailure/sessionNotFound`` if the session has ended meanwhile.
  func change(
    _ claims: Claims, _ metadata: JSON?, _ passwordHash: String?, _ addresses: [Address]
  ) async throws -> Person {
    let now = now
    let (person, ended) = try await database.write { database in
      // Hashing a password takes time, in which the session may have ended.
      try Session.check(claims.session, in: database)
      guard var person = try Person.fetch(claims.account, at: now, in: database) else {
        throw AuthFailure.userNotFound
      }
      var ended: [Key] = []
      if let metadata { person.user.merge(metadata) }
      if let passwordHash {
        person.user.passwordHash = passwordHash
        ended = try Session.end(
          .allBut(claims.session), of: claims.account, asking: addresses, in: database)
        // Somebody who requested a recovery code has now set the password.
        try OneTimeCode.void(.recovery, sentTo: person.user.addresses, in: database)
        person.pending = try OneTimeCode.changes(of: claims.account, at: now, in: database)
          .map { ($0.code.address, $0.at) }
      }
      if metadata != nil || passwordHash != nil {
        person.user.updated = now
        try person.user.save(in: database)
      }
      return (person, ended)
    }
    live.end(ended)
    return person
  }

  /// `POST /logout`: ends this session, all sessions, or all others. It also succeeds for a session that has
  /// already ended.
  func signOut(_ request: AuthRequest) async throws -> WireResponse {
    let token = try token(of: request)
    let claims: Claims
    do throws(TokenError) { claims = try self.claims(of: token) } catch {
      if error == .endedSession || error == .erasedAccount { return WireResponse(.noContent) }
      throw AuthFailure(error)
    }
    let scope: Session.Scope
    switch request.wire.query["scope"] {
    case nil, "", "global": scope = .all
    case "local": scope = .only(claims.session)
    case "others": scope = .allBut(claims.session)
    default: throw AuthFailure.invalid("Unsupported logout scope")
    }
    live.end(
      try await database.write { try Session.end(scope, of: claims.account, in: $0) })
    return WireResponse(.noContent)
  }

  /// `POST /token?grant_type=refresh_token`.
  func refresh(_ request: AuthRequest) async throws -> WireResponse {
    let token = try request.statedText("refresh_token")
    let (now, grace) = (now, settings.refreshGraceSeconds)
    let outcome = try await database.write {
      try RefreshToken.use(token, grace: grace, at: now, in: $0)
    }
    switch outcome {
    case .unknown: throw AuthFailure.refreshTokenNotFound
    case .stolen(let session):
      live.end([session])
      throw AuthFailure.refreshTokenAlreadyUsed
    case .next(let successor, let session, let account):
      guard accounts.standing(of: account) != .erased else {
        throw AuthFailure.refreshTokenNotFound
      }
      let person = try await person(account)
      do { try await restore(person) } catch let failure as AuthFailure
        where failure == .userNotFound
      {
        throw AuthFailure.refreshTokenNotFound
      }
      return WireResponse(.ok, try await answer(of: session, person, refreshToken: successor))
    }
  }
}
