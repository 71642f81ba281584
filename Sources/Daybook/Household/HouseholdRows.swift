import Calendar
import Values
public import Avro

extension Household: Columns {
  /// The columns of its row.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("id", &key)
    try visitor.column("name", &name)
    try visitor.column("created_by", &creator)
    try visitor.column("created_at", &created)
    try visitor.column("updated_at", &updated)
  }
}

extension BookState {
  /// The household's row of `households`.
  package func householdRow(_ household: Household) -> JSON {
    var members: [JSON.Member] = household.members(in: self)
    if let code = household.code {
      members.append(.init("code", .string(code.text)))
      members.append(.init("code_expires_at", .instant(code.expires)))
    }
    return .object(members)
  }

  /// The rows of `household_members` of a member, one for each stay. Who the member is stands in their account,
  /// and is shown as long as they are one (MC-1).
  func memberRows(_ household: Household, _ member: HouseholdMember) -> [JSON] {
    member.stays.map { stay in
      let account = stay.left == nil ? accounts[member.account] : nil
      let email = account?.identities.first { $0.identity.kind == .email }
      return [
        "household_id": .key(household.key), "user_id": .key(accounts[member.account]?.key),
        "name": .text(account?.displayName),
        "email_hash": .text(email?.identity.hash.description),
        "notification_times": account.map { account in
          .array(account.notifications.times.map { .string($0.description) })
        } ?? .null,
        "joined_at": .instant(stay.joined), "left_at": .instant(stay.left),
      ]
    }
  }

  /// The rows of those who are members of a household now, in the order in which they came.
  package func memberRows(_ household: Household) -> [JSON] {
    household.activeMembers.compactMap { memberRows(household, $0).last }
  }

  var householdRows: [JSON] { householdsByKey.map { householdRow($0) } }

  var householdMemberRows: [JSON] {
    let zero = Key(high: 0, low: 0)
    return householdsByKey.flatMap { household in
      household.members.sorted {
        (accounts[$0.account]?.key ?? zero) < (accounts[$1.account]?.key ?? zero)
      }
      .flatMap { memberRows(household, $0) }
    }
  }

  private var householdsByKey: [Household] {
    households.elements.filter { !$0.isDeleted }.sorted { $0.key < $1.key }
  }
}

extension ColumnCommand where Answer == Household.ID {
  /// The household's row, or that it is gone.
  package func row(of answer: Household.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.householdRow($0) }
  }
}
