public import Daybook

extension BookView {
  /// The household, if the account that asks is a member.
  ///
  /// - Throws: ``Rejection/householdNotFound`` for one that the account is not in.
  func household(
    _ number: Household.ID, for member: Account.ID
  ) throws(Rejection) -> Household {
    guard let household = state.household(number, for: member) else { throw .householdNotFound }
    return household
  }

  /// The viewer's today as a user-local day, even when the account is younger than the view's
  /// instant.
  ///
  /// - Throws: ``Rejection``.
  func today(of viewer: Account.ID) throws(Rejection) -> Day {
    guard let account = state.viewer(viewer) else { throw .accountNotFound }
    return try query.today(of: account)
  }

  /// What happened in a household and to what belongs to it, newest first, as its members may see
  /// it (MC-11).
  ///
  /// Only what touches the household is read, however long the book is.
  ///
  /// - Parameters:
  ///   - household: The household.
  ///   - viewer: The account that asks: a member.
  ///   - limit: The most entries to return.
  /// - Returns: The entries.
  /// - Throws: ``Rejection/householdNotFound``, or ``JournalError``.
  public func history(
    of household: Household.ID, for viewer: Account.ID, limit: Int = .max
  ) throws -> [Entry] {
    guard state.household(household, for: viewer) != nil else {
      throw Rejection.householdNotFound
    }
    let wanted = state.aggregates(of: household)
    let found = try AggregateEntries(of: wanted, through: state.position, in: reader)
    return found.merged(wanted).suffix(max(limit, 0)).reversed()
  }
}
