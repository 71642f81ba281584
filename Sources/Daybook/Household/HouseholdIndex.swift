/// What is looked up about households by other things than their number: made from them and from what belongs to
/// them, and with them.
struct HouseholdIndex: Sendable {
  private var households: [Account.ID: [Household.ID]] = [:]
  private var belongings: [Shelf: ContiguousArray<Int32>] = [:]

  /// Where a household keeps its things of a kind.
  private struct Shelf: Hashable {
    var kind: EntityKind
    var household: Household.ID
  }

  /// The households that an account is or was a member of, ascending.
  func households(of account: Account.ID) -> [Household.ID] {
    households.isEmpty ? [] : households[account] ?? []
  }

  /// The numbers of the things of a kind that belong to a household, deleted ones too, ascending.
  func belongings(_ kind: EntityKind, of household: Household.ID) -> ContiguousArray<Int32> {
    belongings[Shelf(kind: kind, household: household)] ?? []
  }

  mutating func note(_ account: Account.ID, in household: Household.ID) {
    var list = households[account] ?? []
    guard !list.contains(household) else { return }
    list.insert(household, at: list.firstIndex { household < $0 } ?? list.count)
    households[account] = list
  }

  /// Notes all that a household holds.
  mutating func note(_ household: Household, _ number: Household.ID) {
    for member in household.members { note(member.account, in: number) }
  }

  /// Notes the newest thing of a kind, if it belongs to a household.
  mutating func note<Thing>(
    _ number: EntityNumber<Thing>, _ kind: EntityKind, of household: Household.ID?
  ) {
    guard let household else { return }
    belongings[Shelf(kind: kind, household: household), default: []].append(number.number)
  }

  /// Forgets who joined a household since; nobody was in it before it was there.
  mutating func takeBack(
    _ household: Household, to before: Household?, _ number: Household.ID
  ) {
    for member in household.members.dropFirst(before?.members.count ?? 0) {
      households[member.account]?.removeAll { $0 == number }
    }
  }

  /// Forgets the newest thing of a kind.
  mutating func takeBack(_ kind: EntityKind, of household: Household.ID?) {
    guard let household else { return }
    let shelf = Shelf(kind: kind, household: household)
    guard belongings[shelf]?.isEmpty == false else { return }
    belongings[shelf]?.removeLast()
  }
}
