import Avro
import Calendar
import Daybook
import DaybookStore
import GRDB
import Values

/// What is noted of somebody who was let in.
struct SignIn: Sendable {
  let admission: Admission
  /// An address that is theirs from now on.
  var address: Address?
  /// What a provider said of them.
  var facts: IdentityTokens.Facts?
  /// What is kept with a person who is new.
  var metadata: JSON
  /// The password of a person who is new.
  var passwordHash: String?
  /// Whether the address is known to be theirs.
  var isProven = true

  init(_ admission: Admission, address: Address?, metadata: JSON) {
    self.admission = admission
    self.address = address
    self.metadata = metadata
  }
}

extension AuthService {
  /// Notes in the database who was let in: it may know nothing of the account, for it may be newer than that, or lost.
  func enter(_ signIn: SignIn) async throws {
    let (now, account) = (now, signIn.admission.account)
    let noted = try await database.write { database in
      let known = try UserRecord.fetch(account, in: database)
      var user = known ?? UserRecord(account, at: now)
      if known == nil { user.merge(signIn.metadata) }
      if let facts = signIn.facts { user.complete(facts.data) }
      if signIn.admission.isNew, let hash = signIn.passwordHash { user.passwordHash = hash }
      var ended: [Key] = []
      if signIn.admission.wasClaimed {
        // Whoever claimed the address before its owner came does not share the account with them.
        user.passwordHash = nil
        ended = try Session.end(.all, of: account, in: database)
        try database.execute(
          sql: "DELETE FROM one_time_codes WHERE account = ?", arguments: [account.description])
      }
      var released: [Key] = []
      if let address = signIn.address {
        released = try user.take(address, at: now, in: database)
        if signIn.isProven { try SignUp.drop(address, in: database) }
      }
      user.updated = now
      try user.save(in: database)
      for identity in signIn.identities(of: user, at: now) { try identity.save(in: database) }
      return (user: user, released: released, ended: ended)
    }
    live.end(noted.ended)
    if let address = signIn.address { people.release(address, from: noted.released) }
    people.note(noted.user)
  }

  /// Makes the account of a person again, if the book does not have it: the book is older than the database.
  ///
  /// - Throws: ``AuthFailure/userNotFound`` when the account was erased, or is another's now.
  func restore(_ person: Person) async throws {
    let key = person.user.account
    switch accounts.standing(of: key) {
    case .present: return
    case .erased: throw AuthFailure.userNotFound
    case .missing: break
    }
    var proofs: [Proof] = []
    for identity in person.identities where ![.phone, .email].contains(identity.provider) {
      proofs.append(Proof(kind: identity.provider, value: identity.subject))
    }
    for (kind, address) in [
      (IdentityKind.email, person.user.email), (.phone, person.user.phone),
    ] {
      guard let address else { continue }
      // What was a mere claim is one again: its owner may still come.
      let isClaim =
        person.identities.contains { $0.provider == kind && $0.isMereClaim }
        && !person.identities.contains { $0.vouches(for: address) }
      proofs.append(Proof(kind: kind, value: address, isProven: !isClaim))
    }
    let admission = try await accounts.admit(
      proofs, key: key, metadata: person.user.metadata)
    guard admission.account == key else { throw AuthFailure.userNotFound }
  }
}

extension SignIn {
  /// The ways to sign in that it tells of.
  fileprivate func identities(of user: UserRecord, at now: Instant) -> [IdentityRecord] {
    if let facts {
      return [
        IdentityRecord(
          facts.provider, facts.subject, of: user.account, data: facts.data, at: now)
      ]
    }
    guard let address else { return [] }
    let subject = user.account.description
    let (name, shown) =
      address.kind == .phone
      ? ("phone", Address.shown(phone: address.value)) : ("email", address.value)
    let data: JSON = .object([
      .init("sub", .string(subject)), .init(name, .string(shown)),
      .init("\(name)_verified", .bool(isProven)),
    ])
    return [IdentityRecord(address.kind, subject, of: user.account, data: data, at: now)]
  }
}
