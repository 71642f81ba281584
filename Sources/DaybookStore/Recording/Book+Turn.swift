import Daybook
import Journal
import Synchronization

// Work for which the caller must hold the turn.
extension Book {
  /// Looks up earlier answers.
  var receipts: ReceiptLookup { ReceiptLookup(keys: keys, kept: kept, reader: reader) }

  /// Carries out writes as one commit: the longest prefix of them that fits.
  ///
  /// - Parameters:
  ///   - writes: The writes. Those that join later are appended.
  ///   - expected: How many writes there will be, as far as is known.
  ///   - join: Given the number of writes so far, returns further ones; none when the commit is to
  ///     go to the disk.
  /// - Returns: How many writes were carried out, why their commit is not on disk (if it is not),
  ///   and how long the disk took.
  func commit(
    _ writes: inout ArraySlice<any GroupedWrite>, expecting expected: Int,
    join: (_ count: Int) -> [any GroupedWrite]
  ) -> (count: Int, failure: JournalError?, time: Duration) {
    if let failure = failure.withLock({ $0 }) { return (writes.count, failure, .zero) }
    while true {
      do throws(JournalError) { try applyNewEntries() } catch {
        return (writes.count, error, .zero)
      }
      let last = position
      var group = CommitGroup(clock: clock, zones: reader.zones)
      let (count, after) = decide(&writes, in: &group, expecting: expected, join)
      let start = ContinuousClock.now
      do throws(AppendError) { try append(group.draft, after: last) } catch {
        switch error {
        case .failed(let failure): return (count, failure, .zero)
        case .conflict: for write in writes.prefix(count) { write.discardDecision() }
        }
        continue
      }
      let time = ContinuousClock.now - start
      // Parts of the former state that nobody else holds are released after the lock is given up.
      _ = state.withLock { state -> BookState? in
        guard let after else {
          group.publish(to: &state)
          return nil
        }
        defer { state = after }
        return state
      }
      kept?.keep(group.receipts, of: group.entries, in: files?.segment)
      log.signal?.advance(to: position)
      return (count, nil, time)
    }
  }

  /// Carries out writes as one commit that takes no later writes.
  ///
  /// - Returns: How many writes were carried out, and why their commit is not on disk, if it is
  ///   not.
  func commit(_ writes: ArraySlice<any GroupedWrite>) -> (count: Int, failure: JournalError?) {
    var writes = writes
    let (count, failure, _) = commit(&writes, expecting: writes.count) { _ in [] }
    return (count, failure)
  }

  /// A commit of at least this many writes is decided on a copy of the state.
  static let copyingCount = 32

  /// Decides as many writes as fit in a commit; returns their number, and the state that they leave
  /// if it is at hand.
  ///
  /// Nobody sees what was decided before it is on disk. A few short writes are decided in place and
  /// rolled back, because a copy of the state diverges wherever they touch it. Many writes are
  /// decided on a copy, because they touch the same places again and again. While writes are
  /// decided in place nobody can read. So later writes join only a commit that is decided on a
  /// copy: they arrive while those before them are decided, and that delays no reader.
  private func decide(
    _ writes: inout ArraySlice<any GroupedWrite>, in group: inout CommitGroup,
    expecting expected: Int, _ join: (_ count: Int) -> [any GroupedWrite]
  ) -> (count: Int, after: BookState?) {
    let receipts = receipts
    func lookUpAgain(_ writes: ArraySlice<any GroupedWrite>) {
      for (place, write) in writes.enumerated() {
        write.lookUpAgain(receipts, isFirst: place == 0 && group.isEmpty) { read { $0 } }
      }
    }
    func count(of writes: ArraySlice<any GroupedWrite>, on state: inout BookState) -> Int {
      writes.firstIndex { !$0.decide(in: &group, on: &state) }.map { $0 - writes.startIndex }
        ?? writes.count
    }
    lookUpAgain(writes)
    guard max(writes.count, expected) < Self.copyingCount, !writes.contains(where: \.mayTakeLong)
    else {
      var after = read { $0 }
      group.begin(with: after)
      var done = count(of: writes, on: &after)
      let isLong = writes.contains(where: \.isLong)
      while done == writes.count, !isLong {
        let others = join(done)
        guard !others.isEmpty else { break }
        lookUpAgain(others[...])
        writes += others
        done += count(of: others[...], on: &after)
      }
      return (done, after)
    }
    return state.withLock { state in
      let done = count(of: writes, on: &state)
      group.rollBack(from: &state)
      return (done, nil)
    }
  }

  /// Carries out a batch as one commit.
  func commit<Result>(_ body: (inout Batch) throws -> Result) throws -> Result {
    if let failure = failure.withLock({ $0 }) { throw failure }
    while true {
      try applyNewEntries()
      let last = position
      var batch = Batch(read { $0 }, clock: clock, zones: reader.zones, receipts)
      let result = try body(&batch)
      do throws(AppendError) { try append(batch.draft, after: last) } catch {
        switch error {
        case .failed(let failure): throw failure
        case .conflict: continue
        }
      }
      state.withLock { batch.publish(to: &$0) }
      log.signal?.advance(to: position)
      return result
    }
  }

  /// Appends a draft that was decided in the state at a position.
  func append(_ draft: Draft, after last: Int64) throws(AppendError) {
    guard draft.count > 0 else { return }
    try log.append(count: draft.count, entries: draft.bytes, expecting: Position(last))
    keys.insert(draft.keyed, in: files?.segment ?? .first)
  }
}
