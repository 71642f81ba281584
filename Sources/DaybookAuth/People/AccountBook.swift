import Avro
import Daybook
import DaybookStore
import Values

/// By what somebody is known who signs in, and whether it is known to be theirs.
struct Proof: Sendable {
  let kind: IdentityKind
  /// In its one form.
  let value: String
  var isProven = true
}

/// Whom somebody turned out to be who signs in.
struct Admission: Sendable {
  /// The account's key.
  let account: Key
  /// Whether the account was made now.
  let isNew: Bool
  /// Whether what was proven now had been said only: who said it may have been another.
  let wasClaimed: Bool
}

/// The accounts in the book, and by what their people are recognised: the one truth about who somebody is.
struct AccountBook: Sendable {
  let book: Book
  let pepper: Pepper

  /// The account whose an identity is; nothing when it is nobody's.
  func account(having kind: IdentityKind, _ value: String) throws -> Key? {
    let identity = Identity(kind, try pepper.hash(kind, value))
    return book.read { state in
      state.account(having: identity).flatMap { number in
        state.accounts[number].flatMap { $0.isErased ? nil : $0.key }
      }
    }
  }

  /// Whether an identity is an account's, and known to be.
  func isProven(_ kind: IdentityKind, _ value: String, of key: Key) throws -> Bool {
    let identity = Identity(kind, try pepper.hash(kind, value))
    return book.read { state in
      state.accounts.number(of: key).flatMap { state.accounts[$0] }?.link(to: identity)?
        .isVerified ?? false
    }
  }

  /// Whether there is an account of a key, and whether it was erased.
  func standing(of key: Key) -> Standing {
    book.read { state in
      guard let number = state.accounts.number(of: key), let account = state.accounts[number]
      else { return .missing }
      return account.isErased ? .erased : .present
    }
  }

  /// How the book knows an account.
  enum Standing: Sendable {
    case present
    case erased
    case missing
  }

  /// Finds the account of somebody who signs in, and makes it when there is none; in one transaction.
  ///
  /// An identity that an account has, but nobody proved, is taken from it when the account has another that is proven:
  /// else anybody could claim an address before its owner comes, and share the account from then on. For the same
  /// reason the key of an account that the book has is not followed: that account does not have what was proven, or
  /// does not have it any more.
  ///
  /// - Parameters:
  ///   - proofs: By what somebody is known; the first that an account has decides. All become the account's that are
  ///     nobody else's.
  ///   - key: The key that a new account is to have, unless there is an account of it.
  ///   - metadata: What the person said of themselves; their name is in it.
  ///   - mustBeNew: Whether to refuse when there is an account already.
  /// - Returns: Whose account it is.
  /// - Throws: ``AuthFailure/userAlreadyExists`` then, `Rejection`, or `JournalError`.
  func admit(
    _ proofs: [Proof], key: Key? = nil, metadata: JSON, mustBeNew: Bool = false
  ) async throws -> Admission {
    let identities = try proofs.map { proof in
      (Identity(proof.kind, try pepper.hash(proof.kind, proof.value)), proof.isProven)
    }
    return try await book.transaction { batch in
      var found: Admitted?
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

  /// Gives an account an identity that was proven, and takes one from it that it has no more.
  ///
  /// - Throws: `Rejection` when another account has it, or `JournalError`.
  func link(_ proof: Proof, to key: Key, inPlaceOf former: Proof?) async throws {
    let identity = Identity(proof.kind, try pepper.hash(proof.kind, proof.value))
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

  private struct Admitted {
    let number: Account.ID
    var wasClaimed = false
  }

  private static func holder(
    of identity: Identity, isProven: Bool, in batch: inout Batch
  ) throws -> Admitted? {
    guard let number = batch.state.account(having: identity),
      let link = batch.state.accounts[number]?.link(to: identity)
    else { return nil }
    if isProven, isMereClaim(identity, of: number, in: batch.state) {
      try batch.record(UnlinkIdentity(identity), by: number)
      return nil
    }
    return Admitted(number: number, wasClaimed: isProven && !link.isVerified)
  }

  /// Whether an account has an identity that nobody proved, beside one that somebody did.
  private static func isMereClaim(
    _ identity: Identity, of number: Account.ID, in state: BookState
  ) -> Bool {
    guard let account = state.accounts[number], let link = account.link(to: identity) else {
      return false
    }
    return !link.isVerified && account.identities.contains(where: \.isVerified)
  }

  /// Makes an account, with the key that is wanted if the book has none of it: the server's database may know one that
  /// the book does not have any more.
  private static func create(
    _ wanted: Key?, _ metadata: JSON, in batch: inout Batch
  ) throws -> Admitted {
    var key = wanted ?? Key()
    if batch.state.accounts.number(of: key) != nil { key = Key() }
    let fallback = Account.signUpName(of: key)
    for name in [metadata["display_name"]?.text, metadata["name"]?.text] {
      guard let name, name.contains(where: { !$0.isWhitespace }) else { continue }
      do {
        return Admitted(number: try batch.record(CreateAccount(key: key, name: name)))
      } catch let rejection as Rejection where rejection.field == "display_name" {
        // A name that cannot be is no reason to turn somebody away.
        continue
      }
    }
    return Admitted(number: try batch.record(CreateAccount(key: key, name: fallback)))
  }
}
