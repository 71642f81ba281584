extension BookState {
  /// The events by which a member leaves a household: their open tasks become unassigned, and with the last member the
  /// household is deleted.
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

  /// The events by which an account leaves all its households, before it is erased. What it wrote in them stays, as it
  /// belongs to the household. If nobody else is in a household, its texts are blanked.
  package func householdDepartures(of account: Account.ID) -> [Event] {
    households(of: account).flatMap { number in
      households[number].map { leaving(number, $0, account) } ?? []
    }
  }
}
