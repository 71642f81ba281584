public import Calendar

/// Up to where a scheduler has looked.
public struct DueProgress: Hashable, Sendable {
  /// The last entry that it has seen.
  public var position: Int64
  /// What fell due by the clock up to and with this instant, it has seen.
  public var at: Instant

  public init(position: Int64, at: Instant) {
    self.position = position
    self.at = at
  }
}

/// Where a scheduler keeps its progress.
public protocol DueProgressStore: Sendable {
  /// What was kept last, if anything was.
  ///
  /// - Throws: ``StoreFailure``.
  func progress() async throws(StoreFailure) -> DueProgress?

  /// Keeps a progress instead of the one before.
  ///
  /// - Throws: ``StoreFailure``.
  func keep(_ progress: DueProgress) async throws(StoreFailure)
}
