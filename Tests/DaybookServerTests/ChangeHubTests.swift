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
import Testing

@testable import DaybookServer

/// Sockets of one account, whose changes the hub tells once the test says so.
@Suite(.tags(.unit)) struct ChangeHubTests {
  @Test func `who joins while a change waits to be told hears what comes after it (DM-10, DG-11)`()
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

  @Test func `a channel with a new token hears what came before the token (DM-10)`() async throws {
    let world = try HubWorld()
    let socket = try await world.join()
    try world.create("Before")
    try await socket.send("access_token", ["access_token": "again"])
    let following = Task { try await world.hub.run() }
    defer { following.cancel() }
    #expect(try await socket.title() == "Before")
  }
}

private struct HubWorld: TokenReader {
  private static let account = Key(high: 1, low: 1)
  let book: Book
  let hub: ChangeHub

  init() throws {
    let now = { @Sendable in Instant(clamping: 1_772_452_800_000) }
    book = try Book(at: "book", storage: MemoryStorage(), clock: BookClock(now: now))
    hub = ChangeHub(
      book, EmptyDirectory(), schemas: TableSchema.all, lag: LagMeter(now: now),
      logger: Logger(label: "test"))
    try apply(
      #"{"do":"create_account","key":"\#(Self.account)","display_name":"Ada","timezone":"UTC"}"#)
  }

  func claims(of token: String) throws(TokenError) -> Claims? {
    Claims(account: Self.account, session: Self.account, expires: .last)
  }

  func isLive(_ claims: Claims) -> Bool { true }

  func create(_ title: String) throws {
    try apply(#"{"do":"create_task","as":"\#(Self.account)","title":"\#(title)"}"#)
  }

  private func apply(_ line: String) throws {
    let outcome = try book.apply(line: line)
    try #require(outcome.isAccepted, "\(line): \(outcome.json.encoded)")
  }

  /// A socket whose channel hears of all tasks.
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

private struct HubSocket {
  private let channel = NIOAsyncTestingChannel()

  init(_ hub: ChangeHub, _ tokens: any TokenReader) async throws {
    let channel = channel
    let schema = try #require(TableSchema.all.first { $0.table("tasks") != nil })
    try await channel.eventLoop.submit {
      try channel.pipeline.syncOperations.addHandler(
        SocketHandler(hub, tokens, schema, .first) { .first })
    }.get()
    try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/test"))
  }

  func send(_ event: String, _ payload: JSON) async throws {
    let frame = PhoenixFrame("realtime:tasks", event, payload, reference: "1")
    try await channel.writeInbound(
      WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: frame.encoded(.first))))
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

  /// The title of the next task that it hears of.
  func title() async throws -> String? {
    try await until("postgres_changes")["data"]?["record"]?["title"]?.text
  }
}
