public import Avro

/// On whose behalf lines are carried out and answered: what they may say of themselves follows from it.
public enum Caller: Sendable {
  /// The owner of the machine. A line may say who acts (`as`) and when (`at`); without `as` the closure tells who, from
  /// the state that the line meets.
  case owner(@Sendable (BookState) throws(Rejection) -> Account.ID?)
  /// An account whose lines come from elsewhere: it acts, now, whatever they say. One with `as` or `at` is refused, and
  /// so is what only the system does, what says who somebody is, and what takes somebody into a household; `p_at`, the
  /// client's own time, stays.
  case account(Account.ID)

  /// The owner of the machine, who says in each line who acts, if anybody.
  public static let owner = Caller.owner { _ in nil }

  /// Who acts or asks when the line does not say.
  ///
  /// - Throws: what the owner's closure throws: ``Rejection/accountNotFound`` for one that is not there yet.
  public func account(in state: BookState) throws(Rejection) -> Account.ID? {
    switch self {
    case .owner(let find): try find(state)
    case .account(let account): account
    }
  }

  /// Who sees no more than an account does; nobody when it is the owner of the machine.
  package var viewer: Account.ID? {
    switch self {
    case .owner: nil
    case .account(let account): account
    }
  }

  /// Refuses a line that says more than the caller may.
  ///
  /// - Throws: ``Rejection/callerActs(_:)`` for one that says who acts, or when; ``Rejection/systemOnly`` for what only
  ///   the system does.
  public func check(_ line: JSON) throws(Rejection) {
    guard case .account = self else { return }
    for field in ["as", "at"] where (line[field] ?? .null) != .null {
      throw .callerActs(field)
    }
    guard let name = line["do"]?.text else { return }
    try Self.checkIsAnAccounts(name)
    // Who is taken into a household shows its members their name and address, and may write there unasked: they come by its
    // code.
    if Request.types[name] is AddHouseholdMember.Type { throw .notForCallers(name) }
  }

  /// Refuses a command that no account carries out.
  ///
  /// - Throws: ``Rejection/systemOnly``.
  package static func checkIsAnAccounts(_ name: String) throws(Rejection) {
    guard let type = Request.types[name] else { return }
    if type is Settle.Type || type is CreateAccount.Type { throw .notForCallers(name) }
    // Rows are named where they are written: elsewhere nobody could tell what is a row.
    if type is NameRow.Type { throw .notForCallers(name) }
    // Whoever says that an address is theirs has not proven it: the account would be its owner's, too, when they sign in.
    if type is LinkIdentity.Type || type is VerifyIdentity.Type || type is UnlinkIdentity.Type {
      throw .notForCallers(name)
    }
  }
}

extension Rejection {
  /// A caller's line says who acts, or when.
  package static func callerActs(_ field: String) -> Rejection {
    Rejection(
      .callerActs, field: field,
      "\(field): whoever calls acts, by the book's own clock; leave it out.")
  }

  /// A caller's line asks for what is not an account's.
  package static func notForCallers(_ name: String) -> Rejection {
    Rejection(.systemOnly, field: nil, "Only the owner of the book may do that: \(name).")
  }
}
