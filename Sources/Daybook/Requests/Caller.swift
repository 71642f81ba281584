public import Avro

/// The party on whose behalf lines are carried out and answered; it decides what lines may contain.
public enum Caller: Sendable {
  /// The owner of the machine. A line may name the actor (`as`) and the time (`at`); without `as` the closure gives the
  /// actor, from the state that the line meets.
  case owner(@Sendable (BookState) throws(Rejection) -> Account.ID?)
  /// An account whose lines come from elsewhere: it acts, and now, whatever they say. A line with `as` or `at` is
  /// refused, and so are commands of the system, commands that set identities, and commands that add members to a
  /// household; `p_at`, the client's own time, is allowed.
  case account(Account.ID)

  /// The owner of the machine, whose lines each name the actor, if there is one.
  public static let owner = Caller.owner { _ in nil }

  /// The actor when the line does not name one.
  ///
  /// - Throws: what the owner's closure throws: ``Rejection/accountNotFound`` for an account that does not exist yet.
  public func account(in state: BookState) throws(Rejection) -> Account.ID? {
    switch self {
    case .owner(let find): try find(state)
    case .account(let account): account
    }
  }

  /// The account whose view limits what is visible; nobody for the owner of the machine.
  package var viewer: Account.ID? {
    switch self {
    case .owner: nil
    case .account(let account): account
    }
  }

  /// Refuses a line with more than the caller may say.
  ///
  /// - Throws: ``Rejection/callerActs(_:)`` when it names the actor or the time; ``Rejection/systemOnly`` for commands
  ///   of the system.
  public func check(_ line: JSON) throws(Rejection) {
    guard case .account = self else { return }
    for field in ["as", "at"] where (line[field] ?? .null) != .null {
      throw .callerActs(field)
    }
    guard let name = line["do"]?.text else { return }
    try Self.checkIsAnAccounts(name)
    // A member's name and picture are shown to the household, and others may write there without being asked: so people
    // join by its code.
    if Request.types[name] is AddHouseholdMember.Type { throw .notForCallers(name) }
  }

  /// Refuses a command that no account may give.
  ///
  /// - Throws: ``Rejection/systemOnly``.
  package static func checkIsAnAccounts(_ name: String) throws(Rejection) {
    guard let type = Request.types[name] else { return }
    if type is Settle.Type || type is CreateAccount.Type { throw .notForCallers(name) }
    // Rows are named where they are written: elsewhere it is unknown what a row is.
    if type is NameRow.Type { throw .notForCallers(name) }
    // Claiming an address does not prove it: the account would also belong to the address's owner when they sign in.
    if type is LinkIdentity.Type || type is VerifyIdentity.Type || type is UnlinkIdentity.Type {
      throw .notForCallers(name)
    }
  }
}

extension Rejection {
  /// A caller's line names the actor, or the time.
  package static func callerActs(_ field: String) -> Rejection {
    Rejection(
      .callerActs, field: field,
      "\(field): the caller acts, at the time of the book's clock; leave this field out.")
  }

  /// A caller's line has a command that accounts may not give.
  package static func notForCallers(_ name: String) -> Rejection {
    Rejection(.systemOnly, field: nil, "Only the owner of the book may do that: \(name).")
  }
}
