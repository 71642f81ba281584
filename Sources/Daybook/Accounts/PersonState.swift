public import Calendar

// What an account says of its person besides the profile: who they are, where they are reached, whom they know.

extension Account {
  /// An identity that an account has.
  public struct Link: Hashable, Sendable {
    /// The identity.
    public var identity: Identity
    /// Whether it is known to be the person's.
    public var isVerified: Bool
    /// When it was linked.
    public var created: Instant
    /// When it was linked or verified.
    public var updated: Instant
  }

  /// A device to which pushes go.
  public struct Device: Hashable, Sendable {
    /// By what the push service knows it.
    public var token: String
    /// Which of the push service's two worlds it is in.
    public var environment: PushEnvironment
    /// When it was registered.
    public var created: Instant
    /// When it was last registered otherwise.
    public var updated: Instant
  }

  /// Somebody whom the person knows.
  public struct Contact: Hashable, Sendable {
    /// What is kept of the phone number.
    public var hash: IdentityHash
    /// What a client says for the contact, where that is not the hash.
    public var text: String?
    /// What the person calls the contact.
    public var name: String?
    /// When it was uploaded.
    public var created: Instant
  }

  /// How often, and when last, a person asked for the paid version (MO-7).
  public struct UpgradeInterest: Hashable, Sendable {
    /// How often.
    public var count: Int32
    /// The price that they were shown last; empty once the account was erased.
    public var price: String
    /// When they asked last.
    public var last: Instant
  }

  /// Whether and when a person is notified; not unless they asked for it (HH-25, HH-27).
  public struct Notifications: Hashable, Sendable {
    /// Whether anything is sent.
    public var isOn = false
    /// The local times, ascending.
    public var times: [LocalTime] = []

    init(isOn: Bool = false, times: [LocalTime] = []) {
      self.isOn = isOn
      self.times = times
    }
  }

  /// How the account has an identity, if it has it.
  package func link(to identity: Identity) -> Link? {
    identities.first { $0.identity == identity }
  }

  /// The account's device of a token, if it is one.
  package func device(_ token: String) -> Device? { devices.first { $0.token == token } }

  /// The contact of a hash, if the account has it.
  package func contact(_ hash: IdentityHash) -> Contact? { contacts.first { $0.hash == hash } }

  /// Forgets what an erasure blanks: what a replay of blanked entries never knew.
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
  /// Links it; in a damaged book it may have to be taken from another first.
  mutating func apply(_ event: IdentityLinked, _ head: EntryHead) {
    if let identity = event.identity { takeFromOther(than: event.account, identity) }
    update(event.account) { event.change(&$0, head) }
  }

  /// Registers it; in a damaged book it may have to be taken from another first.
  mutating func apply(_ event: DeviceRegistered, _ head: EntryHead) {
    if !event.token.isEmpty { takeFromOther(than: event.account, event.token) }
    update(event.account) { event.change(&$0, head) }
  }
}
