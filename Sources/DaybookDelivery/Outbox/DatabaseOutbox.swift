public import Calendar
public import DaybookAuth
public import Values

/// The outbox in a server's database, with the other data of delivery.
public struct DatabaseOutbox: Outbox, DueProgressStore {
  private let database: ServerDatabase

  /// Uses a database.
  public init(_ database: ServerDatabase) { self.database = database }

  /// Puts messages into the outbox in one transaction, except those whose deduplication key it
  /// already has.
  ///
  /// - Throws: ``StoreFailure``.
  @discardableResult
  public func put(_ messages: [OutboxMessage]) async throws(StoreFailure) -> Int {
    do { return try await database.enqueue(messages) } catch { throw StoreFailure(error) }
  }

  /// Leases due messages for a time.
  ///
  /// - Throws: ``StoreFailure``.
  public func take(
    _ limit: Int, at now: Instant, until end: Instant
  ) async throws(StoreFailure) -> [OutboxMessage] {
    do { return try await database.leaseMessages(limit, at: now, until: end) } catch {
      throw StoreFailure(error)
    }
  }

  /// Records that a message was sent.
  ///
  /// - Throws: ``StoreFailure``.
  public func noteDelivery(
    of message: Key, at now: Instant, keepingPayload: Bool
  ) async throws(StoreFailure) {
    do {
      try await database.noteDelivery(of: message, at: now, keepingPayload: keepingPayload)
    } catch { throw StoreFailure(error) }
  }

  /// Records a failed attempt and postpones the message.
  ///
  /// - Throws: ``StoreFailure``.
  public func putOff(
    _ message: Key, _ reason: String, until next: Instant
  ) async throws(StoreFailure) {
    do {
      try await database.noteFailure(of: message, reason, at: next, tryingAgainAt: next)
    } catch { throw StoreFailure(error) }
  }

  /// Records a failed attempt and makes the message a dead letter.
  ///
  /// - Throws: ``StoreFailure``.
  public func bury(
    _ message: Key, _ reason: String, at now: Instant
  ) async throws(StoreFailure) {
    do {
      try await database.noteFailure(of: message, reason, at: now, tryingAgainAt: nil)
    } catch { throw StoreFailure(error) }
  }

  /// The dead letters, newest first.
  ///
  /// - Throws: ``StoreFailure``.
  public func deadLetters(_ limit: Int) async throws(StoreFailure) -> [OutboxMessage] {
    do { return try await database.deadLetters(limit) } catch { throw StoreFailure(error) }
  }

  /// Makes a dead letter due again.
  ///
  /// - Throws: ``StoreFailure``.
  @discardableResult
  public func sendAgain(_ message: Key, at now: Instant) async throws(StoreFailure) -> Bool {
    do { return try await database.reviveMessage(message, at: now) } catch {
      throw StoreFailure(error)
    }
  }

  /// Deletes messages that were delivered or became dead letters before an instant.
  ///
  /// - Throws: ``StoreFailure``.
  @discardableResult
  public func forget(settledBefore end: Instant) async throws(StoreFailure) -> Int {
    do { return try await database.deleteMessages(settledBefore: end) } catch {
      throw StoreFailure(error)
    }
  }

  /// The scheduler's progress.
  ///
  /// - Throws: ``StoreFailure``.
  public func progress() async throws(StoreFailure) -> DueProgress? {
    do {
      return try await database.progress(of: Self.schedule).map {
        DueProgress(position: $0.position, at: $0.at)
      }
    } catch { throw StoreFailure(error) }
  }

  /// Saves the scheduler's progress.
  ///
  /// - Throws: ``StoreFailure``.
  public func keep(_ progress: DueProgress) async throws(StoreFailure) {
    do {
      try await database.noteProgress(of: Self.schedule, progress.position, at: progress.at)
    } catch { throw StoreFailure(error) }
  }

  private static let schedule = "schedule"
}

extension StoreFailure {
  fileprivate init(_ failure: DatabaseFailure) { self.init(failure.description) }
}
