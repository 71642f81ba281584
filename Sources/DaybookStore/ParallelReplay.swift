package import Daybook
package import Journal

extension BookReader {
  /// Replays a book in parts on several threads.
  ///
  /// There are several parts for each core, so that a part that takes longer does not keep the
  /// others waiting. The first part does take longer: the start of a book is more work than what
  /// follows. Parts also begin in the middle of segments, because with eight segments, waiting for
  /// a whole one would take too long.
  ///
  /// - Parameters:
  ///   - last: Entries recorded later are left out.
  ///   - threads: The number of cores to make parts for; nil for all.
  ///   - make: Makes the projection of a part, given the position of the last entry before it.
  ///   - finish: Receives each part's projection after its last entry, still on the part's own
  ///     thread.
  /// - Returns: The projections of the parts, in order.
  /// - Throws: ``JournalError`` when the journal cannot be read or is damaged.
  package func replayInParts<P: Projection & Sendable>(
    until last: Instant = .last, threads: Int? = nil, _ make: (_ start: Int64) -> P,
    finish: @Sendable (inout P) -> Void = { _ in }
  ) throws(JournalError) -> [P] {
    // A part that is read in a few milliseconds is not worth a thread.
    try replayInParts(
      until: last, threads: threads, smallestPartByteCount: 1 << 20, make, finish: finish)
  }

  /// Replays in parts that may be small enough for a test.
  package func replayInParts<P: Projection & Sendable>(
    until last: Instant = .last, threads: Int? = nil, smallestPartByteCount: Int,
    _ make: (_ start: Int64) -> P, finish: @Sendable (inout P) -> Void = { _ in }
  ) throws(JournalError) -> [P] {
    let threads = max(1, threads ?? activeProcessorCount)
    let starts =
      threads == 1 ? [] : try partStarts(threads * Self.partsOfThread, smallestPartByteCount)
    if starts.count > 1 {
      do throws(JournalError) {
        return try replay(starts, until: last, make, finish)
      } catch {
        // A segment may have been sealed or rewritten since the parts were made. The read below
        // reports real damage.
      }
    }
    var whole = make(0)
    try replay(into: &whole, until: last)
    finish(&whole)
    return [whole]
  }

  private func replay<P: Projection & Sendable>(
    _ starts: [BlockPlace], until last: Instant, _ make: (_ start: Int64) -> P,
    _ finish: @Sendable (inout P) -> Void
  ) throws(JournalError) -> [P] {
    let empty = starts.map { make($0.position.number - 1) }
    return try mapConcurrently(starts.count) { index throws(JournalError) in
      var projection = empty[index]
      let end = index + 1 < starts.count ? starts[index + 1].position.number : .max
      try replay(into: &projection, from: starts[index], to: end, until: last)
      finish(&projection)
      return projection
    }
  }

  /// Replays a part from a block up to the block that begins at a position.
  ///
  /// - Throws: ``JournalError``, also when no block begins there any more.
  func replay<P: Projection>(
    into projection: inout P, from place: BlockPlace, to end: Int64, until last: Instant
  ) throws(JournalError) {
    let start = place.position.number
    var bridge = SchemaBridge()
    try journal.readBlocks(at: place) { header, block throws(JournalError) in
      let first = block.first.number
      guard first < end else { return false }
      guard Int64(block.count) <= end - first else {
        throw block.corruption("it does not end where the next part begins")
      }
      return try bridge.apply(
        block, of: header.schemaText, to: &projection, startingAt: start, until: last)
    }
  }

  /// The number of parts for each core: fewer would mean waiting for the last ones, more would mean
  /// more merging.
  private static let partsOfThread = 8

  /// Where parts of about the same length begin; empty where there is nothing to divide.
  private func partStarts(
    _ count: Int, _ smallestPartByteCount: Int
  ) throws(JournalError) -> [BlockPlace] {
    guard files != nil else { return [] }
    let segments = try journal.segments()
    let spans = try spans(of: segments)
    let total = spans.last?.upperBound ?? 0
    let parts = max(1, min(count, total / smallestPartByteCount))
    let wanted = (0..<parts).map { total * $0 / parts }
    let found = try mapConcurrently(segments.count) { index throws(JournalError) -> [BlockPlace] in
      let offsets = wanted.filter(spans[index].contains).map { $0 - spans[index].lowerBound }
      return offsets.isEmpty ? [] : try journal.places(in: segments[index], after: offsets)
    }
    return found.flatMap(\.self)
  }

  /// The range of each segment among the bytes of all segments in order.
  private func spans(of segments: [SegmentName]) throws(JournalError) -> [Range<Int>] {
    var spans: [Range<Int>] = []
    for name in segments {
      let start = spans.last?.upperBound ?? 0
      let byteCount = try onDisk { () throws(StorageError) in
        try journal.storage.open(journal.path(of: name), .read).byteCount()
      }
      spans.append(start..<start + byteCount)
    }
    return spans
  }

  /// The streaks of all habits that were not deleted, in the order of creation. This is the fastest
  /// way: entries are read in parts, and streaks are judged in parts.
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
    // Today's days are computed once: the clocks are behind a lock that the threads would wait for.
    let todays = try all.todays(query)
    let threads = max(1, threads ?? activeProcessorCount)
    let count = max(1, min(threads == 1 ? 1 : threads * 4, all.habitCount / 1024))
    return try mapConcurrently(count) { index throws(Rejection) in
      let places = all.habitCount * index / count..<all.habitCount * (index + 1) / count
      return try all.summaries(query, ofHabits: places, todays)
    }.flatMap(\.self)
  }
}
