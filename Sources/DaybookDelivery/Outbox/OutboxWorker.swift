import Avro
public import Calendar
public import DaybookAuth
public import DaybookStore
import Foundation
public import Logging
public import ServiceLifecycle
import Synchronization
import Values

/// Takes messages out of an outbox and has them sent, several at a time, until it is told to stop; what is being sent
/// then is finished.
///
/// **Guarantee**: what is in the outbox is sent once or more, or becomes a dead letter. A message comes twice when the
/// process ends, or the database fails, between the sending and the noting; then it has the same id. Several workers,
/// also in several processes, may share an outbox: each message is leased to one of them at a time.
///
/// Nothing of what a message says, nor to whom, stands in the log.
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
  ///   - outbox: What is to be sent.
  ///   - senders: By what each kind of message goes; one of a kind that is not there becomes a dead letter.
  ///   - settings: How often, how long.
  ///   - logger: Where failures are told, without what is personal.
  ///   - generator: Random bits, for waits.
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

  /// Delivers what is due now, and waits until each message was sent or put off.
  ///
  /// - Returns: How many messages were taken.
  @discardableResult
  public func deliverDue() async -> Int {
    let messages = await takeMessages(settings.concurrency)
    await withDiscardingTaskGroup { group in
      for message in messages { group.addTask { await self.deliver(message) } }
    }
    return messages.count
  }

  /// Forgets, once an hour, what was settled long ago.
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
    // Who is told to stop rests no longer.
    try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
  }

  private func takeMessages(_ count: Int) async -> [OutboxMessage] {
    let now = settings.now()
    do throws(StoreFailure) {
      return try await outbox.take(
        count, at: now, until: now.advanced(byMilliseconds: settings.leaseMilliseconds))
    } catch {
      // It is asked twice a second: whoever keeps it has told what fails, once.
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
        // Whoever is stopped by force has not been refused: the message comes again when its lease is over.
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
    case putOff(String, Instant)
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
    return .putOff(failure.reason, settings.now().advanced(byMilliseconds: wait))
  }

  private func note(
    _ outcome: Outcome, of message: OutboxMessage, keepingPayload: Bool
  ) async {
    log(outcome, message)
    let now = settings.now()
    let outbox = self.outbox
    // What was sent is noted also by one who is being stopped: else it would be sent again.
    let noting = Task { () -> StoreFailure? in
      do throws(StoreFailure) {
        switch outcome {
        case .delivered:
          try await outbox.noteDelivery(of: message.id, at: now, keepingPayload: keepingPayload)
        case .putOff(let reason, let next):
          try await outbox.putOff(message.id, reason, until: next)
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
    case .putOff(let reason, let next):
      facts["reason"] = "\(reason)"
      facts["next"] = "\(Date(next).ISO8601Format())"
      logger.warning("message put off", metadata: facts)
    case .buried(let reason):
      facts["reason"] = "\(reason)"
      logger.error("message given up", metadata: facts)
    }
  }
}

/// How messages are delivered.
public struct DeliverySettings: Sendable {
  /// How long to rest when nothing is due.
  public var interval: Duration = .milliseconds(500)
  /// How many messages are sent at a time.
  public var concurrency = 8
  /// How long a message is one worker's, in milliseconds: longer than any sending takes.
  public var leaseMilliseconds: Int64 = 120_000
  /// After how many attempts a message is given up.
  public var attempts = 10
  /// How long a message waits after a failure.
  public var backOff = BackOff()
  /// How long messages that were delivered or given up are kept, in milliseconds: thirty days. As long a deduplication
  /// key keeps a second message out.
  public var retentionMilliseconds: Int64 = 2_592_000_000
  /// The time now.
  public var now: @Sendable () -> Instant

  /// Makes the usual settings, by the machine's clock unless another is given.
  public init(now: @escaping @Sendable () -> Instant = BookClock.system.now) { self.now = now }
}

extension OutboxMessage {
  /// When nobody wants to read it any more, if there is such a time: `expires_at` of its payload, in milliseconds.
  package var expiry: Instant? {
    payload["expires_at"]?.integer.map { Instant(clamping: Int64($0)) }
  }
}
