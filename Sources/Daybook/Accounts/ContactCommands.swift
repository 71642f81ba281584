import Values
public import Avro

/// Adds people whom the actor knows, by phone numbers (HH-6). Numbers that are known already change nothing.
public struct UploadContacts: ContactCountCommand {
  /// The hashes of the numbers.
  package var hashes: [IdentityHash]

  public init(_ hashes: [IdentityHash]) { self.hashes = hashes }

  package static let form = CommandForm(
    "upload_contacts", "Uploads the phone numbers of the account's contacts.",
    answer: "user_id, contact_count")
  /// The defaults; no contacts are named yet.
  public static var defaults: UploadContacts { UploadContacts([]) }

  /// `phones`, `hashes`: one of them, or both.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ContactsCodec(), &hashes)
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    let new = Set(hashes).subtracting(account.contacts.lazy.map(\.hash))
    guard !new.isEmpty else { return [] }
    try Limit.contacts.check(account.contacts.count + new.count, "phones")
    return [.contactsUploaded(ContactsUploaded(account: number, hashes: new.sorted()))]
  }
}

/// Removes some or all of the actor's contacts. Those that do not exist change nothing.
public struct RemoveContacts: ContactCountCommand {
  /// The hashes of the numbers; nothing for all contacts.
  package var hashes: [IdentityHash]?

  public init(_ hashes: [IdentityHash]?) { self.hashes = hashes }

  package static let form = CommandForm(
    "remove_contacts", "Removes some of the account's contacts, or all of them.",
    answer: "user_id, contact_count")
  /// The defaults; no contacts are named yet.
  public static var defaults: RemoveContacts { RemoveContacts([]) }

  /// `phones`, `hashes`: one of them, or both; or `all`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ForgottenContactsCodec(), &hashes)
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    let known = account.contacts.map(\.hash)
    let gone = hashes.map { Set($0).intersection(known).sorted() } ?? known
    return gone.isEmpty ? [] : [.contactsRemoved(ContactsRemoved(account: number, hashes: gone))]
  }
}

/// Sets the actor's name for a contact, and adds the contact if it is new (HH-6). The same name again changes nothing.
public struct SaveContact: OwnAccountCommand {
  /// The hash of the contact's number, or any other text that a client uses for the contact.
  package var contact: String
  /// The person's name for the contact; nothing for no name.
  package var name: String?

  public init(_ contact: String, name: String? = nil) {
    self.contact = contact
    self.name = name
  }

  package static let form = CommandForm(
    "save_contact", "Sets the account's name for a contact.",
    answer: "user_id, contact_hash, display_name, created_at")
  /// The defaults; no contact is named yet.
  public static var defaults: SaveContact { SaveContact("") }

  /// `contact_hash`, `display_name`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "contact_hash", &contact,
      [
        .doc("64 hexadecimal digits are taken as the hash; any other text is kept and hashed"),
        .needed,
      ])
    try visitor.column("display_name", &name)
  }

  /// The contact's row.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    let hash = IdentityHash(ofContact: contact)
    guard let account = state.accounts[answer], let found = account.contact(hash) else {
      return .null
    }
    return state.contactRow(found, of: account)
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    guard !contact.isEmpty, !contact.hasControls else { throw .invalidContact }
    try Limit.name.check(contact, "contact_hash")
    let event = ContactNamed(
      account: number, hash: IdentityHash(ofContact: contact),
      text: IdentityHash(contact) == nil ? contact : nil, name: try name.map(trimmedContact))
    guard event.isNews(to: account) else { return [] }
    if event.hash.flatMap({ account.contact($0) }) == nil {
      try Limit.contacts.check(account.contacts.count + 1, "contact_hash")
    }
    return [.contactNamed(event)]
  }

}

/// A command that adds or removes contacts, and answers how many there are.
protocol ContactCountCommand: OwnAccountCommand {}

extension ContactCountCommand {
  /// The number of contacts.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    state.contactCountRow(answer)
  }
}

extension ContactNamed {
  /// Whether the event would change the account.
  package func isNews(to account: Account) -> Bool {
    guard let known = hash.flatMap({ account.contact($0) }) else { return true }
    return known.name != name || text != nil && known.text != text
  }
}

/// The name of a contact, trimmed; it may be empty, as some contacts in address books have no name.
private func trimmedContact(_ name: String) throws(Rejection) -> String {
  name.asOneLine.isEmpty ? "" : try trimmedName(name)
}
