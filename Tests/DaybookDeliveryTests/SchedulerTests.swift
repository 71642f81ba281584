import Avro
import Calendar
import Daybook
import DaybookAuth
import DaybookStore
import PropertyTesting
import ServiceLifecycle
import Synchronization
import Testing
import Values

@testable import DaybookDelivery

/// Due notifications are sent once (HH-25, DG-8).
@Suite(.tags(.unit)) struct SchedulerTests {
  /// Ada in Greenwich reads at 07:30 and 20:00, and Bob is in Honolulu; they share a hive, and both have devices.
  struct World {
    let clock = HandClock()
    let book: Book
    let ada: Account.ID
    let bob: Account.ID
    let reading: Habit.ID
    let hive: Hive.ID

    init() throws {
      let clock = clock
      book = Book.inMemory(clock: BookClock { clock.now })
      ada = try book.record(
        CreateAccount(key: Key(high: 1, low: 1), name: "Ada", timeZone: "Europe/London"))
      bob = try book.record(
        CreateAccount(
          key: Key(high: 1, low: 2), name: "Bob", timeZone: "Pacific/Honolulu", dayStartHour: 0))
      reading = try book.record(
        CreateHabit(
          key: Key(high: 2, low: 1), name: "Read",
          reminders: [450, 1200].compactMap { LocalTime(minutes: $0) }), by: ada)
      hive = try book.record(CreateHive(key: Key(high: 4, low: 1), name: "Readers"), by: ada)
      try book.record(CreateHiveInvite(hive, code: "0123456789ab"), by: ada)
      try book.record(JoinHive("0123456789ab"), by: bob)
      for (person, token) in [(ada, "a1"), (ada, "a2"), (bob, "b1")] {
        try book.record(RegisterDevice(token: token), by: person)
      }
      for person in [ada, bob] {
        try book.record(UpdateProfile { $0.notificationsAreOn = true }, by: person)
      }
    }

    func scheduler(
      _ outbox: some Outbox & DueProgressStore, lifetime: Int64 = 3_600_000
    ) -> Scheduler {
      let clock = clock
      var settings = ScheduleSettings { clock.now }
      settings.interval = .milliseconds(1)
      settings.lifetimeMilliseconds = lifetime
      return Scheduler(book, outbox: outbox, progress: outbox, settings: settings, logger: silence)
    }
  }

  private let read = Key(high: 2, low: 1)

  @Test func `a slow run is followed by a longer rest, up to a limit`() {
    var settings = ScheduleSettings()
    #expect(settings.rest(after: .milliseconds(3)) == .seconds(5))
    #expect(settings.rest(after: .seconds(1)) == .seconds(9))
    #expect(settings.rest(after: .seconds(60)) == .seconds(30))
    settings.interval = .seconds(40)
    #expect(settings.rest(after: .seconds(60)) == .seconds(40))
  }

  @Test func `a due reminder goes once to each of a person's devices`() async throws {
    let (world, outbox) = (try World(), MemoryOutbox())
    let scheduler = world.scheduler(outbox)
    try await scheduler.step()
    #expect(outbox.messages.isEmpty)
    world.clock.show("2026-03-02T20:00:01Z")
    try await scheduler.step()
    try await scheduler.step()
    let expected = ["a1", "a2"].map { "reminder:\(read):2026-03-02:20:00:\($0)" }
    #expect(outbox.messages.map(\.deduplicationKey) == expected)
    #expect(outbox.messages.map(\.recipient) == ["a1", "a2"])
    #expect(outbox.messages.map(\.template) == ["reminder", "reminder"])
    let payload = try #require(outbox.messages.first?.payload)
    #expect(payload["account"] == .string(Key(high: 1, low: 1).description))
    #expect(payload["name"] == "Read")
    #expect(
      payload["expires_at"]
        == .number(HandClock.instant("2026-03-02T21:00:00Z").milliseconds))
  }

  @Test func `members are notified of a hive at risk, its advance, and milestones`() async throws {
    let (world, outbox) = (try World(), MemoryOutbox())
    let scheduler = world.scheduler(outbox)
    try await scheduler.step()
    for day in 3...5 {
      world.clock.show("2026-03-0\(day)T12:00:00Z")
      try await world.book.record(LogHabit(world.reading), by: world.ada)
      try await world.book.record(LogHiveDay(world.hive), by: world.ada)
      try await scheduler.step()
      // 20:30 in Honolulu, half an hour after the hive was at risk for Bob.
      world.clock.show("2026-03-0\(day + 1)T06:30:00Z")
      try await scheduler.step()
      try await world.book.record(LogHiveDay(world.hive), by: world.bob)
      try await scheduler.step()
    }
    let told = outbox.messages.map {
      "\($0.recipient) \($0.template) \($0.payload["day"]?.text ?? "")"
    }
    let bobs = told.filter { $0.hasPrefix("b1") }
    #expect(
      bobs == [
        "b1 hive_at_risk 2026-03-03", "b1 hive_advanced 2026-03-03",
        "b1 hive_at_risk 2026-03-04", "b1 hive_advanced 2026-03-04",
        "b1 hive_at_risk 2026-03-05", "b1 streak_milestone 2026-03-05",
      ])
    let milestones = outbox.messages.filter {
      $0.recipient == "a1" && $0.template == "streak_milestone"
    }
    #expect(milestones.map { $0.payload["habit_id"]?.text != nil } == [true, false])
  }

  @Test func `an account with notifications off, and an erased one, gets none`() async throws {
    let (world, outbox) = (try World(), MemoryOutbox())
    let scheduler = world.scheduler(outbox)
    try await scheduler.step()
    try await world.book.record(UpdateProfile { $0.notificationsAreOn = false }, by: world.ada)
    world.clock.show("2026-03-02T20:00:01Z")
    try await scheduler.step()
    #expect(outbox.messages.isEmpty)
    try await world.book.record(UpdateProfile { $0.notificationsAreOn = true }, by: world.ada)
    world.clock.show("2026-03-03T07:30:01Z")
    try await scheduler.step()
    #expect(outbox.messages.count == 2)
  }

  @Test func `a reminder more than an hour late is dropped`() async throws {
    let (world, outbox) = (try World(), MemoryOutbox())
    try await world.scheduler(outbox).step()
    // The server is down from noon on, and up again when the reminder of 20:00 is an hour and a second old.
    world.clock.show("2026-03-02T21:00:01Z")
    try await world.scheduler(outbox).step()
    #expect(outbox.messages.isEmpty)
    // The server is down for a night; the reminder of 07:30 is exactly an hour old, and is sent.
    world.clock.show("2026-03-03T08:30:00Z")
    try await world.scheduler(outbox).step()
    #expect(outbox.messages.map(\.recipient) == ["a1", "a2"])
  }

  @Test func `a server that starts on an old book announces nothing from before`() async throws {
    let (world, outbox) = (try World(), MemoryOutbox())
    world.clock.show("2026-03-02T20:00:01Z")
    try await world.scheduler(outbox).step()
    #expect(outbox.messages.isEmpty)
  }

  @Test func `hives are settled when their days have closed, and only then (HH-22)`()
    async throws
  {
    let (world, outbox) = (try World(), MemoryOutbox())
    let scheduler = world.scheduler(outbox)
    for person in [world.ada, world.bob] {
      try await world.book.record(LogHiveDay(world.hive), by: person)
    }
    try await scheduler.step()
    let before = world.book.read { $0.position }
    world.clock.show("2026-03-04T09:59:59Z")
    try await scheduler.step()
    #expect(world.book.read { $0.position } == before)
    // The 3rd is over in Honolulu as well.
    world.clock.show("2026-03-04T10:00:00Z")
    try await scheduler.step()
    try await scheduler.step()
    #expect(world.book.read { $0.position } == before + 1)
  }

  @Test(.tags(.law, .damage))
  func `however often the scheduler restarts, each notification is queued once (HH-25)`()
    async throws
  {
    let actions = Generator<(minute: Int, action: Int)> { source in
      (try source.draw(.integer(in: 1...6000)), try source.draw(.integer(in: 0...11)))
    }
    let report = await checkAwaiting("restarts", actions.array(count: 0...60), cases: 60) {
      actions in
      let (world, outbox) = (try World(), CrashingOutbox())
      let start = world.clock.now
      let forever: Int64 = 30 * 86_400_000
      var scheduler = world.scheduler(outbox, lifetime: forever)
      try await scheduler.step()
      let ordered = actions.sorted { ($0.minute, $0.action) < ($1.minute, $1.action) }
      for (minute, action) in ordered {
        world.clock.show(start.advanced(byMilliseconds: Int64(minute) * 60_000))
        switch action {
        case 0: try await world.book.record(LogHabit(world.reading), by: world.ada)
        case 1: try await world.book.record(LogHiveDay(world.hive), by: world.ada)
        case 2: try await world.book.record(LogHiveDay(world.hive), by: world.bob)
        case 3: try await world.book.record(ClearHiveLog(world.hive), by: world.ada)
        case 4:
          let zone = minute % 2 == 0 ? "Asia/Kathmandu" : "Pacific/Honolulu"
          try await world.book.record(UpdateProfile { $0.timeZone = zone }, by: world.bob)
        default:
          // Between two minutes, so that nothing falls due while something is recorded.
          world.clock.advance(milliseconds: 30_000)
          outbox.crash(action == 8 ? .beforePut : action == 9 ? .beforeKeep : .never)
          _ = try? await scheduler.step()
          if action >= 7 { scheduler = world.scheduler(outbox, lifetime: forever) }
        }
      }
      outbox.crash(.never)
      let end = start.advanced(byMilliseconds: 6001 * 60_000 + 30_000)
      world.clock.show(end)
      try await scheduler.step()
      let due = try world.book.reader.due(after: start, through: end).notifications
      let expected = due.flatMap { notification in
        (notification.account == world.ada ? ["a1", "a2"] : ["b1"]).map {
          "\(notification.id):\($0)"
        }
      }
      // An account that travels west reaches 20:00 of the same day again, and is notified once.
      try expectEqual(
        outbox.base.messages.map(\.deduplicationKey).sorted(), Set(expected).sorted())
    }
    #expect(report.passed, "\(report)")
  }

  @Test(.timeLimit(.minutes(15)))
  func `the service runs until it is stopped`()
    async throws
  {
    let (world, outbox) = (try World(), MemoryOutbox())
    let group = ServiceGroup(services: [world.scheduler(outbox)], logger: silence)
    async let running: Void = group.run()
    while outbox.progress() == nil { await Task.yield() }
    world.clock.show("2026-03-02T20:00:01Z")
    while outbox.messages.isEmpty { await Task.yield() }
    await group.triggerGracefulShutdown()
    try await running
    #expect(outbox.messages.map(\.recipient) == ["a1", "a2"])
  }
}

/// An outbox whose process ends at a bad moment.
private final class CrashingOutbox: Outbox, DueProgressStore {
  enum Moment { case never, beforePut, beforeKeep }

  let base = MemoryOutbox()
  private let moment = Mutex(Moment.never)

  func crash(_ moment: Moment) { self.moment.withLock { $0 = moment } }

  private func pass(_ here: Moment) throws(StoreFailure) {
    if moment.withLock({ $0 == here }) { throw StoreFailure("the process is gone") }
  }

  func enqueue(_ messages: [OutboxMessage]) throws(StoreFailure) -> Int {
    try pass(.beforePut)
    return base.enqueue(messages)
  }
  func save(_ progress: DueProgress) throws(StoreFailure) {
    try pass(.beforeKeep)
    base.save(progress)
  }
  func progress() -> DueProgress? { base.progress() }
  func lease(_ limit: Int, at now: Instant, until end: Instant) -> [OutboxMessage] {
    base.lease(limit, at: now, until: end)
  }
  func noteDelivery(of message: Key, at now: Instant, keepingPayload: Bool) {
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
