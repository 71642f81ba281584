public import Calendar
public import DaybookAuth
public import Values

/// The outbox of a server's database, and what else delivery keeps there.
public struct DatabaseOutbox: Outbox, DueProgressStore {
  private let database: ServerDatabase

  /// Uses a database.
  public init(_ database: ServerDatabase) { self.database = database }

  /// Puts messages in, in one transaction, without those whose deduplication key was put in before.
  ///
  /// - Throws: ``StoreFailure``.
  @discardableResult
  public func put(_ messages: [OutboxMessage]) async throws(StoreFailure) -> Int {
    do { return try await database.enqueue(messages) } catch { throw StoreFailure(error) }
  }

  /// Takes messages that are due, for a time.
  ///
  /// - Throws: ``StoreFailure``.
  public func take(
    _ limit: Int, at now: Instant, until end: Instant
  ) async throws(StoreFailure) -> [OutboxMessage] {
    do { return try await database.leaseMessages(limit, at: now, until: end) } catch {
      throw StoreFailure(error)
    }
  }

  /// Notes that a message was sent.
  ///
  /// - Throws: ``StoreFailure``.
  public func noteDelivery(
    of message: Key, at now: Instant, keepingPayload: Bool
  ) async throws(StoreFailure) {
    do {
      try await database.noteDelivery(of: message, at: now, keepingPayload: keepingPayload)
    } catch { throw StoreFailure(error) }
  }

  /// Notes that sending failed, and puts the message off.
  ///
  /// - Throws: ``StoreFailure``.
  public func putOff(
    _ message: Key, _ reason: String, until next: Instant
  ) async throws(StoreFailure) {
    do {
      try await database.noteFailure(of: message, reason, at: next, tryingAgainAt: next)
    } catch { throw StoreFailure(error) }
  }

  /// Notes that sending failed, and gives the message up.
  ///
  /// - Throws: ``StoreFailure``.
  public func bury(
    _ message: Key, _ reason: String, at now: Instant
  ) async throws(StoreFailure) {
    do {
      try await database.noteFailure(of: message, reason, at: now, tryingAgainAt: nil)
    } catch { throw StoreFailure(error) }
  }

  /// The messages that were given up, the latest first.
  ///
  /// - Throws: ``StoreFailure``.
  public func deadLetters(_ limit: Int) async throws(StoreFailure) -> [OutboxMessage] {
    do { return try await database.deadLetters(limit) } catch { throw StoreFailure(error) }
  }

  /// Makes a dead letter a message that is due now.
  ///
  /// - Throws: ``StoreFailure``.
  @discardableResult
  public func sendAgain(_ message: Key, at now: Instant) async throws(StoreFailure) -> Bool {
    do { return try await database.reviveMessage(message, at: now) } catch {
      throw StoreFailure(error)
    }
  }

  /// Forgets messages that were delivered or given up before an instant.
  ///
  /// - Throws: ``StoreFailure``.
  @discardableResult
  public func forget(settledBefore end: Instant) async throws(StoreFailure) -> Int {
    do { return try await database.deleteMessages(settledBefore: end) } catch {
      throw StoreFailure(error)
    }
  }

  /// Up to where the scheduler has looked.
  ///
  /// - Throws: ``StoreFailure``.
  public func progress() async throws(StoreFailure) -> DueProgress? {
    do {
      return try await database.progress(of: Self.schedule).map {
        DueProgress(position: $0.position, at: $0.at)
      }
    } catch { throw StoreFailure(error) }
  }

  /// Keeps up to where the scheduler has looked.
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
