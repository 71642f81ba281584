public import Calendar

// The part of an account that describes its person beyond the profile: identities, devices, contacts.

extension Account {
  /// An identity that an account has.
  public struct Link: Hashable, Sendable {
    /// The identity.
    public var identity: Identity
    /// Whether the identity is proven to be the person's.
    public var isVerified: Bool
    /// When it was linked.
    public var created: Instant
    /// When it was linked or verified.
    public var updated: Instant
  }

  /// A device that receives pushes.
  public struct Device: Hashable, Sendable {
    /// The token by which the push service knows the device.
    public var token: String
    /// The environment of the push service in which the device is registered.
    public var environment: PushEnvironment
    /// When it was registered.
    public var created: Instant
    /// When its registration last changed.
    public var updated: Instant
  }

  /// A person whom the account's person knows.
  public struct Contact: Hashable, Sendable {
    /// The hash of the phone number.
    public var hash: IdentityHash
    /// The client's text for the contact, where that is not the hash.
    public var text: String?
    /// The person's name for the contact.
    public var name: String?
    /// When it was uploaded.
    public var created: Instant
  }

  /// How often a person asked for the paid version, and when last (MO-7).
  public struct UpgradeInterest: Hashable, Sendable {
    /// The number of requests.
    public var count: Int32
    /// The price that the person saw last; empty once the account was erased.
    public var price: String
    /// When they last asked.
    public var last: Instant
  }

  /// Whether and when a person is notified; off unless the person asked for it (HH-25, HH-27).
  public struct Notifications: Hashable, Sendable {
    /// Whether notifications are sent.
    public var isOn = false
    /// The local times, ascending.
    public var times: [LocalTime] = []

    init(isOn: Bool = false, times: [LocalTime] = []) {
      self.isOn = isOn
      self.times = times
    }
  }

  /// The account's link to an identity, if it has the identity.
  package func link(to identity: Identity) -> Link? {
    identities.first { $0.identity == identity }
  }

  /// The account's device with a token, if it has one.
  package func device(_ token: String) -> Device? { devices.first { $0.token == token } }

  /// The account's contact with a hash, if it has one.
  package func contact(_ hash: IdentityHash) -> Contact? { contacts.first { $0.hash == hash } }

  /// Removes what an erasure blanks, as a replay of blanked entries never sees it.
  mutating func forgetPerson() {
    birthday = nil
    notifications.times = []
    identities = []
    devices = []
    contacts = []
    rowNames = RowNames()
    upgradeInterest?.price = ""
  }
}

extension BirthdayChanged: EditEvent {
  var changed: Account.ID { account }
  func edit(_ account: inout Account) { account.birthday = birthday }
}

extension NotificationsChanged: EditEvent {
  var changed: Account.ID { account }
  func edit(_ account: inout Account) { account.notifications = .init(isOn: isOn, times: times) }
}

extension AccountOnboarded: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    account.onboarded = account.onboarded ?? head.at
    account.updated = head.at
  }
}

extension IdentityVerified: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    guard let identity else { return }
    guard let place = account.identities.firstIndex(where: { $0.identity == identity }) else {
      return
    }
    account.identities[place].isVerified = true
    account.identities[place].updated = head.at
  }
}

extension IdentityUnlinked: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    guard let identity else { return }
    account.identities.removeAll { $0.identity == identity }
  }
}

extension DeviceUnregistered: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    account.devices.removeAll { $0.token == token }
  }
}

extension ContactsUploaded: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    let new = Set(hashes).subtracting(account.contacts.lazy.map(\.hash))
    account.contacts += new.map { .init(hash: $0, created: head.at) }
    account.contacts.sort { $0.hash < $1.hash }
  }
}

extension ContactNamed: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    guard let hash else { return }
    if let place = account.contacts.firstIndex(where: { $0.hash == hash }) {
      account.contacts[place].text = text ?? account.contacts[place].text
      account.contacts[place].name = name
    } else {
      account.contacts.append(
        .init(hash: hash, text: text, name: name, created: head.at))
      account.contacts.sort { $0.hash < $1.hash }
    }
  }
}

extension UpgradeRequested: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    let count = account.upgradeInterest?.count ?? 0
    account.upgradeInterest = .init(count: count &+ 1, price: price, last: head.at)
    account.updated = head.at
  }
}

extension ContactsRemoved: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    let gone = Set(hashes)
    account.contacts.removeAll { gone.contains($0.hash) }
  }
}

extension IdentityLinked: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    guard let identity else { return }
    account.identities.removeAll { $0.identity == identity }
    account.identities.append(
      .init(identity: identity, isVerified: isVerified, created: head.at, updated: head.at))
  }
}

extension DeviceRegistered: ChangeEvent {
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    guard !token.isEmpty else { return }
    if let place = account.devices.firstIndex(where: { $0.token == token }) {
      account.devices[place].environment = environment
      account.devices[place].updated = head.at
    } else {
      account.devices.append(
        .init(token: token, environment: environment, created: head.at, updated: head.at))
    }
  }
}

extension BookState {
  /// Links the identity; in a damaged book it may have to be taken from another account first.
  mutating func apply(_ event: IdentityLinked, _ head: EntryHead) {
    if let identity = event.identity { takeFromOther(than: event.account, identity) }
    update(event.account) { event.change(&$0, head) }
  }

  /// Registers the device; in a damaged book it may have to be taken from another account first.
  mutating func apply(_ event: DeviceRegistered, _ head: EntryHead) {
    if !event.token.isEmpty { takeFromOther(than: event.account, event.token) }
    update(event.account) { event.change(&$0, head) }
  }
}
