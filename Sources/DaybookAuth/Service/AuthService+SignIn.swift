import Avro
import Calendar
import Daybook
import DaybookStore
import GRDB
import Values

/// The data to record about an admitted person.
struct SignIn: Sendable {
  let admission: Admission
  /// The address to record for them.
  var address: Address?
  /// A provider's facts about them.
  var facts: IdentityTokens.Facts?
  /// The metadata of a new person.
  var metadata: JSON
  /// The password of a new person.
  var passwordHash: String?
  /// Whether the address is proven.
  var isProven = true

  init(_ admission: Admission, address: Address?, metadata: JSON) {
    self.admission = admission
    self.address = address
    self.metadata = metadata
  }
}

extension AuthService {
  /// Records an admitted person in the database, which may be older than the account, or lost.
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
        // Somebody who claimed the address before its owner came loses access to the account.
        user.passwordHash = nil
        ended = try Session.end(.all, of: account, in: database)
        try database.execute(
          sql: "DELETE FROM one_time_codes WHERE account = ?", arguments: [account.description])
      }
      var released: [Key] = []
      if let address = signIn.address {
        released = try user.claim(address, at: now, in: database)
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

  /// Makes a person's account again if the book has lost it, because the book is older than the database.
  ///
  /// - Throws: ``AuthFailure/userNotFound`` if the account was erased, or now belongs to somebody
  ///   else.
  func restore(_ person: Person) async throws {
    let key = person.user.account
    switch accounts.standing(of: key) {
    case .present: return
    case .erased: throw AuthFailure.userNotFound
    case .missing: break
    }
    var given: [SignInIdentity] = []
    for identity in person.identities where ![.phone, .email].contains(identity.provider) {
      given.append(SignInIdentity(kind: identity.provider, value: identity.subject))
    }
    for (kind, address) in [
      (IdentityKind.email, person.user.email), (.phone, person.user.phone),
    ] {
      guard let address else { continue }
      // A mere claim stays one, because the owner may still come.
      let isClaim =
        person.identities.contains { $0.provider == kind && $0.isMereClaim }
        && !person.identities.contains { $0.vouches(for: address) }
      given.append(SignInIdentity(kind: kind, value: address, isProven: !isClaim))
    }
    let admission = try await accounts.admit(
      given, key: key, metadata: person.user.metadata)
    guard admission.account == key else { throw AuthFailure.userNotFound }
  }
}

extension SignIn {
  /// The identities in a sign-in.
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
