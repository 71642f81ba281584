import Values
public import Avro

/// Tells whom the actor knows, by phone numbers (HH-6). Numbers that were told before change nothing.
public struct UploadContacts: ColumnCommand {
  /// What is kept of the numbers.
  package var hashes: [IdentityHash]

  /// Makes the command.
  public init(_ hashes: [IdentityHash]) { self.hashes = hashes }

  /// "upload_contacts".
  package static var form: CommandForm {
    CommandForm(
      "upload_contacts", "Tells whom the account knows, by phone numbers.",
      answer: "user_id, contact_count")
  }
  /// Nobody yet.
  public static var defaults: UploadContacts { UploadContacts([]) }

  /// `phones`, `hashes`: one of them, or both.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ContactsCodec(), &hashes)
  }

  /// How many contacts there are now.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    state.contactCountRow(answer)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    let (number, account) = try state.actor(context)
    let new = Set(hashes).subtracting(account.contacts.lazy.map(\.hash))
    guard !new.isEmpty else { return Decision([], number) }
    try Limit.contacts.check(account.contacts.count + new.count, "phones")
    return Decision(
      [.contactsUploaded(ContactsUploaded(account: number, hashes: new.sorted()))], number)
  }
}

/// Forgets some of the actor's contacts, or all of them. Those that are not there change nothing.
public struct RemoveContacts: ColumnCommand {
  /// What is kept of the numbers; nothing for all contacts.
  package var hashes: [IdentityHash]?

  /// Makes the command.
  public init(_ hashes: [IdentityHash]?) { self.hashes = hashes }

  /// "remove_contacts".
  package static var form: CommandForm {
    CommandForm(
      "remove_contacts", "Forgets some of the account's contacts, or all of them.",
      answer: "user_id, contact_count")
  }
  /// Nobody yet.
  public static var defaults: RemoveContacts { RemoveContacts([]) }

  /// `phones`, `hashes`: one of them, or both; or `all`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ForgottenContactsCodec(), &hashes)
  }

  /// How many contacts there are now.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    state.contactCountRow(answer)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    let (number, account) = try state.actor(context)
    let known = account.contacts.map(\.hash)
    let gone = hashes.map { Set($0).intersection(known).sorted() } ?? known
    guard !gone.isEmpty else { return Decision([], number) }
    return Decision(
      [.contactsRemoved(ContactsRemoved(account: number, hashes: gone))], number)
  }
}
