import Streaks
import Calendar
public import Avro

extension BookState {
  /// The account's row of `profiles`.
  package func profileRow(_ account: Account) -> JSON {
    var members: [JSON.Member] = account.members(in: self)
    if !account.habitOrder.isEmpty {
      let keys = account.habitOrder.compactMap { habits[$0] }.filter { !$0.isDeleted }.map(\.key)
      members.append(.init("habit_order", .array(keys.map { .key($0) })))
    }
    if let interest = account.upgradeInterest {
      members += [
        .init("upgrade_requests", .number(interest.count)),
        .init("upgrade_price", .string(interest.price)),
        .init("upgrade_requested_at", .instant(interest.last)),
      ]
    }
    return .object(members)
  }

  var profileRows: [JSON] { accountsByKey.map { profileRow($0) } }

  var pauseRows: [JSON] {
    accountsByKey.flatMap { account in
      account.pauses.sorted { one, other in
        (one.days.first, one.created, one.days.last ?? .last)
          < (other.days.first, other.created, other.days.last ?? .last)
      }
      .map { pause in
        [
          "user_id": .key(account.key), "from": .day(pause.days.first),
          "to": .day(pause.days.last), "created_at": .instant(pause.created),
        ]
      }
    }
  }

  var focusRows: [JSON] {
    accountsByKey.flatMap { account in
      accounts.number(of: account.key).map { focusRows(of: $0) } ?? []
    }
  }

  /// When which habit had an account's focus, oldest first; deleted habits are left out (DG-2).
  package func focusRows(of number: Account.ID) -> [JSON] {
    guard let account = accounts[number] else { return [] }
    return account.focus.filter { !(habits[$0.habit]?.isDeleted ?? true) }.map { span in
      [
        "user_id": .key(account.key), "habit_id": .key(habits[span.habit]?.key),
        "since": .instant(span.since), "until": .instant(span.until),
      ]
    }
  }

  /// The account's rows of `identities`: by kind, then by hash.
  package func identityRows(_ account: Account) -> [JSON] {
    account.identities.sorted { one, other in
      (one.identity.kind.symbolNumber, one.identity.hash)
        < (other.identity.kind.symbolNumber, other.identity.hash)
    }
    .map { link in
      [
        "user_id": .key(account.key), "kind": .string(link.identity.kind.rawValue),
        "hash": .string(link.identity.hash.description), "verified": .bool(link.isVerified),
        "created_at": .instant(link.created), "updated_at": .instant(link.updated),
      ]
    }
  }

  /// The account's rows of `device_tokens`, by token.
  package func deviceRows(_ account: Account) -> [JSON] {
    account.devices.sorted { $0.token < $1.token }.map { device in
      [
        "user_id": .key(account.key), "apns_token": .string(device.token),
        "environment": .string(device.environment.rawValue),
        "created_at": .instant(device.created), "updated_at": .instant(device.updated),
      ]
    }
  }

  /// The row of an identity of an account's.
  func identityRow(_ identity: Identity, of number: Account.ID) -> JSON {
    guard let account = accounts[number] else { return .null }
    return identityRows(account).first {
      $0["kind"]?.text == identity.kind.rawValue
        && $0["hash"]?.text == identity.hash.description
    } ?? .null
  }

  /// How many contacts an account has.
  func contactCountRow(_ number: Account.ID) -> JSON {
    guard let account = accounts[number] else { return .null }
    return ["user_id": .key(account.key), "contact_count": .number(account.contacts.count)]
  }

  /// A row of `contact_hashes`: what the client says for the contact, else the hash.
  package func contactRow(_ contact: Account.Contact, of account: Account) -> JSON {
    [
      "user_id": .key(account.key),
      "contact_hash": .string(contact.text ?? contact.hash.description),
      "display_name": .text(contact.name), "created_at": .instant(contact.created),
    ]
  }

  var identityRows: [JSON] { accountsByKey.flatMap { identityRows($0) } }

  var deviceRows: [JSON] { accountsByKey.flatMap { deviceRows($0) } }

  var contactRows: [JSON] {
    accountsByKey.flatMap { account in account.contacts.map { contactRow($0, of: account) } }
  }

  /// The accounts that were not erased, in the order of creation.
  package var livingAccounts: [Account] { accounts.elements.filter { !$0.isErased } }

  private var accountsByKey: [Account] { livingAccounts.sorted { $0.key < $1.key } }
}

extension Account: Columns {
  /// The columns of its row.
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

extension ColumnCommand where Answer == Account.ID {
  /// The profile's row.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.profileRow($0) }
  }
}
