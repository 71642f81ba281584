import Calendar
import Daybook
import Values

struct ContactThing {
  let owner: Account.ID
  let contact: Account.Contact

  static func key(_ owner: Values.Key, _ hash: IdentityHash) -> Values.Key {
    Values.Key(derivedFrom: ["contact_hash", owner.description, hash.description])
  }

  var text: String { contact.text ?? contact.hash.description }
}

extension AppTable {
  /// The contacts of accounts (HH-6); an account sees only its own.
  static var contactHashes: AppTable {
    let fields: [Field<ContactThing>] = [
      .derivedKey(in: .contactHashes, ownedBy: { $0.owner }) { thing, view in
        view.viewerKey.map { ContactThing.key($0, thing.contact.hash) }
      },
      .account("user_id", .caller) { $0.owner },
      Field("contact_hash") { $0.text }.normalised(normal),
      Field("display_name") { $0.contact.name },
      Field("imported_at", .null, .server) { $0.contact.created },
    ]
    return AppTable(
      "contact_hashes", fields, uniqueKeys: [["user_id", "contact_hash"]],
      foreignKeys: [ForeignKey("user_id", of: "contact_hashes", to: "profiles")],
      writer: ContactWriter(), touched: { touchedContacts($0) },
      things: { view, bounds, take in
        guard view.mayMatch(bounds), let account = view.state.accounts[view.viewer] else {
          return
        }
        let texts = bounds.equal["contact_hash"].map { values in
          Set(
            values.compactMap { value -> IdentityHash? in
              guard case .text(let text) = value else { return nil }
              return IdentityHash(ofContact: text)
            })
        }
        for contact in account.contacts where texts?.contains(contact.hash) ?? true {
          try take(ContactThing(owner: view.viewer, contact: contact))
        }
      })
  }

  /// The normal form of a hash, which may also be written in capitals.
  private static func normal(_ value: TableValue) -> TableValue {
    guard case .text(let text) = value, let hash = IdentityHash(text) else { return value }
    return .text(hash.description)
  }

  private static func touchedContacts(_ change: EntryChange) -> [TouchedRow] {
    let hashes: [IdentityHash]
    switch change.entry.event {
    case .contactNamed(let event): hashes = event.hash.map { [$0] } ?? []
    case .contactsUploaded(let event): hashes = event.hashes
    case .contactsRemoved(let event): hashes = event.hashes
    case .accountErased(let event):
      hashes = change.before.accounts[event.account]?.contacts.map(\.hash) ?? []
    default: return []
    }
    guard let number = change.subject(.account, as: Account.self) else { return [] }
    return hashes.flatMap { hash -> [TouchedRow] in
      let contact = change.states.reversed().lazy.compactMap {
        $0.accounts[number]?.contact(hash)
      }.first
      guard let contact else { return [] }
      let text = ContactThing(owner: number, contact: contact).text
      return EntryChange.row(["contact_hash": .text(text)], for: [number])
    }
  }
}

/// Carries out an account's writes to its contacts.
struct ContactWriter: TableWriter {
  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    let text = row.text("contact_hash") ?? ""
    try write.record(SaveContact(text, name: row.text("display_name")))
    guard let key = write.key else { return [] }
    return [ContactThing.key(key, IdentityHash(ofContact: text)).columnValue]
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    let new = row.merging(changes) { $1 }
    if changes.sets("contact_hash") { try delete(row, &write) }
    try write.record(
      SaveContact(new.text("contact_hash") ?? "", name: new.text("display_name")))
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    guard let text = row.text("contact_hash") else { return }
    try write.record(RemoveContacts([IdentityHash(ofContact: text)]))
  }
}
