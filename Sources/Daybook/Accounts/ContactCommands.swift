/// Tells whom the actor knows, by phone numbers (HH-6). Numbers that were told before change nothing.
public struct UploadContacts: Command {
  /// What is kept of the numbers.
  public var hashes: [IdentityHash]

  /// Makes the command.
  public init(_ hashes: [IdentityHash]) { self.hashes = hashes }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
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
public struct RemoveContacts: Command {
  /// What is kept of the numbers; nothing for all contacts.
  public var hashes: [IdentityHash]?

  /// Makes the command.
  public init(_ hashes: [IdentityHash]?) { self.hashes = hashes }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    let (number, account) = try state.actor(context)
    let known = account.contacts.map(\.hash)
    let gone = hashes.map { Set($0).intersection(known).sorted() } ?? known
    guard !gone.isEmpty else { return Decision([], number) }
    return Decision(
      [.contactsRemoved(ContactsRemoved(account: number, hashes: gone))], number)
  }
}
