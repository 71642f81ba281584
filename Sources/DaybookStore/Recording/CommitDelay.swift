/// Decides whether to wait a moment, before the next commit, for callers who were just answered.
///
/// Tasks that record in a loop all come back at once when their commit is on disk. Taking the first few of them at once
/// would give a tiny group with a sync of its own, which the rest would wait for: half the speed. So the leader waits
/// until as many are queued as before, and whoever completes them wakes it. If callers do not return, waiting gains
/// nothing: each wait in vain doubles the number of waits that are skipped next.
struct CommitDelay {
  /// How many writes are expected.
  private(set) var goal = 0
  /// How long to wait for them at most: half of the time that the last commit took to reach the
  /// disk, and at most a millisecond. Waiting together saves disk time, but none of the time for
  /// deciding.
  private(set) var timeout = Duration.zero
  private var skips = 0
  private var penalty = 0

  private static let longestTimeout = Duration.milliseconds(1)
  private static let largestPenalty = 64

  /// Notes a commit that is about to be answered.
  ///
  /// - Parameters:
  ///   - answered: How many writes it carried out.
  ///   - waiting: How many writes already wait.
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

  /// Notes whether a wait brought all the expected writes.
  mutating func note(isComplete: Bool) {
    penalty = isComplete ? 0 : min(max(1, penalty * 2), Self.largestPenalty)
    skips = penalty
  }
}
