import Calendar
import Daybook
import Synchronization

/// Keeps when the entries of accounts were recorded, so that a person who moves through time does not have them read at
/// every stop. After new entries only those are read.
///
/// The number of moments that are kept for all accounts together is limited; the accounts that asked longest ago are
/// forgotten first.
final class MomentKeeper: Sendable {
  private struct Kept {
    var clock: DayClock
    /// The aggregates whose entries are kept.
    var aggregates: Set<Aggregate>
    /// The position up to which they are.
    var position: Int64
    /// By position.
    var moments: [RecordedMoment]
    /// The number of the last question.
    var usedAt = 0
  }

  private struct Contents {
    var accounts: [Account.ID: Kept] = [:]
    var questionCount = 0
    /// How often everything was forgotten; what was read before the last time is not kept.
    var forgotten = 0
  }

  /// The most moments that are kept: some 50 MB.
  private static let maximumCount = 1_000_000

  private let contents = Mutex(Contents())

  /// When the entries that an account sees were recorded, by position.
  ///
  /// - Throws: ``Rejection/accountNotFound``, or ``JournalError``.
  func list(of account: Account.ID, in view: BookView) throws -> [RecordedMoment] {
    let state = view.state
    guard let found = state.accounts[account] else { throw Rejection.accountNotFound }
    let (former, forgotten) = contents.withLock { ($0.accounts[account], $0.forgotten) }
    if var former, former.clock == found.dayClock {
      if former.position == state.position { return keep(former, account, forgotten) }
      guard former.position < state.position else {
        // Another question has seen more of the book.
        return former.moments.filter { $0.position <= state.position }
      }
      let aggregates = state.seenAggregates(of: account)
      let gone = former.aggregates.subtracting(aggregates)
      if !gone.isEmpty { former.moments.removeAll { gone.contains($0.aggregate) } }
      let stays = former.aggregates.subtracting(gone)
      former.moments += try Self.read(stays, after: former.position, found, view)
      let new = aggregates.subtracting(stays)
      if !new.isEmpty {
        former.moments += try Self.read(new, after: 0, found, view)
        former.moments.sort { $0.position < $1.position }
      }
      (former.aggregates, former.position) = (aggregates, state.position)
      return keep(former, account, forgotten)
    }
    let aggregates = state.seenAggregates(of: account)
    return keep(
      Kept(
        clock: found.dayClock, aggregates: aggregates, position: state.position,
        moments: try Self.read(aggregates, after: 0, found, view)), account, forgotten)
  }

  /// The moments of entries after a position, by position.
  private static func read(
    _ aggregates: Set<Aggregate>, after position: Int64, _ account: Account, _ view: BookView
  ) throws -> [RecordedMoment] {
    let lists = try AggregateEntries(
      of: aggregates, after: position, through: view.state.position, in: view.reader
    ).lists
    var moments: [RecordedMoment] = []
    for (aggregate, entries) in lists {
      // Whoever signs in on a new device has changed nothing that a screen shows.
      for entry in entries where !entry.event.isOfSignIn {
        let recordedOn = account.dayClock.day(of: entry.head.at, in: view.query.zones)
        moments.append(
          RecordedMoment(
            position: entry.head.position, at: entry.head.at,
            recordedOn: recordedOn ?? Day(utc: entry.head.at), about: entry.event.day,
            aggregate: aggregate))
      }
    }
    return moments.sorted { $0.position < $1.position }
  }

  private func keep(_ kept: Kept, _ account: Account.ID, _ forgotten: Int) -> [RecordedMoment] {
    let dropped = contents.withLock { contents -> [Kept] in
      guard contents.forgotten == forgotten else { return [] }
      contents.questionCount += 1
      var kept = kept
      kept.usedAt = contents.questionCount
      var dropped = [contents.accounts.updateValue(kept, forKey: account)].compactMap(\.self)
      var count = contents.accounts.values.reduce(0) { $0 + $1.moments.count }
      while count > Self.maximumCount, contents.accounts.count > 1,
        let oldest = contents.accounts.min(by: { $0.value.usedAt < $1.value.usedAt })
      {
        count -= oldest.value.moments.count
        dropped.append(oldest.value)
        contents.accounts[oldest.key] = nil
      }
      return dropped
    }
    // They are released outside the lock, because they may be large.
    _ = dropped
    return kept.moments
  }

  /// Forgets everything, because an erasure blanked entries.
  func forget() {
    contents.withLock { contents in
      contents.accounts = [:]
      contents.forgotten += 1
    }
  }
}
