import Avro
import Daybook
import DaybookStore
import GRDB
import HTTPTypes
import Values
import Wire

// Sign-in with an identity at Apple or Google (DM-11).
extension AuthService {
  /// `POST /token?grant_type=id_token`: signs in, or adds an identity to a signed-in account.
  func signInWithIdentityToken(_ request: AuthRequest) async throws -> WireResponse {
    let provider: IdentityKind
    switch try request.neededText("provider") {
    case "apple": provider = .apple
    case "google": provider = .google
    default: throw AuthFailure.invalid("Unsupported provider: provider is not enabled")
    }
    let token = try request.neededText("id_token")
    let nonce = try request.text("nonce")
    let facts = try await identityTokens.facts(in: token, from: provider, nonce: nonce, at: now)
    let account =
      try request.flag("link_identity") ?? false
      ? try await link(facts, for: request) : try await admit(facts)
    return WireResponse(.ok, try await openSession(of: account, by: "oauth"))
  }

  /// Adds an identity to the caller's account; an identity of another account is refused.
  ///
  /// - Throws: ``AuthFailure/identityExists`` if another account has it, or an error if nobody is signed in.
  private func link(_ facts: IdentityTokens.Facts, for request: AuthRequest) async throws -> Key {
    let account = try claims(request).account
    let person = try await person(account)
    try await restore(person)
    let identity = SignInIdentity(kind: facts.provider, value: facts.subject)
    do { try await accounts.link(identity, to: account, inPlaceOf: nil) } catch let rejection
      as Rejection where rejection.reason == .identityTaken
    {
      throw AuthFailure.identityExists
    }
    var signIn = SignIn(
      Admission(account: account, isNew: false, wasClaimed: false), address: nil, metadata: [:])
    signIn.facts = facts
    if let email = facts.email, person.user.email == nil,
      try accounts.account(having: .email, email.value) == nil
    {
      // Another account may have got the address meanwhile, and then keeps it.
      do {
        try await accounts.link(
          SignInIdentity(kind: .email, value: email.value), to: account, inPlaceOf: nil)
        signIn.address = email
      } catch let rejection as Rejection where rejection.reason == .identityTaken {}
    }
    try await enter(signIn)
    return account
  }

  /// Signs in a person with a provider's identity: into the account that has the identity's subject; else into the
  /// account that has its e-mail address, if the provider vouches for the address; else into a new account.
  func admit(_ facts: IdentityTokens.Facts) async throws -> Key {
    var given = [SignInIdentity(kind: facts.provider, value: facts.subject)]
    if let email = facts.email { given.append(SignInIdentity(kind: .email, value: email.value)) }
    let known = try await database.read { database in
      let text = try String.fetchOne(
        database, sql: "SELECT account FROM identities WHERE provider = ? AND subject = ?",
        arguments: [facts.provider.rawValue, facts.subject])
      if let key = text.flatMap({ Key($0) }) { return key as Key? }
      return try facts.email.flatMap { try UserRecord.fetch($0, in: database) }?.account
    }
    let admission = try await accounts.admit(given, key: known, metadata: facts.data)
    var signIn = SignIn(admission, address: nil, metadata: facts.data)
    signIn.facts = facts
    // The address may belong to another account; the book decides.
    if let email = facts.email,
      try accounts.account(having: .email, email.value) == admission.account
    {
      let user = try await database.read { try UserRecord.fetch(admission.account, in: $0) }
      if user?.email == nil || user?.email == email.value { signIn.address = email }
    }
    try await enter(signIn)
    return admission.account
  }
}
