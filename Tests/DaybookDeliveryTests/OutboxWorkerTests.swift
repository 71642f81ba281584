import Avro
import Calendar
import DaybookAuth
import DaybookDelivery
import PropertyTesting
import ServiceLifecycle
import Synchronization
import Testing
import Values

@Suite(.tags(.unit)) struct OutboxWorkerTests {
  private let clock = HandClock()
  private let outbox = MemoryOutbox()

  private func worker(
    _ sender: any MessageSender, on outbox: (any Outbox)? = nil,
    _ change: (inout DeliverySettings) -> Void = { _ in }
  ) -> OutboxWorker {
    var settings = DeliverySettings { [clock] in clock.now }
    settings.interval = .milliseconds(1)
    change(&settings)
    return OutboxWorker(
      outbox ?? self.outbox, senders: [.email: sender], settings: settings, logger: silence,
      generator: SplitMix64(seed: 1))
  }

  @Test func `a due message is sent once, and its payload is blanked`() async {
    let sender = ScriptedSender()
    outbox.enqueue([message(at: clock.now)])
    #expect(await worker(sender).deliverDue() == 1)
    #expect(await worker(sender).deliverDue() == 0)
    #expect(sender.sent.count == 1)
    #expect(outbox.messages.map(\.delivered) == [clock.now])
    #expect(outbox.messages.map(\.payload) == [[:]])
  }

  @Test func `an unreadable outbox is not logged at every attempt`() async {
    let log = KeptLog()
    let worker = OutboxWorker(BrokenOutbox(), senders: [:], logger: log.logger)
    for _ in 0..<5 { #expect(await worker.deliverDue() == 0) }
    #expect(log.messages.isEmpty)
  }

  @Test func `a development server keeps the payloads`() async {
    outbox.enqueue([message(at: clock.now)])
    await worker(DevelopmentSender()).deliverDue()
    #expect(outbox.messages.map(\.delivered) == [clock.now])
    #expect(outbox.messages.map(\.payload) == [["code": "123456"]])
  }

  @Test func `a failing message is deferred longer each time, until it is a dead letter`()
    async throws
  {
    let sender = ScriptedSender(failures: Array(repeating: .temporary("SMTP DATA: 451"), count: 4))
    let worker = worker(sender) { $0.attempts = 4 }
    outbox.enqueue([message(at: clock.now)])
    for attempt in 1...3 {
      #expect(await worker.deliverDue() == 1)
      let due = try #require(outbox.messages.first?.due)
      let full = Int64(5000 << (attempt - 1))
      let wait = due.milliseconds - clock.now.milliseconds
      #expect((full / 2...full).contains(wait))
      #expect(await worker.deliverDue() == 0)
      clock.show(due)
    }
    #expect(await worker.deliverDue() == 1)
    let dead = try #require(outbox.deadLetters(5).first)
    #expect(dead.attempts == 4)
    #expect(dead.lastError == "SMTP DATA: 451")
    #expect(sender.sent.isEmpty)
    // The fault has been repaired.
    #expect(outbox.sendAgain(dead.id, at: clock.now))
    #expect(await worker.deliverDue() == 1)
    #expect(sender.sent.map(\.id) == [dead.id])
  }

  @Test func `a message that cannot be sent is given up at once`() async {
    let sender = ScriptedSender(failures: [.permanent("SMTP RCPT: 550 5.1.1")])
    outbox.enqueue([message(at: clock.now), message(.push, at: clock.now)])
    await worker(sender).deliverDue()
    #expect(
      Set(outbox.messages.map(\.lastError)) == ["SMTP RCPT: 550 5.1.1", "nothing sends push"])
    #expect(outbox.deadLetters(5).count == 2)
  }

  @Test func `an expired message is not sent`() async {
    let sender = ScriptedSender()
    let end = clock.now.advanced(byMilliseconds: 1000)
    outbox.enqueue([
      message(payload: ["code": "1", "expires_at": .number(end.milliseconds)], at: clock.now)
    ])
    clock.show(end)
    await worker(sender).deliverDue()
    #expect(sender.sent.isEmpty)
    #expect(outbox.deadLetters(1).map(\.lastError) == ["expired"])
  }

  @Test(.tags(.damage))
  func `a crash between sending and recording sends again, with the same id`()
    async
  {
    let report = await checkAwaiting(
      "crashes", Generator<Bool>.bool(probability: 0.4).array(count: 0...20), cases: 40
    ) { crashes in
      let (outbox, clock, sender) = (MemoryOutbox(), HandClock(), ScriptedSender())
      let broken = ForgetfulOutbox(outbox, forgetting: crashes)
      outbox.enqueue((0..<5).map { message(at: clock.now, key: "\($0)") })
      for _ in 0..<50 {
        // Each round is another process, which knows nothing about the one before.
        var settings = DeliverySettings { clock.now }
        settings.concurrency = 2
        let worker = OutboxWorker(
          broken, senders: [.email: sender], settings: settings, logger: silence)
        await worker.deliverDue()
        clock.advance(milliseconds: settings.leaseMilliseconds)
      }
      try expectEqual(outbox.messages.count { $0.delivered != nil }, 5)
      try expectEqual(Set(sender.sent.map(\.id)), Set(outbox.messages.map(\.id)))
      try expectEqual(sender.sent.count, 5 + broken.forgotten)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `two workers share an outbox and send nothing twice`() async {
    let sender = ScriptedSender()
    outbox.enqueue((0..<100).map { message(at: clock.now, key: "\($0)") })
    let workers = [worker(sender), worker(sender)]
    await withDiscardingTaskGroup { group in
      for worker in workers {
        group.addTask { while await worker.deliverDue() > 0 {} }
      }
    }
    #expect(sender.sent.count == 100)
    #expect(Set(sender.sent.map(\.id)).count == 100)
  }

  @Test(.timeLimit(.minutes(15)))
  func `a worker that is stopped finishes the current message`() async throws {
    let sender = SlowSender()
    outbox.enqueue([message(at: clock.now)])
    let worker = worker(sender)
    let group = ServiceGroup(services: [worker], logger: silence)
    async let running: Void = group.run()
    await sender.untilBegun()
    await group.triggerGracefulShutdown()
    #expect(outbox.messages.map(\.delivered) == [nil])
    sender.finish()
    // A service that returns on request has not failed.
    try await running
    #expect(outbox.messages.map(\.delivered) == [clock.now])
  }

  @Test func `a wait lies between half and all of the doubled time, up to the longest`() {
    var generator = SplitMix64(seed: 7)
    let rule = BackOff(firstSeconds: 5, longestSeconds: 3600)
    for attempts in [Int.min, -1, 0, 1, 2, 5, 10, 11, 64, 1000, Int.max] {
      for _ in 0..<50 {
        let doublings = min(max(attempts, 1) - 1, 20)
        let full = Int64(min(5 << doublings, 3600) * 1000)
        let wait = rule.milliseconds(afterAttempts: attempts, using: &generator)
        #expect((full / 2...full).contains(wait), "\(attempts)")
      }
    }
    #expect(rule.milliseconds(afterAttempts: 1, asked: 60, using: &generator) == 60_000)
    #expect(rule.milliseconds(afterAttempts: 1, asked: .max, using: &generator) == 86_400_000)
    #expect(rule.milliseconds(afterAttempts: 1, asked: .min, using: &generator) <= 5000)
    let least = BackOff(firstSeconds: .min, longestSeconds: .min)
    #expect(least == BackOff(firstSeconds: 1, longestSeconds: 1))
  }
}

/// An outbox that loses records of deliveries, like a process that ends before it writes them.
private final class ForgetfulOutbox: Outbox {
  private let base: MemoryOutbox
  private let script: Mutex<(losses: [Bool], count: Int)>

  init(_ base: MemoryOutbox, forgetting losses: [Bool]) {
    self.base = base
    script = Mutex((losses, 0))
  }

  var forgotten: Int { script.withLock { $0.count } }

  func enqueue(_ messages: [OutboxMessage]) -> Int { base.enqueue(messages) }
  func lease(_ limit: Int, at now: Instant, until end: Instant) -> [OutboxMessage] {
    base.lease(limit, at: now, until: end)
  }
  func noteDelivery(
    of message: Key, at now: Instant, keepingPayload: Bool
  ) throws(StoreFailure) {
    let isLost = script.withLock { script in
      guard !script.losses.isEmpty, script.losses.removeFirst() else { return false }
      script.count += 1
      return true
    }
    if isLost { throw StoreFailure("the process is gone") }
    base.noteDelivery(of: message, at: now, keepingPayload: keepingPayload)
  }
  func postpone(_ message: Key, _ reason: String, until next: Instant) {
    base.postpone(message, reason, until: next)
  }
  func bury(_ message: Key, _ reason: String, at now: Instant) {
    base.bury(message, reason, at: now)
  }
  func deadLetters(_ limit: Int) -> [OutboxMessage] { base.deadLetters(limit) }
  func sendAgain(_ message: Key, at now: Instant) -> Bool { base.sendAgain(message, at: now) }
  func forget(settledBefore end: Instant) -> Int { base.forget(settledBefore: end) }
}

/// Starts to send, and waits.
private final class SlowSender: MessageSender {
  private let begun = AsyncStream<Void>.makeStream()
  private let finished = AsyncStream<Void>.makeStream()

  func send(_ message: OutboxMessage) async throws(SendFailure) {
    begun.continuation.finish()
    for await _ in finished.stream {}
  }

  func untilBegun() async { for await _ in begun.stream {} }
  func finish() { finished.continuation.finish() }
}
