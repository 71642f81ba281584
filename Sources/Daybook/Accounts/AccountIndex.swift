/// Whose an identity or a device is: made from the accounts, and with them. Each is one account's at most.
public struct AccountIndex: Hashable, Sendable {
  private var identities: [Identity: Account.ID] = [:]
  private var devices: [String: Account.ID] = [:]

  func account(having identity: Identity) -> Account.ID? { identities[identity] }

  func account(ofDevice token: String) -> Account.ID? { devices[token] }

  /// Notes all that an account has.
  mutating func note(_ account: Account, _ number: Account.ID) {
    for link in account.identities { identities[link.identity] = number }
    for device in account.devices { devices[device.token] = number }
  }

  /// Forgets all that an account had.
  mutating func forget(_ account: Account, _ number: Account.ID) {
    for link in account.identities where identities[link.identity] == number {
      identities[link.identity] = nil
    }
    for device in account.devices where devices[device.token] == number {
      devices[device.token] = nil
    }
  }
}

extension State {
  /// The account that has an identity: whom to sign in (HH-2, MO-1).
  public func account(having identity: Identity) -> Account.ID? {
    accountIndex.account(having: identity)
  }

  /// The account to which a device belongs (HH-4).
  public func account(ofDevice token: String) -> Account.ID? {
    accountIndex.account(ofDevice: token)
  }

  /// The accounts whose person an account's person knows: those with a verified phone that is among the contacts,
  /// in the order of their creation (HH-6). It takes a look by hash for each contact.
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

  /// Changes what an account has, and the index with it.
  mutating func updateIndexed(_ number: Account.ID, _ change: (inout Account) -> Void) {
    guard let place = accounts.place(of: number) else { return }
    accountIndex.forget(accounts.elements[place], number)
    change(&accounts.elements[place])
    accountIndex.note(accounts.elements[place], number)
  }

  /// Whether an event takes something from an account that is not its own: no command comes to that, for what
  /// another has is refused or given back first. In a damaged book what gave it back may be lost; then the last
  /// one has it.
  func takesFromOther(_ event: Event) -> Bool {
    switch event {
    case .identityLinked(let event):
      guard let holder = event.identity.flatMap({ account(having: $0) }) else { return false }
      return holder != event.account
    case .deviceRegistered(let event):
      guard let holder = account(ofDevice: event.token) else { return false }
      return holder != event.account
    default: return false
    }
  }

  mutating func takeFromOther(than number: Account.ID, _ identity: Identity) {
    guard accounts.place(of: number) != nil, let holder = account(having: identity),
      holder != number
    else { return }
    updateIndexed(holder) { $0.identities.removeAll { $0.identity == identity } }
  }

  mutating func takeFromOther(than number: Account.ID, _ token: String) {
    guard accounts.place(of: number) != nil, let holder = account(ofDevice: token),
      holder != number
    else { return }
    updateIndexed(holder) { $0.devices.removeAll { $0.token == token } }
  }
}
