import Calendar
import Values
public import Avro

extension Household: Columns {
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("id", &key)
    try visitor.column("name", &name)
    try visitor.column("created_by", &creator)
    try visitor.column("created_at", &created)
    try visitor.column("updated_at", &updated)
  }
}

/// A household's row of `households`; its last code is shown until it is revoked, even after its expiry.
struct HouseholdRow: RowForm {
  let members: [JSON.Member]
  let code: HouseholdCode?

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == HouseholdRow {
    visitor.columns(of: Household.self) { $0.members }
    visitor.optional("code", "the code by which others join") { $0.code?.text }
    visitor.optional("code_expires_at") { $0.code?.expires }
  }
}

/// A stay's row of `household_members`. The member's name and picture come from their account, and are shown only
/// during membership (MC-1).
struct HouseholdMemberRow: RowForm {
  let household: Key
  let person: Key?
  let account: Account?
  let stay: HouseholdMembership

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == HouseholdMemberRow {
    visitor.column("household_id", as: Household.ID.self) { $0.household }
    visitor.column("user_id", as: Account.ID?.self) { $0.person }
    visitor.column("name", "null for people who have left") { $0.account?.displayName }
    visitor.column("email_hash", as: IdentityHash?.self) { row in
      let email = row.account?.identities.first { $0.identity.kind == .email }
      return email?.identity.hash.description
    }
    visitor.column("notification_times") { $0.account?.notifications.times }
    visitor.column("joined_at") { $0.stay.joined }
    visitor.column("left_at") { $0.stay.left }
  }
}

extension BookState {
  /// The household's row of `households`.
  package func householdRow(_ household: Household) -> JSON { row(household).json }

  private func row(_ household: Household) -> HouseholdRow {
    HouseholdRow(members: household.members(in: self), code: household.code)
  }

  /// The rows of a member, one for each stay.
  private func stays(_ household: Household, _ member: HouseholdMember) -> [HouseholdMemberRow] {
    member.stays.map { stay in
      HouseholdMemberRow(
        household: household.key, person: accounts[member.account]?.key,
        account: stay.left == nil ? accounts[member.account] : nil, stay: stay)
    }
  }

  /// The rows of the current members of a household, in the order of joining.
  package func memberRows(_ household: Household) -> [JSON] {
    household.activeMembers.compactMap { stays(household, $0).last?.json }
  }

  var householdRows: [HouseholdRow] { householdsByKey.map { row($0) } }

  var householdMemberRows: [HouseholdMemberRow] {
    let zero = Key(high: 0, low: 0)
    return householdsByKey.flatMap { household in
      household.members.sorted {
        (accounts[$0.account]?.key ?? zero) < (accounts[$1.account]?.key ?? zero)
      }
      .flatMap { stays(household, $0) }
    }
  }

  private var householdsByKey: [Household] {
    households.elements.filter { !$0.isDeleted }.sorted { $0.key < $1.key }
  }
}

extension Household: RowEntity {
  package func row(in state: BookState) -> JSON { state.householdRow(self) }

  static func tables(of state: BookState) -> [RowTable] {
    [
      RowTable("households", HouseholdRow.self, state.householdRows),
      RowTable("household_members", HouseholdMemberRow.self, state.householdMemberRows),
    ]
  }
}
