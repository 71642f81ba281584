public import Avro
import Values
public import Calendar

/// A join code of a household, and its expiry. Its holder joins without anyone's help; a household's key gives no
/// access.
public struct HouseholdCode: Hashable, Sendable {
  /// Twelve hexadecimal digits in lower case.
  public internal(set) var text: String
  /// When it expires.
  public internal(set) var expires: Instant
}

/// Gives a household a join code, unless it has one that is still valid. Any member may.
public struct CreateHouseholdCode: EntityCommand {
  package var thing: Household.ID
  /// Its lifetime, in minutes.
  package var minutes: Int
  /// The code; random unless given.
  package var code: String?
  /// Whether a new code is made although the present one is still valid.
  package var isNew: Bool

  public init(
    _ household: Household.ID, minutes: Int = 10_080, code: String? = nil, isNew: Bool = false
  ) {
    thing = household
    self.minutes = minutes
    self.code = code
    self.isNew = isNew
  }

  package static let form = CommandForm(
    "create_household_code", "Creates a code by which people join a household.",
    answer: "household")
  /// The defaults; no household is named yet.
  public static var defaults: CreateHouseholdCode { CreateHouseholdCode(.placeholder) }

  /// `household`, `ttl_minutes`, `code`, `new`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Household.visit(&thing, by: &visitor)
    try visitor.column(
      "ttl_minutes", &minutes,
      [.doc("how long it is valid, in minutes"), JoinCode.lifetimeBounds])
    try visitor.column(
      "code", &code,
      [.doc("for a test; random unless given"), JoinCode.bounds])
    try visitor.column("new", &isNew, [.doc("whether to replace a code that is still valid")])
  }

  func events(
    _ found: Household, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    if !isNew, code == nil, let shown = found.code, context.at <= shown.expires { return [] }
    let expires = try JoinCode.end(after: minutes, from: context.at, "ttl_minutes")
    let code = try JoinCode.given(code, orFrom: context.freshKey)
    guard state.indexes.households.household(ofCode: code) == nil else {
      throw .codeTaken(code, "household")
    }
    let changed = HouseholdCodeChanged(household: thing, code: code, expires: expires)
    return [.householdCodeChanged(changed)]
  }
}

/// Revokes a household's join code: nobody can join with it any more. Any member may.
public struct RevokeHouseholdCode: BareEntityCommand {
  package var thing: Household.ID

  public init(_ household: Household.ID) { thing = household }

  package static let form = CommandForm(
    "revoke_household_code", "Revokes a household's code.", answer: "household")

  func events(_ found: Household, _ state: BookState, _ context: Context) -> [Event] {
    guard found.code != nil else { return [] }
    let changed = HouseholdCodeChanged(household: thing, code: nil, expires: nil)
    return [.householdCodeChanged(changed)]
  }
}

/// Joins a household by its code. A member changes nothing.
public struct JoinHousehold: ColumnCommand {
  package var code: String

  public init(_ code: String) { self.code = code }

  package static let form = CommandForm(
    "join_household_with_code", "Joins a household by its code.",
    answer: "household")
  /// The defaults; no code is named yet.
  public static var defaults: JoinHousehold { JoinHousehold("") }

  /// `p_code`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_code", &code, [.needed])
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Household.ID> {
    let actor = try state.actor(context).0
    guard let number = state.indexes.households.household(ofCode: JoinCode.normalised(code)),
      let found = state.households[number], !found.isDeleted, let code = found.code
    else { throw .invalidHouseholdCode }
    guard !found.hasMember(actor) else { return Decision([], number) }
    guard context.at <= code.expires else { throw .householdCodeExpired }
    guard found.activeMembers.count < Household.maximumMemberCount else { throw .householdFull }
    return Decision(
      [.householdJoined(HouseholdJoined(household: number, member: actor, byCode: true))], number)
  }
}
