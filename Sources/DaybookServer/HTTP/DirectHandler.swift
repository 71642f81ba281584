import Calendar
import DaybookStore
import HTTPTypes
import Logging
import NIOCore
import NIOHTTPTypes
import Wire

/// Answers requests that arrive whole, on the connection's own event loop. No thread hands a request to another,
/// and only a write, or long work done elsewhere, is awaited. A read is cancelled when the client goes away or
/// closes its sending side.
///
/// A request is taken if it is complete once the available bytes are read, and no other request of the connection
/// is in progress. Any other request is passed on to the handler that reads bodies as they arrive, and so are all
/// requests before that one is answered, because a client receives answers in the order of its requests.
final class DirectHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  typealias Answerer = @Sendable (_ body: [UInt8], _ address: String?, Logger) async -> WireResponse

  /// Something that arrived while a request was being answered.
  private enum HeldInput {
    case part(HTTPRequestPart)
    case event(ChannelEvent)
    case failure(any Error)
  }

  /// A request that is arriving.
  private struct IncomingRequest {
    let head: HTTPRequest
    var body: ByteBuffer?
    let answerer: Answerer
  }

  /// The longest body that is taken, in bytes.
  static let bodyByteLimit = 64 << 10

  private let find: (HTTPRequest) -> Answerer?
  private let date: DateHeader
  private let logger: Logger
  private var incoming: IncomingRequest?
  private var isAnswering = false
  /// The read in progress, which is wanted for as long as the client is there.
  private var reading: Task<Void, Never>?
  private var isHandlingHeld = false
  private var isGone = false
  /// Whether the answer cannot be written yet because the client does not read.
  private var isBehind = false
  /// The number of requests passed on and not answered yet.
  private var passedCount = 0
  private var held = CircularBuffer<HeldInput>()
  private var isReadHeld = false
  private var executor: LoopExecutor?
  private var address: String?

  /// - Parameters:
  ///   - find: Finds the answerer of a request; `nil` for a request to pass on.
  ///   - date: The value of `Date` headers.
  ///   - logger: The log of requests.
  init(_ find: @escaping (HTTPRequest) -> Answerer?, _ date: DateHeader, _ logger: Logger) {
    self.find = find
    self.date = date
    self.logger = logger
  }

  func handlerAdded(context: ChannelHandlerContext) {
    executor = LoopExecutor(context.eventLoop)
    address = context.channel.remoteAddress?.ipAddress
  }

  // MARK: What comes in

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    if isAnswering { held.append(.part(part)) } else { handle(part, context) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if !isAnswering { passOn(context) }
    context.fireChannelReadComplete()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard let event = event as? ChannelEvent, event == .inputClosed else {
      return context.fireUserInboundEventTriggered(event)
    }
    reading?.cancel()
    handle(.event(event), context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    handle(.failure(error), context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    isGone = true
    reading?.cancel()
    incoming = nil
    held.removeAll()
    context.fireChannelInactive()
  }

  /// While arrived parts are held back, nothing more is read.
  func read(context: ChannelHandlerContext) {
    if isAnswering, !held.isEmpty { isReadHeld = true } else { context.read() }
  }

  private func handle(_ one: HeldInput, _ context: ChannelHandlerContext) {
    if isAnswering { return held.append(one) }
    switch one {
    case .part(let part): handle(part, context)
    case .event(let event):
      passOn(context)
      context.fireUserInboundEventTriggered(event)
    case .failure(let error):
      passOn(context)
      context.fireErrorCaught(error)
    }
  }

  private func handle(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
    switch part {
    case .head(let head):
      if passedCount == 0, let answerer = answerer(of: head) {
        incoming = IncomingRequest(head: head, answerer: answerer)
        return
      }
      passedCount += 1
    case .body(var buffer):
      guard incoming != nil else { break }
      if incoming?.body == nil {
        incoming?.body = buffer
      } else {
        incoming?.body?.writeBuffer(&buffer)
      }
      return
    case .end:
      guard let incoming else { break }
      self.incoming = nil
      return answer(incoming, context)
    }
    context.fireChannelRead(wrapInboundOut(part))
  }

  /// The answerer of a request, if the request can be taken.
  private func answerer(of head: HTTPRequest) -> Answerer? {
    let fields = head.headerFields
    guard fields[.expect] == nil, fields[.transferEncoding] == nil,
      fields[.connection].map({ $0.lowercased() == "keep-alive" }) ?? true
    else { return nil }
    if let length = fields[.contentLength] {
      guard let count = Int(length), count <= Self.bodyByteLimit else { return nil }
    }
    return find(head)
  }

  /// Passes on the arrived parts of an incomplete request.
  private func passOn(_ context: ChannelHandlerContext) {
    guard let incoming else { return }
    self.incoming = nil
    passedCount += 1
    context.fireChannelRead(wrapInboundOut(.head(incoming.head)))
    if let body = incoming.body { context.fireChannelRead(wrapInboundOut(.body(body))) }
  }

  // MARK: Answers

  private func answer(_ incoming: IncomingRequest, _ context: ChannelHandlerContext) {
    isAnswering = true
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let (answerer, eventLoop) = (incoming.answerer, context.eventLoop)
    let (address, logger) = (address, logger)
    let body = incoming.body.map { Array($0.readableBytesView) } ?? []
    let task: @Sendable () async -> Void = {
      let response = await answerer(body, address, logger)
      let finish = { @Sendable in
        let (handler, context) = bound.value
        handler.write(response, context)
      }
      if eventLoop.inEventLoop { finish() } else { eventLoop.execute(finish) }
    }
    // A request that awaits nothing is answered before this returns.
    let begun =
      if #available(macOS 26, iOS 26, *) {
        Task.immediate(executorPreference: executor) { await task() }
      } else {
        Task(executorPreference: executor) { await task() }
      }
    let isRead = incoming.head.method == .get || incoming.head.method == .head
    if isAnswering, isRead { reading = begun }
  }

  private func write(_ response: WireResponse, _ context: ChannelHandlerContext) {
    guard !isGone else { return }
    var head = HTTPResponse(status: response.status, headerFields: response.headers)
    if head.headerFields[.contentLength] == nil {
      head.headerFields[.contentLength] = String(response.body.count)
    }
    head.headerFields[.date] = date.text(at: BookClock.system.now())
    head.headerFields[.server] = "daybook"
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !response.body.isEmpty {
      var buffer = context.channel.allocator.buffer(capacity: response.body.count)
      buffer.writeBytes(response.body)
      context.write(wrapOutboundOut(.body(buffer)), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    isBehind = context.channel.isActive && !context.channel.isWritable
    if !isBehind { handleHeld(context) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { passedCount = max(0, passedCount - 1) }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if isBehind, context.channel.isWritable {
      isBehind = false
      handleHeld(context)
    }
    context.fireChannelWritabilityChanged()
  }

  /// Handles what arrived during an answer.
  private func handleHeld(_ context: ChannelHandlerContext) {
    (isAnswering, reading) = (false, nil)
    // The loop below, if it is already running, continues with the next part.
    guard !isHandlingHeld else { return }
    isHandlingHeld = true
    defer { isHandlingHeld = false }
    while !isAnswering, let next = held.popFirst() { handle(next, context) }
    guard !isAnswering else { return }
    passOn(context)
    if isReadHeld {
      isReadHeld = false
      context.read()
    }
  }
}

/// Runs tasks on an event loop.
final class LoopExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
