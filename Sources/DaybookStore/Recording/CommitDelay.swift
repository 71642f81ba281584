/// Whether it pays to wait a moment for those who were just answered before the next commit is made.
///
/// Tasks that record in a loop come back all at once when their commit is on disk. To take the first few of them
/// at once would give a tiny group and a sync of its own, and the rest would wait for that: half the speed. So
/// the leader waits until as many wait as there were, woken by the one who completes them. Where they do not
/// come back, nothing is gained: each wait in vain makes it skip twice as many waits as the last one did.
struct CommitDelay {
  /// How many are expected.
  private(set) var goal = 0
  /// How long to wait for them at most: half of what it took to bring the last commit to the disk, and never over a
  /// millisecond. Who waits together saves that, and nothing of the time in which commands are decided.
  private(set) var timeout = Duration.zero
  private var skips = 0
  private var penalty = 0

  private static let longestTimeout = Duration.milliseconds(1)
  private static let largestPenalty = 64

  /// Takes note of a commit that is about to be answered.
  ///
  /// - Parameters:
  ///   - answered: How many writes it carried out.
  ///   - waiting: How many wait already.
  ///   - time: How long the disk took.
  mutating func note(answered: Int, waiting: Int, time: Duration) {
    goal = min(answered + waiting, CommitQueue.groupCount)
    timeout = min(time / 2, Self.longestTimeout)
  }

  /// Whether to wait now.
  mutating func begins() -> Bool {
    guard goal > 1, skips == 0 else {
      skips = max(0, skips - 1)
      return false
    }
    return true
  }

  /// Takes note of what a wait came to.
  mutating func note(isComplete: Bool) {
    penalty = isComplete ? 0 : min(max(1, penalty * 2), Self.largestPenalty)
    skips = penalty
  }
}
