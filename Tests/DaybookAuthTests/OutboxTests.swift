import Avro
import Calendar
@testable import DaybookAuth
import HTTPTypes
import Wire
import Testing
import Values

/// The queue of messages to be sent, and its file.
@Suite(.tags(.unit)) struct OutboxTests {
  private let now = Instant(clamping: 1_767_225_600_000)

  private func message(_ key: String? = nil, due: Int64 = 0) -> OutboxMessage {
    OutboxMessage(
      .push, to: "f00d", template: "at_risk", payload: ["hive": "Readers"], created: now,
      due: now.advanced(byMilliseconds: due), deduplicationKey: key)
  }

  @Test func `a message with a key is queued once (HH-25)`() async throws {
    let database = try ServerDatabase()
    #expect(try await database.enqueue(message("hive 1 on day 2")))
    #expect(try await !database.enqueue(message("hive 1 on day 2")))
    #expect(try await database.enqueue(message("hive 1 on day 3")))
    #expect(try await database.messages(to: "f00d").count == 2)
  }

  @Test func `a message waits until it is due, and stays until it is sent or given up`()
    async throws
  {
    let database = try ServerDatabase()
    let (late, early) = (message(due: 2000), message(due: 1000))
    try await database.enqueue(late)
    try await database.enqueue(early)
    func due(_ milliseconds: Int64) async throws -> [Key] {
      try await database.dueMessages(at: now.advanced(byMilliseconds: milliseconds)).map(\.id)
    }
    #expect(try await due(999).isEmpty)
    #expect(try await due(2000) == [early.id, late.id])
    #expect(try await database.dueMessages(at: .last, limit: 1).map(\.id) == [early.id])
    #expect(try await database.nextDue() == early.due)

    let next = now.advanced(byMilliseconds: 9000)
    try await database.noteFailure(of: early.id, "no route", at: now, tryingAgainAt: next)
    #expect(try await due(2000) == [late.id])
    let failed = try #require(try await database.dueMessages(at: next).last)
    #expect(failed.attempts == 1 && failed.lastError == "no route" && failed.due == next)
    #expect(failed.payload == ["hive": "Readers"] && failed.dead == nil)

    try await database.noteDelivery(of: late.id, at: now)
    try await database.noteFailure(of: early.id, "gone", at: now, tryingAgainAt: nil)
    #expect(try await database.dueMessages(at: .last).isEmpty)
    #expect(try await database.nextDue() == nil)
    let all = try await database.messages(to: "f00d")
    #expect(all.map(\.delivered) == [now, nil] && all.map(\.dead) == [nil, now])
    #expect(all.map(\.payload) == [[:], ["hive": "Readers"]])
  }
}
