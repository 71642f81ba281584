import Avro
import Daybook
import DaybookStore
import GRDB
import HTTPTypes
import Values
import Wire

// Signing in by who somebody is at Apple or Google (DM-11).
extension AuthService {
  /// `POST /token?grant_type=id_token`.
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
    let account = try await admit(facts)
    return WireResponse(.ok, try await openSession(of: account, by: "oauth"))
  }

  /// Lets in whom a provider vouches for: into the account that has the subject, else into that of the e-mail address,
  /// if the provider vouches for it, too; else into a new one.
  func admit(_ facts: IdentityTokens.Facts) async throws -> Key {
    var proofs = [Proof(kind: facts.provider, value: facts.subject)]
    if let email = facts.email { proofs.append(Proof(kind: .email, value: email.value)) }
    let known = try await database.read { database in
      let text = try String.fetchOne(
        database, sql: "SELECT account FROM identities WHERE provider = ? AND subject = ?",
        arguments: [facts.provider.rawValue, facts.subject])
      if let key = text.flatMap({ Key($0) }) { return key as Key? }
      return try facts.email.flatMap { try UserRecord.fetch($0, in: database) }?.account
    }
    let admission = try await accounts.admit(proofs, key: known, metadata: facts.data)
    var entry = Entry(admission, address: nil, metadata: facts.data)
    entry.facts = facts
    // The address may be another account's; the book says whose it is.
    if let email = facts.email,
      try accounts.account(having: .email, email.value) == admission.account
    {
      let user = try await database.read { try UserRecord.fetch(admission.account, in: $0) }
      if user?.email == nil || user?.email == email.value { entry.address = email }
    }
    try await enter(entry)
    return admission.account
  }
}
