import Avro
import Calendar
import DaybookAuth
import DaybookDelivery
import DaybookStore
import Testing
import Values

/// Requirements of every outbox.
@Suite(.tags(.unit)) struct OutboxTests {
  enum Kind: CaseIterable { case memory, database }

  private static func outbox(_ kind: Kind) throws -> any Outbox & DueProgressStore {
    switch kind {
    case .memory: MemoryOutbox()
    case .database: DatabaseOutbox(try ServerDatabase())
    }
  }

  private let clock = HandClock()
  private var later: Instant { clock.now.advanced(byMilliseconds: 60_000) }

  @Test(arguments: Kind.allCases)
  func `a message with a key is queued once (HH-25)`(_ kind: Kind) async throws {
    let outbox = try Self.outbox(kind)
    let now = clock.now
    let first = message(at: now, key: "a")
    #expect(try await outbox.enqueue([first, message(at: now, key: "a")]) == 1)
    #expect(
      try await outbox.enqueue([message(at: now, key: "a"), message(at: now, key: "b")]) == 1)
    let taken = try await outbox.lease(10, at: now, until: later)
    #expect(taken.map(\.deduplicationKey) == ["a", "b"])
    #expect(taken.first?.id == first.id)
  }

  @Test(arguments: Kind.allCases)
  func `a taken message is leased until the lease expires`(_ kind: Kind) async throws {
    let outbox = try Self.outbox(kind)
    try await outbox.enqueue((0..<3).map { message(at: clock.now, key: "\($0)") })
    let taken = try await outbox.lease(2, at: clock.now, until: later)
    let others = try await outbox.lease(5, at: clock.now, until: later)
    #expect(taken.map(\.deduplicationKey) == ["0", "1"])
    #expect(others.map(\.deduplicationKey) == ["2"])
    #expect(try await outbox.lease(5, at: clock.now, until: later).isEmpty)
    let again = try await outbox.lease(
      5, at: later, until: later.advanced(byMilliseconds: 1))
    #expect(again.map(\.id) == (taken + others).map(\.id))
  }

  @Test(arguments: Kind.allCases)
  func `a delivered message never returns, and its payload is blanked`(_ kind: Kind)
    async throws
  {
    let outbox = try Self.outbox(kind)
    try await outbox.enqueue([message(at: clock.now)])
    let taken = try #require(try await outbox.lease(1, at: clock.now, until: later).first)
    try await outbox.noteDelivery(of: taken.id, at: clock.now, keepingPayload: false)
    // A worker whose lease has expired reports a failure late.
    try await outbox.bury(taken.id, "late", at: clock.now)
    #expect(try await outbox.lease(5, at: .last, until: .last).isEmpty)
    #expect(try await outbox.deadLetters(5).isEmpty)
    #expect(try await outbox.sendAgain(taken.id, at: clock.now) == false)
    #expect(try await outbox.forget(settledBefore: later) == 1)
  }

  @Test func `a message waits until it is due, and stays until it is sent or given up`()
    async throws
  {
    let database = try ServerDatabase()
    let outbox = DatabaseOutbox(database)
    let now = clock.now
    let messages = [2000, 1000].map { milliseconds in
      OutboxMessage(
        .push, to: "f00d", template: "at_risk", payload: ["hive": "Readers"], created: now,
        due: now.advanced(byMilliseconds: milliseconds))
    }
    let (late, early) = (messages[0], messages[1])
    try await outbox.enqueue(messages)
    // A lease that ends at once leaves each message due.
    func due(_ milliseconds: Int64, _ limit: Int = 100) async throws -> [OutboxMessage] {
      let now = now.advanced(byMilliseconds: milliseconds)
      return try await outbox.lease(limit, at: now, until: now)
    }
    #expect(try await due(999).isEmpty)
    #expect(try await due(1000, 1).map(\.id) == [early.id])
    #expect(try await due(2000).map(\.id) == [early.id, late.id])

    let next = now.advanced(byMilliseconds: 9000)
    try await outbox.postpone(early.id, "no route", until: next)
    #expect(try await due(8999).map(\.id) == [late.id])
    let failed = try #require(try await due(9000).last)
    #expect(failed.attempts == 1 && failed.lastError == "no route" && failed.due == next)
    #expect(failed.payload == ["hive": "Readers"] && failed.dead == nil)

    try await outbox.noteDelivery(of: late.id, at: now, keepingPayload: false)
    try await outbox.bury(early.id, "gone", at: now)
    #expect(try await outbox.lease(100, at: .last, until: .last).isEmpty)
    let all = try await database.messages(to: "f00d")
    #expect(all.map(\.delivered) == [now, nil] && all.map(\.dead) == [nil, now])
    #expect(all.map(\.payload) == [[:], ["hive": "Readers"]])
  }

  @Test(arguments: Kind.allCases)
  func `dead letters are listed, the latest first, and can be sent again`(_ kind: Kind)
    async throws
  {
    let outbox = try Self.outbox(kind)
    try await outbox.enqueue([message(at: clock.now, key: "a"), message(at: clock.now, key: "b")])
    for (place, taken) in try await outbox.lease(2, at: clock.now, until: later).enumerated() {
      let at = clock.now.advanced(byMilliseconds: Int64(place))
      try await outbox.bury(taken.id, "SMTP RCPT: 550", at: at)
    }
    let dead = try await outbox.deadLetters(5)
    #expect(dead.map(\.deduplicationKey) == ["b", "a"])
    #expect(dead.map(\.lastError) == ["SMTP RCPT: 550", "SMTP RCPT: 550"])
    #expect(dead.map(\.attempts) == [1, 1])
    #expect(try await outbox.deadLetters(1).count == 1)
    #expect(try await outbox.lease(5, at: .last, until: .last).isEmpty)
    let first = try #require(dead.first)
    #expect(try await outbox.sendAgain(first.id, at: later))
    #expect(try await outbox.sendAgain(Key(), at: later) == false)
    let again = try await outbox.lease(5, at: later, until: .last)
    #expect(again.map(\.id) == [first.id])
    #expect(again.map(\.payload) == [["code": "123456"]])
  }

  @Test(arguments: Kind.allCases)
  func `a deferred message returns when it is due, with its last error`(_ kind: Kind) async throws {
    let outbox = try Self.outbox(kind)
    try await outbox.enqueue([message(at: clock.now)])
    let taken = try #require(try await outbox.lease(1, at: clock.now, until: .last).first)
    try await outbox.postpone(taken.id, "SMTP: no answer in time", until: later)
    let before = later.advanced(byMilliseconds: -1)
    #expect(try await outbox.lease(5, at: before, until: .last).isEmpty)
    let again = try #require(try await outbox.lease(5, at: later, until: .last).first)
    #expect(again.attempts == 1)
    #expect(again.lastError == "SMTP: no answer in time")
  }

  @Test(arguments: Kind.allCases)
  func `progress is kept`(_ kind: Kind) async throws {
    let store = try Self.outbox(kind)
    #expect(try await store.progress() == nil)
    for position in [7, 9] as [Int64] {
      let progress = DueProgress(position: position, at: clock.now)
      try await store.save(progress)
      #expect(try await store.progress() == progress)
    }
  }
}
