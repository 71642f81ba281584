import Avro
import Calendar
import DaybookAuth
import DaybookDelivery
import Synchronization
import Values

/// An outbox in memory, and the model of what `DatabaseOutbox` does.
final class MemoryOutbox: Outbox, DueProgressStore {
  private struct Contents {
    var messages: [OutboxMessage] = []
    var progress: DueProgress?
  }

  private let contents = Mutex(Contents())

  /// All messages, in the order in which they were put in.
  var messages: [OutboxMessage] { contents.withLock { $0.messages } }

  /// Puts messages into the outbox, except those whose deduplication key it already has.
  @discardableResult
  func enqueue(_ messages: [OutboxMessage]) -> Int {
    contents.withLock { contents in
      var keys = Set(contents.messages.map(\.deduplicationKey))
      let new = messages.filter { keys.insert($0.deduplicationKey).inserted }
      contents.messages += new
      return new.count
    }
  }

  /// Leases due messages for a time.
  func lease(_ limit: Int, at now: Instant, until end: Instant) -> [OutboxMessage] {
    contents.withLock { contents in
      let due = contents.messages.indices.filter { place in
        let message = contents.messages[place]
        return message.delivered == nil && message.dead == nil && message.due <= now
      }.sorted { (contents.messages[$0].due, $0) < (contents.messages[$1].due, $1) }
      return due.prefix(max(0, limit)).map { place in
        defer { contents.messages[place].due = end }
        return contents.messages[place]
      }
    }
  }

  /// Records that a message was sent.
  func noteDelivery(of message: Key, at now: Instant, keepingPayload: Bool) {
    change(message) { message in
      message.delivered = now
      message.attempts += 1
      message.lastError = nil
      if !keepingPayload { message.payload = [:] }
    }
  }

  /// Records a failed attempt and postpones the message.
  func postpone(_ message: Key, _ reason: String, until next: Instant) {
    change(message) { message in
      guard message.delivered == nil else { return }
      message.attempts += 1
      message.lastError = reason
      message.due = next
    }
  }

  /// Records a failed attempt and makes the message a dead letter.
  func bury(_ message: Key, _ reason: String, at now: Instant) {
    change(message) { message in
      guard message.delivered == nil else { return }
      message.attempts += 1
      message.lastError = reason
      message.dead = now
    }
  }

  /// The dead letters, newest first.
  func deadLetters(_ limit: Int) -> [OutboxMessage] {
    let dead = messages.filter { $0.dead != nil }
    return Array(dead.sorted { ($1.dead ?? .first) < ($0.dead ?? .first) }.prefix(max(0, limit)))
  }

  /// Makes a dead letter due again.
  @discardableResult
  func sendAgain(_ message: Key, at now: Instant) -> Bool {
    change(message) { message in
      guard message.dead != nil else { return false }
      message.dead = nil
      message.due = now
      return true
    } ?? false
  }

  /// Deletes messages that were delivered or became dead letters before an instant.
  @discardableResult
  func forget(settledBefore end: Instant) -> Int {
    contents.withLock { contents in
      let before = contents.messages.count
      contents.messages.removeAll { ($0.delivered ?? $0.dead ?? .last) < end }
      return before - contents.messages.count
    }
  }

  /// The scheduler's progress.
  func progress() -> DueProgress? { contents.withLock { $0.progress } }

  /// Saves the scheduler's progress.
  func save(_ progress: DueProgress) { contents.withLock { $0.progress = progress } }

  @discardableResult
  private func change<Result>(
    _ id: Key, _ body: (inout OutboxMessage) -> Result
  ) -> Result? where Result: Sendable {
    contents.withLock { contents in
      guard let place = contents.messages.firstIndex(where: { $0.id == id }) else { return nil }
      return body(&contents.messages[place])
    }
  }
}
