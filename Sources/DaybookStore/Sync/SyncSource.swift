import Avro
package import Daybook
import Journal
import Synchronization

/// The side of a sync that has the book: it carries out a device's commands, and gives the entries that the device's
/// account may see (DM-6, DM-7).
///
/// Nothing that the account may not see has an influence on an answer: lines are counted within what it sees, and
/// the scope names nothing else.
package final class SyncSource: Sendable {
  package let book: Book
  /// The feeds of accounts that synced lately.
  private let feeds = Mutex(Feeds())

  private struct Feeds {
    /// The most feeds that are kept.
    static let limit = 256

    private var kept: [Account.ID: (feed: AccountFeed, use: Int)] = [:]
    private var uses = 0

    subscript(account: Account.ID) -> AccountFeed? { kept[account]?.feed }

    mutating func keep(_ feed: AccountFeed) {
      uses += 1
      kept[feed.account] = (feed, uses)
      guard kept.count > Self.limit else { return }
      if let oldest = kept.min(by: { $0.value.use < $1.value.use }) { kept[oldest.key] = nil }
    }
  }

  /// Answers for a book.
  package init(_ book: Book) { self.book = book }

  /// Answers a device: ``standing(of:for:)``, ``carryOut(_:for:_:)`` and ``finish(_:for:_:)``, one after another.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - account: The account that signed in.
  /// - Returns: The answer.
  /// - Throws: ``Rejection/accountNotFound``, ``JournalError``, or ``ExchangeError``.
  package func answer(_ request: SyncRequest, for account: Account.ID) async throws -> SyncAnswer {
    let standing = try standing(of: request, for: account)
    let outcomes = try await carryOut(request, for: account, standing)
    return try finish(request, for: account, outcomes)
  }

  /// Compares the device's account and lines with the book's. It reads the book.
  ///
  /// - Returns: How they compare.
  /// - Throws: ``Rejection/accountNotFound``, ``JournalError``, or ``ExchangeError``.
  package func standing(
    of request: SyncRequest, for account: Account.ID
  ) throws -> SyncAnswer.Standing {
    try found(request, for: account, limit: 1, byteCount: 1).standing
  }

  /// Carries out the request's commands in their order; one that is refused does not stop those after it, except one
  /// whose `p_at` is after the book's clock. A command whose id was used before is not carried out again.
  ///
  /// A command before one that was recorded earlier was decided earlier, too: the answer to that was lost. If nothing of
  /// it was recorded then, it is refused now, because it would overtake what came after it.
  ///
  /// - Returns: What became of each; empty unless the standing takes commands.
  /// - Throws: ``JournalError``, or `CancellationError`.
  package func carryOut(
    _ request: SyncRequest, for account: Account.ID, _ standing: SyncAnswer.Standing
  ) async throws -> [SyncAnswer.Outcome] {
    guard standing.takesCommands else { return [] }
    let head = book.read { $0.position }
    var outcomes: [SyncAnswer.Outcome] = []
    let first = try firstUndecided(request.commands, by: account)
    for command in request.commands[..<first] {
      let isRecorded = try hasRecorded(Request.id(of: command), by: account)
      outcomes.append(isRecorded ? .repeated : .overtaken)
    }
    var rest = request.commands[first...]
    while !rest.isEmpty {
      let now = book.now
      let last = rest.firstIndex { command in
        command["p_at"]?.text.flatMap { Instant($0) }.map { $0 > now } ?? false
      }
      let next = rest.prefix(through: last ?? rest.index(before: rest.endIndex))
      let lines = next.map { Array($0.encoded.utf8) }
      try await book.record(lines: lines, from: .account(account), id: nil) { answers in
        outcomes += answers.map { SyncAnswer.Outcome($0, after: head) }
      }
      if last != nil, outcomes.last?.isUntimely == true { break }
      rest = rest.dropFirst(next.count)
    }
    return outcomes
  }

  /// The place after the last command that was recorded earlier.
  private func firstUndecided(_ commands: [JSON], by account: Account.ID) throws -> Int {
    let last = try commands.lastIndex { command in
      try hasRecorded(Request.id(of: command), by: account)
    }
    return last.map { $0 + 1 } ?? 0
  }

  /// Adds the lines that the device does not have. It reads the book.
  ///
  /// - Throws: ``Rejection/accountNotFound``, ``JournalError``, or ``ExchangeError``.
  package func finish(
    _ request: SyncRequest, for account: Account.ID, _ outcomes: [SyncAnswer.Outcome]
  ) throws -> SyncAnswer {
    let found = try found(
      request, for: account, limit: request.limit, byteCount: Self.pageByteCount)
    return SyncAnswer(
      account: found.key, at: book.now, standing: found.standing, scope: found.scope,
      outcomes: outcomes, lines: found.page?.lines ?? [],
      cursor: found.page?.chain ?? request.cursor, hasMore: found.page?.hasMore ?? false)
  }

  /// About the most bytes of lines in an answer.
  private static let pageByteCount = 1 << 20

  /// The digest of everything that an account may see: the same value as the device's, when the device has all of it.
  ///
  /// - Throws: ``JournalError``, or ``ExchangeError``.
  package func digest(for account: Account.ID) throws -> ChainDigest {
    try feed(of: account).feed.end.chain
  }

  // MARK: Feeds

  /// What a request finds.
  private struct Found {
    /// The account that signed in.
    var key: Key
    var standing: SyncAnswer.Standing
    var scope: String
    /// The lines after the device's, if they continue those.
    var page: AccountFeed.Page?
  }

  private func found(
    _ request: SyncRequest, for account: Account.ID, limit: Int, byteCount: Int
  ) throws -> Found {
    var isAgain = false
    while true {
      let (feed, state) = try feed(of: account)
      guard let key = state.accounts[account]?.key else { throw Rejection.accountNotFound }
      var found = Found(key: key, standing: .continues, scope: feed.token)
      if let other = request.account, other != key {
        found.standing = .foreign
      } else if let scope = request.scope, scope != feed.token {
        found.standing = try hasRecorded(request.last, by: account) ? .rescoped : .diverged
      } else {
        found.page = try feed.page(
          after: request.cursor, limit: limit, byteCount: byteCount, in: state, book.reader)
        // An erasure under way blanks lines that are being read; the next state shows the erasure.
        if found.page == nil, !isAgain {
          isAgain = true
          continue
        }
        if found.page == nil { found.standing = .diverged }
      }
      return found
    }
  }

  /// Whether the book has a command of an account; true when none is named.
  private func hasRecorded(_ command: Key?, by account: Account.ID) throws -> Bool {
    guard let command else { return true }
    return try book.entries(under: command).first?.head.actor == account
  }

  /// The feed of an account, and the state up to which it goes, or a later one.
  private func feed(of account: Account.ID) throws -> (feed: AccountFeed, state: BookState) {
    let kept = feeds.withLock { $0[account] } ?? AccountFeed(of: account)
    // The state is read after the feed, so that it is not older.
    let state = book.read { $0 }
    guard state.accounts[account]?.isErased == false else { throw Rejection.accountNotFound }
    var feed = kept
    try feed.advance(to: state, book.reader)
    if feed.erasureCount > kept.erasureCount {
      // An erasure is recorded before the older lines are blanked, and holds its turn until they are.
      book.queue.takeTurn()
      book.queue.passTurn(of: book)
      feed = AccountFeed(of: account)
      try feed.advance(to: state, book.reader)
    }
    feeds.withLock { $0.keep(feed) }
    return (feed, state)
  }
}
