public import Daybook

extension BookView {
  /// What happened in a household and to what belongs to it, newest first, as its members may see it (MC-11).
  ///
  /// Only what touches the household is read, however long the book is.
  ///
  /// - Parameters:
  ///   - household: The household.
  ///   - viewer: Who asks: a member.
  ///   - limit: How many entries at most.
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
