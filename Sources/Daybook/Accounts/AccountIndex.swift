/// The account that has each identity and each device: made from the accounts, and updated with them. Each belongs to
/// at most one account.
package struct AccountIndex: Equatable, Sendable {
  private var identities = SortedSet<HashedOwnership<Identity>>()
  private var devices = SortedSet<HashedOwnership<String>>()

  /// One thing that an account has. The hash is compared first, so that the time of a lookup does not reveal how close
  /// a guess came.
  private struct HashedOwnership<Thing: Hashable & Comparable & Sendable>: Comparable, Sendable {
    let hash: Int
    let thing: Thing
    let account: Int32

    init(_ thing: Thing, _ account: Int32) {
      (hash, self.thing, self.account) = (thing.hashValue, thing, account)
    }

    static func < (left: Self, right: Self) -> Bool {
      if left.hash != right.hash { return left.hash < right.hash }
      return (left.thing, left.account) < (right.thing, right.account)
    }
  }

  func account(having identity: Identity) -> Account.ID? {
    Self.holder(of: identity, in: identities)
  }

  func account(ofDevice token: String) -> Account.ID? { Self.holder(of: token, in: devices) }

  private static func holder<Thing: Hashable & Comparable & Sendable>(
    of thing: Thing, in holdings: SortedSet<HashedOwnership<Thing>>
  ) -> Account.ID? {
    var holder: Account.ID?
    holdings.visit(from: HashedOwnership(thing, 0)) { holding in
      if holding.thing == thing { holder = Account.ID(unchecked: holding.account) }
      return false
    }
    return holder
  }

  /// Adds everything that an account has.
  fileprivate mutating func note(_ keys: Account.IndexKeys, _ account: Account.ID) {
    for thing in keys.identities {
      identities.insert(HashedOwnership(thing, account.number))
    }
    for thing in keys.devices { devices.insert(HashedOwnership(thing, account.number)) }
  }

  /// Removes everything that an account had.
  fileprivate mutating func forget(_ keys: Account.IndexKeys, _ account: Account.ID) {
    for thing in keys.identities {
      identities.remove(HashedOwnership(thing, account.number))
    }
    for thing in keys.devices { devices.remove(HashedOwnership(thing, account.number)) }
  }
}

extension Account {
  /// What belongs to one account alone.
  struct IndexKeys: Equatable {
    var identities: [Identity]
    var devices: [String]
  }

  func indexKeys(_ number: ID) -> IndexKeys {
    IndexKeys(identities: identities.map(\.identity), devices: devices.map(\.token))
  }

  static func reindex(
    _ number: ID, from former: IndexKeys?, to keys: IndexKeys?, in state: inout BookState
  ) {
    if let former { state.indexes.accounts.forget(former, number) }
    if let keys { state.indexes.accounts.note(keys, number) }
  }
}

extension BookState {
  /// The account that has an identity: the one to sign in (HH-2, MO-1).
  public func account(having identity: Identity) -> Account.ID? {
    indexes.accounts.account(having: identity)
  }

  /// The account to which a device belongs (HH-4).
  public func account(ofDevice token: String) -> Account.ID? {
    indexes.accounts.account(ofDevice: token)
  }

  /// The accounts whose verified phone is among an account's contacts, in the order of their creation (HH-6). Each
  /// contact costs one lookup by hash.
  public func contactMatches(of number: Account.ID) -> [Account.ID] {
    var found: Set<Account.ID> = []
    for contact in accounts[number]?.contacts ?? [] {
      let phone = Identity(.phone, contact.hash)
      if let other = account(having: phone), other != number,
        accounts[other]?.link(to: phone)?.isVerified == true
      {
        found.insert(other)
      }
    }
    return found.sorted()
  }

  /// Whether linking takes the identity from another account than the event's own. No command causes this: an identity
  /// that another account has is refused, or given up first. In a damaged book the event that gave it up may be lost;
  /// then the last account has it.
  func takesFromOther(_ event: IdentityLinked) -> Bool {
    guard let holder = event.identity.flatMap({ account(having: $0) }) else { return false }
    return holder != event.account
  }

  /// Whether registering takes the device from another account than the event's own, for the same reason.
  func takesFromOther(_ event: DeviceRegistered) -> Bool {
    guard let holder = account(ofDevice: event.token) else { return false }
    return holder != event.account
  }

  mutating func takeFromOther(than number: Account.ID, _ identity: Identity) {
    guard accounts.place(of: number) != nil, let holder = account(having: identity),
      holder != number
    else { return }
    update(holder) { $0.identities.removeAll { $0.identity == identity } }
  }

  mutating func takeFromOther(than number: Account.ID, _ token: String) {
    guard accounts.place(of: number) != nil, let holder = account(ofDevice: token),
      holder != number
    else { return }
    update(holder) { $0.devices.removeAll { $0.token == token } }
  }
}
