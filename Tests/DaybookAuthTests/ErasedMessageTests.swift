import Avro
import Calendar
import Daybook
@testable import DaybookAuth
import DaybookStore
import GRDB
import HTTPTypes
import Testing
import Values

/// An erased account receives no more messages at any address, and no message mentions it (ES-6).
@Suite(.tags(.unit)) struct ErasedMessageTests {
  private static let device = String(repeating: "feed", count: 16)

  /// Ada, who changed her address and has requested a third one and a phone; and the pending messages for her and
  /// Bob.
  private func bench() async throws -> (bench: AuthBench, ada: SignedIn) {
    let bench = try await AuthBench()
    let first = try await bench.signIn(email: "first@example.com")
    for address in ["second@example.com", "third@example.com"] {
      bench.clock.advance(seconds: 120)
      let asked = await bench.send(
        .put, "user", ["email": .string(address)], bearer: first.token)
      #expect(asked.status == 200, "\(asked.json.encoded)")
      guard address.hasPrefix("second") else { continue }
      let code = try await bench.code(to: address)
      let proven = await bench.post(
        "verify", ["type": "email_change", "email": .string(address), "token": .string(code)],
        bearer: first.token)
      #expect(proven.status == 200)
    }
    #expect(
      await bench.send(.put, "user", ["phone": "+4915112345678"], bearer: first.token).status == 200
    )
    let bob = try await bench.signIn(email: "bob@example.com")
    for key in [first.key, bob.key] { try await putReminder(for: key, in: bench) }
    return (bench, first)
  }

  private func putReminder(for key: Key, in bench: AuthBench) async throws {
    let reminder = OutboxMessage(
      .push, to: Self.device, of: key, template: "reminder", payload: ["name": "SECRET"],
      created: bench.clock.now)
    _ = try await bench.database.write { try reminder.insert(into: $0) }
  }

  private func recipients(_ bench: AuthBench) async throws -> [String] {
    try await bench.database.read {
      try String.fetchAll($0, sql: "SELECT recipient FROM outbox ORDER BY rowid")
    }
  }

  @Test func `an erasure removes all messages to the erased person, and no others`() async throws {
    let (bench, ada) = try await bench()
    #expect(
      try await recipients(bench) == [
        "first@example.com", "second@example.com", "third@example.com", "+4915112345678",
        "bob@example.com", Self.device, Self.device,
      ])
    try bench.book.erase(try #require(bench.book.read { $0.accounts.number(of: ada.key) }))
    try await bench.service.sweep()
    #expect(try await recipients(bench) == ["bob@example.com", Self.device])
  }

  @Test func `a message queued after the erasure goes with the next sweep`()
    async throws
  {
    let (bench, ada) = try await bench()
    try bench.book.erase(try #require(bench.book.read { $0.accounts.number(of: ada.key) }))
    try await bench.service.forget(account: ada.key)
    try await putReminder(for: ada.key, in: bench)
    try await bench.service.sweep()
    #expect(try await recipients(bench) == ["bob@example.com", Self.device])
  }

  @Test func `a migration assigns older messages to accounts by content and recipient`()
    async throws
  {
    let queue = try DatabaseQueue()
    try ServerDatabase.migrations.migrate(queue, upTo: "progress")
    let account = Key()
    try await queue.write { database in
      try database.execute(
        sql: """
          INSERT INTO users (account, email, metadata, created_at, updated_at)
          VALUES (?, 'ada@example.com', '{}', 0, 0)
          """, arguments: [account.description])
      for (id, channel, recipient, payload) in [
        ("1", "email", "ada@example.com", "{}"), ("2", "email", "bob@example.com", "{}"),
        ("3", "push", "f00d", #"{"account":"\#(account)"}"#), ("4", "push", "f00d", "{}"),
      ] {
        try database.execute(
          sql: """
            INSERT INTO outbox (id, deduplication_key, channel, recipient, template, payload,
              created_at, due_at) VALUES (?, ?, ?, ?, 'x', ?, 0, 0)
            """, arguments: [id, id, channel, recipient, payload])
      }
    }
    try ServerDatabase.migrations.migrate(queue)
    let owners = try await queue.read {
      try Row.fetchAll($0, sql: "SELECT account FROM outbox ORDER BY id").map {
        $0["account"] as String?
      }
    }
    let key = account.description
    #expect(owners == [key, nil, key, nil])
  }
}
