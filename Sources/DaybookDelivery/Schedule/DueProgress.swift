public import Calendar

/// The progress of a scheduler.
public struct DueProgress: Hashable, Sendable {
  /// The position of the last entry that it has processed.
  public var position: Int64
  /// The instant up to which, inclusive, it has processed what falls due by the clock.
  public var at: Instant

  public init(position: Int64, at: Instant) {
    self.position = position
    self.at = at
  }
}

/// The store of a scheduler's progress.
public protocol DueProgressStore: Sendable {
  /// The saved progress, if there is any.
  ///
  /// - Throws: ``StoreFailure``.
  func progress() async throws(StoreFailure) -> DueProgress?

  /// Saves the progress in place of the one before.
  ///
  /// - Throws: ``StoreFailure``.
  func save(_ progress: DueProgress) async throws(StoreFailure)
}
