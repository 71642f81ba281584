import Avro
import Calendar
import Daybook
import DaybookAuth
import DaybookStore
import DaybookTables
import Journal
import Logging
import NIOCore
import NIOEmbedded
import NIOWebSocket
import Synchronization
import Testing

@testable import DaybookServer

/// Sockets of one account, whose changes the hub sends when the test says so.
@Suite(.tags(.unit)) struct ChangeHubTests {
  @Test
  func `a socket that joins while a change is pending receives only later ones (DM-10, DG-11)`()
    async throws
  {
    let world = try HubWorld()
    let first = try await world.join()
    try world.create("Before")
    let second = try await world.join()
    let following = Task { try await world.hub.run() }
    defer { following.cancel() }
    #expect(try await first.title() == "Before")
    try world.create("After")
    #expect(try await first.title() == "After")
    #expect(try await second.title() == "After")
  }

  @Test func `a channel with a new token still receives earlier changes (DM-10)`() async throws {
    let world = try HubWorld()
    let socket = try await world.join()
    try world.create("Before")
    try await socket.send("access_token", ["access_token": "again"])
    let following = Task { try await world.hub.run() }
    defer { following.cancel() }
    #expect(try await socket.title() == "Before")
  }

  @Test
  func `a row found for one account is not sent once another account has the channel (DM-10)`()
    async throws
  {
    let world = try HubWorld()
    let socket = try await world.join()
    try await socket.deliver("Ada's", foundFor: HubWorld.account)
    #expect(try await socket.title() == "Ada's")
    try await socket.send("access_token", ["access_token": "Bob's"])
    try await socket.deliver("Ada's still", foundFor: HubWorld.account)
    try await socket.deliver("Bob's", foundFor: HubWorld.other)
    #expect(try await socket.title() == "Bob's")
  }

  @Test
  func
    `a write that changes a row several times is announced once, in its last form (DM-9, DM-10)`()
    async throws
  {
    let world = try HubWorld()
    let socket = try await world.join()
    let following = Task { try await world.hub.run() }
    defer { following.cancel() }
    try world.write { batch, ada in
      let made = try batch.record(CreateTask(title: "First"), by: ada)
      try batch.record(UpdateTask(made) { $0.title = "Second" }, by: ada)
      try batch.record(CompleteTask(made), by: ada)
      let passing = try batch.record(CreateTask(title: "Passing"), by: ada)
      try batch.record(DeleteTask(passing, purge: true), by: ada)
    }
    try world.create("Last")
    let told = try await socket.until("postgres_changes")["data"]
    #expect(told?["type"]?.text == "INSERT" && told?["record"]?["title"]?.text == "Second")
    #expect(told?["record"]?["is_completed"]?.boolean == true)
    #expect(try await socket.title() == "Last")
  }

  @Test func `one account's bindings are limited, and another's are counted apart (DM-10)`()
    async throws
  {
    let world = try HubWorld()
    let heavy: JSON = [
      "event": "*", "schema": "public", "table": "tasks", "filter": "title=ilike.*water*",
    ]
    let most = ChangeHub.mostWeight / ChangeBinding(heavy, id: 1, in: .together).weight
    let first = try await HubSocket(world.hub, world)
    #expect(try await first.join(Array(repeating: heavy, count: most)) == nil)
    let second = try await HubSocket(world.hub, world)
    #expect(try await second.join([heavy]) == "too many bindings")
    // Another account has the same limit of its own, and leaving frees room.
    #expect(try await second.join([heavy], token: "Bob's") == nil)
    try await second.until("system")
    try await first.send("phx_leave", [:])
    try await first.until("phx_close")
    let third = try await HubSocket(world.hub, world)
    #expect(try await third.join([heavy]) == nil)
    // A channel that moves to an account at its limit is closed.
    #expect(try await first.join(Array(repeating: heavy, count: most - 1)) == nil)
    try await second.send("access_token", ["access_token": "hers"])
    #expect(try await second.until("system")["status"]?.text == "error")
    #expect(world.hub.channelCount == 2)
  }

  @Test
  func `after a failed read the channel reports it, and later changes are still sent (DM-10)`()
    async throws
  {
    let log = UnreadableLog()
    let world = try HubWorld(on: log)
    let lost = try await world.join()
    log.isUnreadable.withLock { $0 = true }
    let following = Task { try await world.hub.run() }
    defer { following.cancel() }
    let told = try await lost.until("system")
    #expect(told["status"]?.text == "error" && told["message"]?.text?.contains("pull") == true)
    log.isUnreadable.withLock { $0 = false }
    let again = try await world.join()
    try world.create("Told")
    #expect(try await again.title() == "Told")
  }

  @Test func `a socket has a limited number of channels, and may rejoin each (DM-10)`()
    async throws
  {
    let world = try HubWorld()
    let socket = try await HubSocket(world.hub, world)
    for number in 0..<SocketHandler.mostChannels {
      #expect(try await socket.join([], topic: "realtime:\(number)") == nil)
    }
    #expect(try await socket.join([], topic: "realtime:more") == "too many channels")
    #expect(try await socket.join([], topic: "realtime:0") == nil)
    #expect(world.hub.channelCount == SocketHandler.mostChannels)
  }

  @Test func `a socket stores a limited number of bytes of bindings`() async throws {
    let world = try HubWorld()
    let socket = try await HubSocket(world.hub, world)
    let long: JSON = [
      "event": "*", "schema": "public", "table": "tasks",
      "filter": .string("title=eq." + String(repeating: "x", count: 30_000)),
    ]
    let count = SocketHandler.joinedByteLimit / 30_500
    for number in 0..<count {
      #expect(try await socket.join([long], topic: "realtime:\(number)") == nil)
    }
    #expect(try await socket.join([long], topic: "realtime:more") == "too many bindings")
    #expect(
      try await socket.join([long], topic: "realtime:0") == nil, "it replaces the former binding")
  }
}

private struct HubWorld: TokenReader {
  static let account = Key(high: 1, low: 1)
  static let other = Key(high: 1, low: 2)
  let book: Book
  let hub: ChangeHub

  init(on log: any EventLog = MemoryLog()) throws {
    let now = { @Sendable in Instant(clamping: 1_772_452_800_000) }
    book = try Book(on: log, clock: BookClock(now: now))
    hub = ChangeHub(
      book, EmptyDirectory(), schemas: TableSchema.all, lag: LagMeter(now: now),
      logger: Logger(label: "test"))
    try apply(
      #"{"do":"create_account","key":"\#(Self.account)","display_name":"Ada","timezone":"UTC"}"#)
  }

  func claims(of token: String) throws(TokenError) -> Claims? {
    HubSocket.claims(of: token == "Bob's" ? Self.other : Self.account)
  }

  func isLive(_ claims: Claims) -> Bool { true }

  func create(_ title: String) throws {
    try apply(#"{"do":"create_task","as":"\#(Self.account)","title":"\#(title)"}"#)
  }

  func write(_ body: @escaping (inout Batch, Account.ID) throws -> Void) throws {
    let ada = try #require(book.read { $0.accounts.number(of: Self.account) })
    try book.transaction { batch in try body(&batch, ada) }
  }

  private func apply(_ line: String) throws {
    let outcome = try book.record(line: line)
    try #require(outcome.isAccepted, "\(line): \(outcome.json.encoded)")
  }

  /// A socket whose channel receives changes of all tasks.
  func join() async throws -> HubSocket {
    let socket = try await HubSocket(hub, self)
    try await socket.send(
      "phx_join",
      [
        "access_token": "hers",
        "config": ["postgres_changes": [["event": "*", "schema": "public", "table": "tasks"]]],
      ])
    try await socket.until("system")
    return socket
  }
}

/// A log that cannot be followed while a test says so.
private final class UnreadableLog: EventLog {
  let isUnreadable = Mutex(false)
  private let base = MemoryLog()

  var signal: CommitSignal? { base.signal }

  func head() throws(JournalError) -> Position { base.head() }

  func append(count: Int, entries: [UInt8], expecting last: Position) throws(AppendError) {
    try base.append(count: count, entries: entries, expecting: last)
  }

  func read(
    from start: Position, _ body: (String, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) -> LogEnd {
    try base.read(from: start, body)
  }

  func follow(from start: Position) throws(JournalError) -> any LogFollower {
    if isUnreadable.withLock({ $0 }) {
      throw .storage(
        StorageError(operation: "read", path: "log", reason: .system(5), message: "injected"))
    }
    return try base.follow(from: start)
  }
}

private struct HubSocket {
  private let channel = NIOAsyncTestingChannel()
  private let link: SocketLink

  static func claims(of account: Key) -> Claims {
    Claims(account: account, session: account, expires: .last)
  }

  init(_ hub: ChangeHub, _ tokens: any TokenReader) async throws {
    let channel = channel
    let schema = try #require(TableSchema.all.first { $0.table("tasks") != nil })
    link = try await channel.eventLoop.submit {
      let handler = SocketHandler(hub, tokens, schema, .first) { .first }
      try channel.pipeline.syncOperations.addHandler(handler)
      return SocketLink(handler, .first, on: channel.eventLoop)
    }.get()
    try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/test"))
  }

  /// Joins a channel; returns the reason of a refusal.
  func join(
    _ bindings: [JSON], topic: String = "realtime:tasks", token: String = "hers"
  ) async throws -> String? {
    let payload: JSON = [
      "access_token": .string(token), "config": ["postgres_changes": .array(bindings)],
    ]
    try await send("phx_join", payload, topic: topic)
    return try await until("phx_reply")["response"]?["reason"]?.text
  }

  func send(_ event: String, _ payload: JSON, topic: String = "realtime:tasks") async throws {
    let frame = PhoenixFrame(topic, event, payload, reference: "1")
    try await channel.writeInbound(
      WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: frame.encoded(.first))))
  }

  /// Gives the first channel a change that the hub found for an account.
  func deliver(_ title: String, foundFor account: Key) async throws {
    let listener = ChannelListener(
      number: 1, schema: "", topic: "realtime:tasks", joinReference: nil, since: 0, bindings: [],
      holder: Self.claims(of: account), hearsItself: false, isAcknowledged: false, byteCount: 0,
      socket: link)
    let change: JSON = ["record": ["title": .string(title)]]
    link.send(listener, ids: [1], Array(change.encoded.utf8))
    try await channel.eventLoop.submit {}.get()
  }

  /// The payload of the next message of a kind.
  @discardableResult
  func until(_ event: String) async throws -> JSON {
    while true {
      let written = try await channel.waitForOutboundWrite(as: WebSocketFrame.self)
      let text = Array(written.unmaskedData.readableBytesView)
      let frame = try #require(PhoenixFrame(text, .first))
      if frame.event == event { return frame.payload }
    }
  }

  /// The title of the next task received.
  func title() async throws -> String? {
    try await until("postgres_changes")["data"]?["record"]?["title"]?.text
  }
}
