import Calendar
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing
import Wire

@testable import DaybookServer

/// A connection whose requests for `/rows…` are answered directly, when the test says so.
@Suite(.tags(.unit)) struct DirectHandlerTests {
  @Test func `a complete request is answered directly`() async throws {
    let connection = try await Connection()
    connection.open()
    try await connection.ask("/rows", body: "{}")
    #expect(try await connection.answer() == "200 /rows {}")
    #expect(try await connection.passed() == [])
  }

  @Test func `an incomplete request is passed on as it arrives`() async throws {
    let connection = try await Connection()
    try await connection.read([.head(request("/rows", length: 2)), .body(ByteBuffer(string: "{"))])
    #expect(try await connection.passed() == ["/rows", "{"])
    try await connection.read([.body(ByteBuffer(string: "}")), .end(nil)])
    #expect(try await connection.passed() == ["}", "end"])
  }

  @Test(arguments: ["Connection", "Expect", "Transfer-Encoding"])
  func `a request with a header for the connection is passed on`(header: String) async throws {
    let connection = try await Connection()
    let name = try #require(HTTPField.Name(header))
    var head = request("/rows")
    head.headerFields[name] = "x"
    try await connection.read([.head(head), .end(nil)])
    #expect(try await connection.passed() == ["/rows", "end"])
  }

  @Test func `a keep-alive header does not cause a request to be passed on`()
    async throws
  {
    let connection = try await Connection()
    connection.open()
    for value in ["keep-alive", "Keep-Alive"] {
      var head = request("/rows")
      head.headerFields[.connection] = value
      try await connection.read([.head(head), .end(nil)])
      #expect(try await connection.answer() == "200 /rows ")
    }
    #expect(try await connection.passed() == [])
  }

  @Test(arguments: [HTTPRequest.Method.get, .head, .post, .patch, .delete])
  func `a read is cancelled when the client disconnects, and a write is not`(
    method: HTTPRequest.Method
  ) async throws {
    let isRead = method == .get || method == .head
    for leaves in [true, false] {
      let connection = try await Connection()
      var head = request("/rows")
      head.method = method
      try await connection.read([.head(head), .end(nil)])
      if leaves {
        try await connection.leave()
      } else {
        try await connection.endInput()
      }
      connection.open()
      try await connection.settle()
      #expect(await connection.wasCancelled() == isRead)
    }
  }

  @Test func `a body over the limit is passed on`() async throws {
    let connection = try await Connection()
    connection.open()
    for (length, passed) in [(DirectHandler.bodyByteLimit, []), (65_537, ["/rows"])] {
      try await connection.read([.head(request("/rows", length: length)), .end(nil)])
      #expect(try await connection.passed().filter { $0 != "end" } == passed)
    }
  }

  @Test func `answers come in the order of the requests`() async throws {
    let connection = try await Connection()
    try await connection.ask("/rows?1")
    try await connection.ask("/rows?2")
    try await connection.ask("/other")
    #expect(try await connection.passed() == [], "no request overtakes the one being answered")
    connection.open()
    #expect(try await connection.answer() == "200 /rows?1 ")
    #expect(try await connection.answer() == "200 /rows?2 ")
    try await connection.settle()
    #expect(try await connection.passed() == ["/other", "end"])
    try await connection.ask("/rows?3")
    #expect(try await connection.passed() == ["/rows?3", "end"], "it waits for the one before it")
    for _ in 0..<2 {
      try await connection.channel.writeOutbound(
        HTTPResponsePart.head(HTTPResponse(status: .notFound)))
      try await connection.channel.writeOutbound(HTTPResponsePart.end(nil))
    }
    try await connection.ask("/rows?4")
    #expect(try await connection.passed() == [])
  }

  @Test func `the end of input is passed on once the request is answered`() async throws {
    let connection = try await Connection()
    try await connection.ask("/rows")
    try await connection.endInput()
    #expect(connection.hasEnded == false)
    connection.open()
    #expect(try await connection.answer() == "200 /rows ")
    try await connection.settle()
    #expect(connection.hasEnded)
  }

  @Test func `dates have the form of HTTP headers`() {
    let date = DateHeader()
    #expect(
      date.text(at: Instant(clamping: 784_111_777_999)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(date.text(at: Instant(clamping: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
  }

  @Test func `parsed targets are cached, up to a limit`() {
    let cache = TargetCache(names: ["habits"])
    for number in 0...TargetCache.capacity { _ = cache.find("/rest/v1/habits?limit=\(number)") }
    #expect(cache.count == 1)
    let long = "/rest/v1/habits?name=eq." + String(repeating: "x", count: 500)
    for target in ["/rest/v1/habits?select=id", long] {
      let found = (cache.find(target), cache.find(target))
      #expect(found.0?.label == "rest/habits" && found.1?.query == found.0?.query)
    }
    #expect(cache.count == 2)
    #expect(cache.find("/rest/v1/habits")?.isDirect == true)
    #expect(cache.find("/rest/v1/habits?as_of=2026-01-01")?.isDirect == true)
    #expect(cache.find("/v1/ask/today")?.isDirect == true)
    #expect(cache.find("/v1/commands")?.isDirect == false)
    #expect(cache.find("/v1/events?after=0")?.isDirect == false)
    for (target, isWatching) in [("/health", true), ("/ready", true), ("/rest/v1/habits", false)] {
      #expect(cache.find(target)?.isWatching == isWatching)
    }
    #expect(cache.find("/auth/v1/user")?.isDirect == false && cache.find("rows") == nil)
  }
}

private func request(_ path: String, length: Int? = nil) -> HTTPRequest {
  var head = HTTPRequest(method: .post, scheme: "http", authority: "test", path: path)
  head.headerFields[.contentLength] = length.map(String.init)
  return head
}

/// A connection with the handler, followed by one that keeps what is passed on.
private struct Connection {
  let channel = NIOAsyncTestingChannel()
  private let gate = Gate()
  private let ending = Ending()
  private let cancellation = Cancellation()

  var hasEnded: Bool { ending.hasCome.load(ordering: .relaxed) }

  init() async throws {
    let (channel, gate, ending, cancellation) = (channel, gate, ending, cancellation)
    try await channel.eventLoop.submit {
      let find: (HTTPRequest) -> DirectHandler.Answerer? = { head in
        guard let path = head.path, path.hasPrefix("/rows") else { return nil }
        return { body, _, _ in
          await gate.wait()
          cancellation.note(Task.isCancelled)
          return WireResponse(.ok, body: Array("\(path) ".utf8) + body)
        }
      }
      try channel.pipeline.syncOperations.addHandler(
        DirectHandler(find, DateHeader(), Logger(label: "test")))
      try channel.pipeline.syncOperations.addHandler(ending)
    }.get()
  }

  /// Releases all answers, also later ones.
  func open() { gate.open() }

  func ask(_ path: String, body: String? = nil) async throws {
    var parts = [HTTPRequestPart.head(request(path, length: body?.utf8.count))]
    if let body { parts.append(.body(ByteBuffer(string: body))) }
    try await read(parts + [.end(nil)])
  }

  /// Lets the connection read parts at once.
  func read(_ parts: [HTTPRequestPart]) async throws {
    try await channel.eventLoop.submit { [channel] in
      for part in parts { channel.pipeline.fireChannelRead(part) }
      channel.pipeline.fireChannelReadComplete()
    }.get()
  }

  func leave() async throws {
    try await channel.eventLoop.submit { [channel] in
      channel.pipeline.fireChannelInactive()
    }.get()
  }

  /// Whether the first answer was cancelled, once that is known.
  func wasCancelled() async -> Bool { await cancellation.value() }

  func endInput() async throws {
    try await channel.eventLoop.submit { [channel] in
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }.get()
  }

  /// Waits until the event loop is idle.
  func settle() async throws { try await channel.eventLoop.submit {}.get() }

  /// What the handler passed on.
  func passed() async throws -> [String] {
    var passed: [String] = []
    while let part = try await channel.readInbound(as: HTTPRequestPart.self) {
      switch part {
      case .head(let head): passed.append(head.path ?? "")
      case .body(let buffer): passed.append(String(buffer: buffer))
      case .end: passed.append("end")
      }
    }
    return passed
  }

  /// The next answer: its status, and its body.
  func answer() async throws -> String {
    var text = ""
    while true {
      switch try await channel.waitForOutboundWrite(as: HTTPResponsePart.self) {
      case .head(let head):
        #expect(head.headerFields[.date] != nil && head.headerFields[.server] == "daybook")
        text = "\(head.status.code) "
      case .body(let buffer): text += String(buffer: buffer)
      case .end: return text
      }
    }
  }
}

/// Records whether a task was cancelled, until it is asked.
private actor Cancellation {
  private let (notes, note) = AsyncStream.makeStream(of: Bool.self)

  nonisolated func note(_ isCancelled: Bool) { note.yield(isCancelled) }

  func value() async -> Bool {
    for await isCancelled in notes { return isCancelled }
    return false
  }
}

/// Holds tasks back until it is opened.
private final class Gate: Sendable {
  private struct Waiting {
    var isOpen = false
    var tasks: [CheckedContinuation<Void, Never>] = []
  }

  private let waiting = Mutex(Waiting())

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = waiting.withLock { waiting in
        if !waiting.isOpen { waiting.tasks.append(continuation) }
        return waiting.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let tasks = waiting.withLock { waiting in
      waiting.isOpen = true
      defer { waiting.tasks = [] }
      return waiting.tasks
    }
    for task in tasks { task.resume() }
  }
}

/// Records the end of the input.
private final class Ending: ChannelInboundHandler, Sendable {
  typealias InboundIn = HTTPRequestPart

  let hasCome = Atomic<Bool>(false)

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelEvent { hasCome.store(true, ordering: .relaxed) }
    context.fireUserInboundEventTriggered(event)
  }
}
