import Avro
public import Calendar
public import DaybookAuth
public import DaybookStore
import Foundation
public import Logging
public import ServiceLifecycle
import Synchronization
import Values

/// Takes messages from an outbox and sends them, several at a time, until it is told to stop; messages in progress
/// are then finished.
///
/// **Guarantee**: each message in the outbox is sent at least once, or becomes a dead letter. A message is sent
/// twice, with the same id, if the process or the database fails between sending and recording. Several workers,
/// even in several processes, may share an outbox: each message is leased to one worker at a time.
///
/// The log contains neither the content nor the recipient of a message.
public final class OutboxWorker: Service {
  private let outbox: any Outbox
  private let senders: [OutboxMessage.Channel: any MessageSender]
  private let settings: DeliverySettings
  private let logger: Logger
  private let generator: Mutex<any RandomNumberGenerator & Sendable>
  private let inHand = Mutex(0)

  /// Makes a worker.
  ///
  /// - Parameters:
  ///   - outbox: The messages to send.
  ///   - senders: The sender of each channel; a message of a channel without a sender becomes a dead letter.
  ///   - settings: The intervals and limits.
  ///   - logger: The log of failures, without personal data.
  ///   - generator: The random generator for waits.
  public init(
    _ outbox: any Outbox, senders: [OutboxMessage.Channel: any MessageSender],
    settings: DeliverySettings = DeliverySettings(), logger: Logger,
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.outbox = outbox
    self.senders = senders
    self.settings = settings
    self.logger = logger
    self.generator = Mutex(generator)
  }

  /// Delivers until the service is shut down.
  public func run() async {
    await withDiscardingTaskGroup { group in
      var isIdle = false
      var swept = Instant.first
      while !Task.isShuttingDownGracefully, !Task.isCancelled {
        swept = await sweep(after: swept)
        let room = settings.concurrency - inHand.withLock { $0 }
        if isIdle || room <= 0 {
          let pause = room <= 0 ? .milliseconds(20) : settings.interval
          await rest(for: pause)
          isIdle = false
          continue
        }
        let messages = await takeMessages(room)
        isIdle = messages.isEmpty
        for message in messages {
          inHand.withLock { $0 += 1 }
          group.addTask {
            await self.deliver(message)
            self.inHand.withLock { $0 -= 1 }
          }
        }
      }
    }
  }

  /// Delivers the messages due now, and waits until each was sent or postponed.
  ///
  /// - Returns: The number of messages taken.
  @discardableResult
  public func deliverDue() async -> Int {
    let messages = await takeMessages(settings.concurrency)
    await withDiscardingTaskGroup { group in
      for message in messages { group.addTask { await self.deliver(message) } }
    }
    return messages.count
  }

  /// Deletes, once an hour, messages that were settled long ago.
  private func sweep(after last: Instant) async -> Instant {
    let now = settings.now()
    guard last.advanced(byMilliseconds: 3_600_000) <= now else { return last }
    do throws(StoreFailure) {
      try await outbox.forget(
        settledBefore: now.advanced(byMilliseconds: -settings.retentionMilliseconds))
    } catch { logger.error("outbox not swept", metadata: ["reason": "\(error)"]) }
    return now
  }

  private func rest(for pause: Duration) async {
    // Stopping ends the pause.
    try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
  }

  private func takeMessages(_ count: Int) async -> [OutboxMessage] {
    let now = settings.now()
    do throws(StoreFailure) {
      return try await outbox.lease(
        count, at: now, until: now.advanced(byMilliseconds: settings.leaseMilliseconds))
    } catch {
      // The outbox is read twice a second, and its store has already reported the failure once.
      logger.debug("outbox not read", metadata: ["reason": "\(error)"])
      return []
    }
  }

  private func deliver(_ message: OutboxMessage) async {
    var outcome = Outcome.delivered
    let sender = senders[message.channel]
    if let end = message.expiry, end <= settings.now() {
      outcome = .buried("expired")
    } else if let sender {
      do throws(SendFailure) { try await sender.send(message) } catch {
        // A forced stop is not a refusal: the message is sent again when its lease ends.
        if Task.isCancelled { return }
        outcome = outcomeOf(error, message)
      }
    } else {
      outcome = .buried("nothing sends \(message.channel.rawValue)")
    }
    await note(outcome, of: message, keepingPayload: sender?.keepsPayload ?? false)
  }

  private enum Outcome: Sendable {
    case delivered
    case postpone(String, Instant)
    case buried(String)
  }

  private func outcomeOf(_ failure: SendFailure, _ message: OutboxMessage) -> Outcome {
    let attempts = message.attempts + 1
    guard case .temporary(let asked) = failure.kind, attempts < settings.attempts else {
      return .buried(failure.reason)
    }
    let wait = generator.withLock { generator in
      settings.backOff.milliseconds(afterAttempts: attempts, asked: asked, using: &generator)
    }
    return .postpone(failure.reason, settings.now().advanced(byMilliseconds: wait))
  }

  private func note(
    _ outcome: Outcome, of message: OutboxMessage, keepingPayload: Bool
  ) async {
    log(outcome, message)
    let now = settings.now()
    let outbox = self.outbox
    // A sent message is recorded even while stopping, or it would be sent again.
    let noting = Task { () -> StoreFailure? in
      do throws(StoreFailure) {
        switch outcome {
        case .delivered:
          try await outbox.noteDelivery(of: message.id, at: now, keepingPayload: keepingPayload)
        case .postpone(let reason, let next):
          try await outbox.postpone(message.id, reason, until: next)
        case .buried(let reason): try await outbox.bury(message.id, reason, at: now)
        }
        return nil
      } catch { return error }
    }
    if let failure = await noting.value {
      logger.error(
        "outbox not written; the message comes again",
        metadata: ["message": "\(message.id)", "reason": "\(failure)"])
    }
  }

  private func log(_ outcome: Outcome, _ message: OutboxMessage) {
    var facts: Logger.Metadata = [
      "message": "\(message.id)", "channel": "\(message.channel.rawValue)",
      "template": "\(message.template)", "attempt": "\(message.attempts + 1)",
    ]
    switch outcome {
    case .delivered: logger.debug("message sent", metadata: facts)
    case .postpone(let reason, let next):
      facts["reason"] = "\(reason)"
      facts["next"] = "\(Date(next).ISO8601Format())"
      logger.warning("message postponed", metadata: facts)
    case .buried(let reason):
      facts["reason"] = "\(reason)"
      logger.error("message given up", metadata: facts)
    }
  }
}

/// The settings of delivery.
public struct DeliverySettings: Sendable {
  /// The pause when nothing is due.
  public var interval: Duration = .milliseconds(500)
  /// The number of messages sent at a time.
  public var concurrency = 8
  /// The duration of a lease in milliseconds, longer than any sending takes.
  public var leaseMilliseconds: Int64 = 120_000
  /// The number of attempts after which a message becomes a dead letter.
  public var attempts = 10
  /// The wait after a failure.
  public var backOff = BackOff()
  /// How long delivered messages and dead letters are kept, in milliseconds: thirty days. A deduplication key keeps
  /// duplicates out for the same time.
  public var retentionMilliseconds: Int64 = 2_592_000_000
  /// The time now.
  public var now: @Sendable () -> Instant

  /// Makes the default settings, with the machine's clock by default.
  public init(now: @escaping @Sendable () -> Instant = BookClock.system.now) { self.now = now }
}

extension OutboxMessage {
  /// The time after which the message is useless, if there is one: `expires_at` of its payload, in milliseconds.
  package var expiry: Instant? {
    payload["expires_at"]?.integer.map { Instant(clamping: Int64($0)) }
  }
}
