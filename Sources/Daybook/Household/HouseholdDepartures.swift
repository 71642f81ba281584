extension BookState {
  /// The events by which a member leaves a household: what is assigned to them and open is taken off them, and
  /// with the last one the household goes.
  func leaving(
    _ number: Household.ID, _ household: Household, _ member: Account.ID
  ) -> [Event] {
    guard household.activeMembers.contains(where: { $0.account != member }) else {
      return [.householdDeleted(HouseholdDeleted(household: number))]
    }
    let open = indexes.households.openHouseholdTasks(of: number, assignedTo: member)
    return open.map {
      .householdTaskAssigned(HouseholdTaskAssigned(householdTask: $0, assignee: nil))
    }
      + [.householdLeft(HouseholdLeft(household: number, member: member))]
  }

  /// The events by which an account leaves all its households, before it is erased. What it wrote in them stays:
  /// it is the household's. With a household that nobody else is in, its words are blanked.
  package func householdDepartures(of account: Account.ID) -> [Event] {
    households(of: account).flatMap { number in
      households[number].map { leaving(number, $0, account) } ?? []
    }
  }
}
