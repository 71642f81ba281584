import Streaks
import Calendar
public import Avro

/// An account's row of `profiles`.
struct ProfileRow: RowForm {
  let members: [JSON.Member]
  let habitOrder: [Key]?
  let interest: Account.UpgradeInterest?

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == ProfileRow {
    visitor.columns(of: Account.self) { $0.members }
    visitor.optional(
      "habit_order", as: [Habit.ID].self, "the order of the habits, if the account has chosen one"
    ) {
      $0.habitOrder
    }
    visitor.optional("upgrade_requests", "how often the person asked for the paid version") {
      $0.interest.map { Int($0.count) }
    }
    visitor.optional("upgrade_price") { $0.interest?.price }
    visitor.optional("upgrade_requested_at") { $0.interest?.last }
  }
}

/// A row of `pauses`.
struct PauseRow: RowForm {
  let owner: Key
  let pause: Account.Pause

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == PauseRow {
    visitor.column("user_id", as: Account.ID.self) { $0.owner }
    visitor.column("from") { $0.pause.days.first }
    visitor.column("to", "the last day; null while it has no end") { $0.pause.days.last }
    visitor.column("created_at") { $0.pause.created }
  }
}

/// A row of `focus`.
struct FocusRow: RowForm {
  let owner: Key
  let habit: Key?
  let span: Account.FocusSpan

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == FocusRow {
    visitor.column("user_id", as: Account.ID.self) { $0.owner }
    visitor.column("habit_id", as: Habit.ID?.self) { $0.habit }
    visitor.column("since") { $0.span.since }
    visitor.column("until", "null for the habit that has the focus now") { $0.span.until }
  }
}

/// A row of `identities`.
struct IdentityRow: RowForm {
  let owner: Key
  let link: Account.Link

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == IdentityRow {
    visitor.column("user_id", as: Account.ID.self) { $0.owner }
    visitor.column("kind", as: IdentityKind.self) { $0.link.identity.kind.rawValue }
    visitor.column("hash", as: IdentityHash.self) { $0.link.identity.hash.description }
    visitor.column("verified") { $0.link.isVerified }
    visitor.column("created_at") { $0.link.created }
    visitor.column("updated_at") { $0.link.updated }
  }
}

/// A row of `device_tokens`.
struct DeviceRow: RowForm {
  let owner: Key
  let device: Account.Device

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == DeviceRow {
    visitor.column("user_id", as: Account.ID.self) { $0.owner }
    visitor.column("apns_token") { $0.device.token }
    visitor.column("environment", as: PushEnvironment.self) { $0.device.environment.rawValue }
    visitor.column("created_at") { $0.device.created }
    visitor.column("updated_at") { $0.device.updated }
  }
}

/// A row of `contact_hashes`.
struct ContactRow: RowForm {
  let owner: Key
  let contact: Account.Contact

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == ContactRow {
    visitor.column("user_id", as: Account.ID.self) { $0.owner }
    visitor.column("contact_hash", "the client's text for the contact, or else the hash") {
      $0.contact.text ?? $0.contact.hash.description
    }
    visitor.column("display_name") { $0.contact.name }
    visitor.column("created_at") { $0.contact.created }
  }
}

extension BookState {
  /// The account's row of `profiles`.
  package func profileRow(_ account: Account) -> JSON { row(account).json }

  private func row(_ account: Account) -> ProfileRow {
    let order = account.habitOrder.compactMap { habits[$0] }.filter { !$0.isDeleted }.map(\.key)
    return ProfileRow(
      members: account.members(in: self), habitOrder: account.habitOrder.isEmpty ? nil : order,
      interest: account.upgradeInterest)
  }

  var profileRows: [ProfileRow] { accountsByKey.map { row($0) } }

  var pauseRows: [PauseRow] { accountsByKey.flatMap { pauses(of: $0) } }

  /// The account's rows of `pauses`, by their first days.
  package func pauseRows(of account: Account) -> [JSON] { pauses(of: account).map(\.json) }

  private func pauses(of account: Account) -> [PauseRow] {
    account.pauses.sorted { one, other in
      (one.days.first, one.created, one.days.last ?? .last)
        < (other.days.first, other.created, other.days.last ?? .last)
    }
    .map { PauseRow(owner: account.key, pause: $0) }
  }

  var focusRows: [FocusRow] {
    accountsByKey.flatMap { account in
      accounts.number(of: account.key).map { spans(of: $0) } ?? []
    }
  }

  /// The spans in which habits had an account's focus, oldest first; deleted habits are left out (DG-2).
  package func focusRows(of number: Account.ID) -> [JSON] { spans(of: number).map(\.json) }

  private func spans(of number: Account.ID) -> [FocusRow] {
    guard let account = accounts[number] else { return [] }
    return account.focus.filter { !(habits[$0.habit]?.isDeleted ?? true) }.map {
      FocusRow(owner: account.key, habit: habits[$0.habit]?.key, span: $0)
    }
  }

  /// The account's rows of `identities`: by kind, then by hash.
  package func identityRows(_ account: Account) -> [JSON] { identities(account).map(\.json) }

  private func identities(_ account: Account) -> [IdentityRow] {
    account.identities.sorted { one, other in
      (one.identity.kind.symbolNumber, one.identity.hash)
        < (other.identity.kind.symbolNumber, other.identity.hash)
    }
    .map { IdentityRow(owner: account.key, link: $0) }
  }

  /// The account's rows of `device_tokens`, by token.
  package func deviceRows(_ account: Account) -> [JSON] { devices(account).map(\.json) }

  private func devices(_ account: Account) -> [DeviceRow] {
    account.devices.sorted { $0.token < $1.token }.map { DeviceRow(owner: account.key, device: $0) }
  }

  /// The row of an account's identity.
  func identityRow(_ identity: Identity, of number: Account.ID) -> JSON {
    guard let account = accounts[number] else { return .null }
    return identities(account).first { $0.link.identity == identity }?.json ?? .null
  }

  /// The number of an account's contacts.
  func contactCountRow(_ number: Account.ID) -> JSON {
    guard let account = accounts[number] else { return .null }
    return ["user_id": .key(account.key), "contact_count": .number(account.contacts.count)]
  }

  /// A row of `contact_hashes`.
  package func contactRow(_ contact: Account.Contact, of account: Account) -> JSON {
    ContactRow(owner: account.key, contact: contact).json
  }

  var identityRows: [IdentityRow] { accountsByKey.flatMap { identities($0) } }

  var deviceRows: [DeviceRow] { accountsByKey.flatMap { devices($0) } }

  var contactRows: [ContactRow] {
    accountsByKey.flatMap { account in
      account.contacts.map { ContactRow(owner: account.key, contact: $0) }
    }
  }

  /// The accounts that were not erased, in the order of creation.
  package var livingAccounts: [Account] { accounts.elements.filter { !$0.isErased } }

  private var accountsByKey: [Account] { livingAccounts.sorted { $0.key < $1.key } }
}

extension Account: Columns {
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    var profile = profile
    var closedBefore = closedBefore == .first ? nil : closedBefore
    try visitor.column("id", &key)
    try profile.visitColumns(&visitor)
    try visitor.column("onboarded_at", &onboarded)
    try visitor.column("closed_before", &closedBefore)
    try visitor.column("created_at", &created)
    try visitor.column("updated_at", &updated)
  }
}

extension Account: RowEntity {
  package func row(in state: BookState) -> JSON { state.profileRow(self) }

  static func tables(of state: BookState) -> [RowTable] {
    [RowTable("profiles", ProfileRow.self, state.profileRows)]
  }
}
