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

  @Test func `what was found for one person is not written once another has the channel (DM-10)`()
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
}

private struct HubWorld: TokenReader {
  static let account = Key(high: 1, low: 1)
  static let other = Key(high: 1, low: 2)
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
    HubSocket.claims(of: token == "Bob's" ? Self.other : Self.account)
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

  func send(_ event: String, _ payload: JSON) async throws {
    let frame = PhoenixFrame("realtime:tasks", event, payload, reference: "1")
    try await channel.writeInbound(
      WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: frame.encoded(.first))))
  }

  /// Hands the channel that joined first a change that the hub found for an account.
  func deliver(_ title: String, foundFor account: Key) async throws {
    let listener = ChannelListener(
      number: 1, schema: "", topic: "realtime:tasks", joinReference: nil, since: 0, bindings: [],
      holder: Self.claims(of: account), hearsItself: false, isAcknowledged: false, socket: link)
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

  /// The title of the next task that it hears of.
  func title() async throws -> String? {
    try await until("postgres_changes")["data"]?["record"]?["title"]?.text
  }
}
