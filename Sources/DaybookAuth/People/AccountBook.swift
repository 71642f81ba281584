import Avro
import Daybook
import DaybookStore
import Values

/// An identity of a person who signs in, and whether it is proven.
struct SignInIdentity: Sendable {
  let kind: IdentityKind
  /// The normal form of its value.
  let value: String
  var isProven = true
}

/// The account found or made at a sign-in.
struct Admission: Sendable {
  let account: Key
  let isNew: Bool
  /// Whether the proven identity was only claimed before, perhaps by somebody else.
  let wasClaimed: Bool
}

/// The book's accounts and their identities: the only source of truth about who somebody is.
struct AccountBook: Sendable {
  let book: Book
  let pepper: Pepper

  /// The account with an identity; `nil` if there is none.
  func account(having kind: IdentityKind, _ value: String) throws -> Key? {
    let identity = Identity(kind, try pepper.hash(kind, value))
    return book.read { state in
      state.account(having: identity).flatMap { number in
        state.accounts[number].flatMap { $0.isErased ? nil : $0.key }
      }
    }
  }

  /// Whether an account has an identity that is proven.
  func isProven(_ kind: IdentityKind, _ value: String, of key: Key) throws -> Bool {
    let identity = Identity(kind, try pepper.hash(kind, value))
    return book.read { state in
      state.accounts.number(of: key).flatMap { state.accounts[$0] }?.link(to: identity)?
        .isVerified ?? false
    }
  }

  /// The standing of the account with a key.
  func standing(of key: Key) -> Standing {
    book.read { state in
      guard let number = state.accounts.number(of: key), let account = state.accounts[number]
      else { return .missing }
      return account.isErased ? .erased : .present
    }
  }

  /// The standing of an account in the book.
  enum Standing: Sendable {
    case present
    case erased
    case missing
  }

  /// Finds the account of a person who signs in, or makes one, in one transaction.
  ///
  /// If an account merely claims an identity, and has another that is proven, it loses the claimed one when
  /// somebody else proves it. Otherwise anybody could claim an address before its owner signs up, and then
  /// share the owner's account. For the same reason, an existing account is never chosen by its key: it may
  /// never have had the proven identity, or may have lost it.
  ///
  /// - Parameters:
  ///   - given: The person's identities. The first one that belongs to an account chooses that account. The
  ///     account then gets each of the others, unless it belongs to another account.
  ///   - key: The key of a new account, unless an account already has it.
  ///   - metadata: What the person says about themselves, including their name.
  ///   - mustBeNew: Whether to refuse if the person already has an account.
  /// - Returns: The account.
  /// - Throws: ``AuthFailure/userAlreadyExists`` if `mustBeNew` is set and there is an account, `Rejection`,
  ///   or `JournalError`.
  func admit(
    _ given: [SignInIdentity], key: Key? = nil, metadata: JSON, mustBeNew: Bool = false
  ) async throws -> Admission {
    let identities = try given.map { one in
      (Identity(one.kind, try pepper.hash(one.kind, one.value)), one.isProven)
    }
    return try await book.transaction { batch in
      var found: AdmittedAccount?
      for (identity, isProven) in identities where found == nil {
        found = try Self.holder(of: identity, isProven: isProven, in: &batch)
      }
      if found != nil, mustBeNew { throw AuthFailure.userAlreadyExists }
      let admitted = try found ?? Self.create(key, metadata, in: &batch)
      for (identity, isProven) in identities {
        let holder = batch.state.account(having: identity)
        guard holder == nil || holder == admitted.number else { continue }
        try batch.record(LinkIdentity(identity, isVerified: isProven), by: admitted.number)
      }
      guard let account = batch.state.accounts[admitted.number] else {
        throw Rejection.accountNotFound
      }
      return Admission(
        account: account.key, isNew: found == nil, wasClaimed: admitted.wasClaimed)
    }
  }

  /// Gives an account a proven identity, and removes the one that it replaces.
  ///
  /// - Throws: `Rejection` if another account has it, or `JournalError`.
  func link(_ given: SignInIdentity, to key: Key, inPlaceOf former: SignInIdentity?) async throws {
    let identity = Identity(given.kind, try pepper.hash(given.kind, given.value))
    let old = try former.map { Identity($0.kind, try pepper.hash($0.kind, $0.value)) }
    try await book.transaction { batch in
      guard let number = batch.state.accounts.number(of: key) else {
        throw Rejection.accountNotFound
      }
      if let holder = batch.state.account(having: identity), holder != number,
        Self.isMereClaim(identity, of: holder, in: batch.state)
      {
        try batch.record(UnlinkIdentity(identity), by: holder)
      }
      try batch.record(LinkIdentity(identity, isVerified: true), by: number)
      if let old, old != identity { try batch.record(UnlinkIdentity(old), by: number) }
    }
  }

  private struct AdmittedAccount {
    let number: Account.ID
    var wasClaimed = false
  }

  private static func holder(
    of identity: Identity, isProven: Bool, in batch: inout Batch
  ) throws -> AdmittedAccount? {
    guard let number = batch.state.account(having: identity),
      let link = batch.state.accounts[number]?.link(to: identity)
    else { return nil }
    if isProven, isMereClaim(identity, of: number, in: batch.state) {
      try batch.record(UnlinkIdentity(identity), by: number)
      return nil
    }
    return AdmittedAccount(number: number, wasClaimed: isProven && !link.isVerified)
  }

  /// Whether an account merely claims an identity, and has another that is proven.
  private static func isMereClaim(
    _ identity: Identity, of number: Account.ID, in state: BookState
  ) -> Bool {
    guard let account = state.accounts[number], let link = account.link(to: identity) else {
      return false
    }
    return !link.isVerified && account.identities.contains(where: \.isVerified)
  }

  /// Creates an account. It gets the wanted key, unless the book already has that key. The server's database
  /// may ask for a key, because it can know an account that the book has lost.
  private static func create(
    _ wanted: Key?, _ metadata: JSON, in batch: inout Batch
  ) throws -> AdmittedAccount {
    var key = wanted ?? Key()
    if batch.state.accounts.number(of: key) != nil { key = Key() }
    let fallback = Account.signUpName(of: key)
    for name in [metadata["display_name"]?.text, metadata["name"]?.text] {
      guard let name, name.contains(where: { !$0.isWhitespace }) else { continue }
      do {
        return AdmittedAccount(number: try batch.record(CreateAccount(key: key, name: name)))
      } catch let rejection as Rejection where rejection.field == "display_name" {
        // An invalid name is no reason to refuse somebody.
        continue
      }
    }
    return AdmittedAccount(number: try batch.record(CreateAccount(key: key, name: fallback)))
  }
}
