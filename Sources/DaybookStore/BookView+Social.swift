public import Daybook

extension BookView {
  /// The feed of an account, newest first (HH-24); on the query's day, if it names one.
  ///
  /// Only what touches the account, its habits and its hives is read, however long the book is; an open book reads
  /// only what is new of it.
  ///
  /// - Parameters:
  ///   - viewer: The account.
  ///   - hive: Only this hive's lines, which its members see.
  ///   - end: The position of an entry: its lines and those of later entries are left out. A page's
  ///     ``Feed/Page/next`` leads to the page after it.
  ///   - limit: The most lines to return; the lines of one entry are never split.
  /// - Returns: The page.
  /// - Throws: ``JournalError``.
  public func feed(
    of viewer: Account.ID, in hive: Hive.ID? = nil, before end: Int64 = .max, limit: Int = 20
  ) throws -> Feed.Page {
    let feed = Feed(of: viewer, in: hive, state)
    return feed.page(
      try reader.activities.timelines(of: feed, in: self), on: query.on, before: end, limit: limit)
  }

  /// The awards of an account, in the order in which it earned them (DG-6); on the query's day, if
  /// it names one.
  ///
  /// - Throws: ``JournalError``.
  public func awards(of account: Account.ID) throws -> [Award] {
    let awards = Awards(of: account, in: state)
    return awards.list(try reader.activities.grounds(of: awards, in: self), query)
  }

  /// Explains a hive's streak: each day, with who was done when and what advanced or broke it.
  ///
  /// - Parameters:
  ///   - hive: The hive.
  ///   - viewer: The account that asks: a member.
  ///   - days: Only these days; nil for all.
  /// - Returns: The audit.
  /// - Throws: ``Rejection/hiveNotFound``, ``Rejection/notMember``, or ``JournalError``.
  public func audit(
    of hive: Hive.ID, for viewer: Account.ID, days: ClosedRange<Day>? = nil
  ) throws -> HiveAudit {
    let seen = try state.hive(hive, seenBy: viewer)
    let aggregate = Aggregate.hive(hive)
    let entries = try lists(of: [aggregate])[aggregate] ?? []
    return HiveAudit(hive, seen, for: viewer, in: state, query, entries, days: days)
  }

  /// The position of the last recorded entry of the view's state.
  var recordedPosition: Int64 { state.position - Int64(supposed.count) }

  /// The entries of some aggregates within the view's state.
  func lists(of aggregates: [Aggregate]) throws -> [Aggregate: [Entry]] {
    var lists = try AggregateEntries(of: aggregates, through: recordedPosition, in: reader).lists
    guard !supposed.isEmpty else { return lists }
    let wanted = Set(aggregates)
    for entry in supposed {
      guard let aggregate = state.aggregate(of: entry.event), wanted.contains(aggregate) else {
        continue
      }
      lists[aggregate, default: []].append(entry)
    }
    return lists
  }
}
