package import Daybook
package import Journal

extension BookReader {
  /// Replays a book in parts, side by side: some parts for each core, so that one that takes longer does not keep the
  /// others waiting. The first does: what a book begins with is more work than what follows.
  ///
  /// - Parameters:
  ///   - last: Entries recorded later are left out.
  ///   - threads: Parts for how many cores; for as many as there are without it.
  ///   - make: Makes the projection of a part, given the position of the last entry before it.
  ///   - finish: Is given each part's projection after its last entry, still on the part's own thread.
  /// - Returns: The projections of the parts, in order.
  /// - Throws: ``JournalError`` when the journal cannot be read or is damaged.
  package func replayInParts<P: Projection & Sendable>(
    until last: Instant = .last, threads: Int? = nil, _ make: (_ start: Int64) -> P,
    finish: @Sendable (inout P) -> Void = { _ in }
  ) throws(JournalError) -> [P] {
    // What is read in a few milliseconds is not worth a thread.
    try replayInParts(
      until: last, threads: threads, smallestPartByteCount: 1 << 20, make, finish: finish)
  }

  /// With parts small enough for a test.
  package func replayInParts<P: Projection & Sendable>(
    until last: Instant = .last, threads: Int? = nil, smallestPartByteCount: Int,
    _ make: (_ start: Int64) -> P, finish: @Sendable (inout P) -> Void = { _ in }
  ) throws(JournalError) -> [P] {
    let threads = max(1, threads ?? activeProcessorCount)
    let starts = try partStarts(threads == 1 ? 1 : threads * 4, smallestPartByteCount)
    let empty = starts.map(make)
    return try sideBySide(starts.count) { index throws(JournalError) in
      let end = index + 1 < starts.count ? starts[index + 1] : .max
      var projection = empty[index]
      try replay(into: &projection, from: starts[index] + 1, through: end, until: last)
      finish(&projection)
      return projection
    }
  }

  /// The positions before the first entries of parts of about the same length, the first 0.
  private func partStarts(
    _ count: Int, _ smallestPartByteCount: Int
  ) throws(JournalError) -> [Int64] {
    guard files != nil else { return [0] }
    let segments = try journal.segments()
    var sizes: [Int] = []
    for name in segments {
      do throws(StorageError) {
        sizes.append(try journal.storage.open(journal.path(of: name), .read).byteCount())
      } catch { throw .storage(error) }
    }
    let total = sizes.reduce(0, +)
    let parts = max(1, min(count, total / smallestPartByteCount))
    var starts: [Int64] = []
    var before = 0
    for (name, size) in zip(segments, sizes) {
      // A part begins with the segment that lies nearest to its share.
      if (before + size / 2) * parts >= total * starts.count, starts.count < parts {
        starts.append(name.first.number - 1)
      }
      before += size
    }
    return starts
  }

  /// The streaks of every habit that was not deleted, in the order of creation, by the shortest way: read in
  /// parts, and judged in parts.
  ///
  /// - Throws: ``JournalError``, or ``Rejection`` when this machine does not know an account's zone.
  package func streakSummaries(
    _ query: Query, threads: Int? = nil
  ) throws -> [(habit: Habit.ID, summary: StreakSummary)] {
    let parts = try replayInParts(until: query.asOf, threads: threads) {
      StreakReplay(after: $0)
    } finish: {
      $0.finish()
    }
    var replay = parts[0]
    for part in parts.dropFirst() { replay.append(part) }
    replay.finish()
    let all = replay
    // The clocks are asked once: they stand behind a lock that threads would wait for.
    let todays = try all.todays(query)
    let threads = max(1, threads ?? activeProcessorCount)
    let count = max(1, min(threads == 1 ? 1 : threads * 4, all.habitCount / 1024))
    return try sideBySide(count) { index throws(Rejection) in
      let places = all.habitCount * index / count..<all.habitCount * (index + 1) / count
      return try all.summaries(query, ofHabits: places, todays)
    }.flatMap(\.self)
  }
}
