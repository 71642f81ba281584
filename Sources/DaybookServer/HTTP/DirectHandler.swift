import Calendar
import DaybookStore
import HTTPTypes
import Logging
import NIOCore
import NIOHTTPTypes
import Wire

/// Answers the requests of a connection that come whole, on the connection's own event loop: no thread hands them to
/// another, and nothing is awaited but a write, and what takes long and is worked out elsewhere. What is only read is given up
/// when the client goes away, or says that it will send no more.
///
/// A request is taken when it has come whole by the time that all was read that there was, and nothing of the connection
/// is being answered. All others go on to who reads bodies as they come, and so do all that come before those are
/// answered: a client hears the answers in the order in which it asked.
final class DirectHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  typealias Answerer = @Sendable (_ body: [UInt8], _ address: String?, Logger) async -> WireResponse

  /// What came while a request was being answered.
  private enum Held {
    case part(HTTPRequestPart)
    case event(ChannelEvent)
    case failure(any Error)
  }

  /// A request that is coming in.
  private struct Coming {
    let head: HTTPRequest
    var body: ByteBuffer?
    let answerer: Answerer
  }

  /// How long a body may be that is taken.
  static let bodyByteLimit = 64 << 10

  private let find: (HTTPRequest) -> Answerer?
  private let date: DateHeader
  private let logger: Logger
  private var coming: Coming?
  private var isAnswering = false
  /// What is being read, and is wanted for as long as the client is there.
  private var reading: Task<Void, Never>?
  private var isTakingUp = false
  private var isGone = false
  /// Whether the answer cannot be written yet, since the client does not read.
  private var isBehind = false
  /// How many requests went on and were not answered.
  private var passedCount = 0
  private var held = CircularBuffer<Held>()
  private var isReadHeld = false
  private var executor: LoopExecutor?
  private var address: String?

  /// - Parameters:
  ///   - find: Finds what answers a request; nothing where it is not to be taken.
  ///   - date: The date that answers have.
  ///   - logger: Where requests are told of.
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
    if isAnswering { held.append(.part(part)) } else { take(part, context) }
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
    take(.event(event), context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    take(.failure(error), context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    isGone = true
    reading?.cancel()
    coming = nil
    held.removeAll()
    context.fireChannelInactive()
  }

  /// What is read is held back, and no more than that is read.
  func read(context: ChannelHandlerContext) {
    if isAnswering, !held.isEmpty { isReadHeld = true } else { context.read() }
  }

  private func take(_ one: Held, _ context: ChannelHandlerContext) {
    if isAnswering { return held.append(one) }
    switch one {
    case .part(let part): take(part, context)
    case .event(let event):
      passOn(context)
      context.fireUserInboundEventTriggered(event)
    case .failure(let error):
      passOn(context)
      context.fireErrorCaught(error)
    }
  }

  private func take(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
    switch part {
    case .head(let head):
      if passedCount == 0, let answerer = answerer(of: head) {
        coming = Coming(head: head, answerer: answerer)
        return
      }
      passedCount += 1
    case .body(var buffer):
      guard coming != nil else { break }
      if coming?.body == nil { coming?.body = buffer } else { coming?.body?.writeBuffer(&buffer) }
      return
    case .end:
      guard let coming else { break }
      self.coming = nil
      return answer(coming, context)
    }
    context.fireChannelRead(wrapInboundOut(part))
  }

  /// What answers a request, if it is one that can be taken.
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

  /// Passes on what has come of a request that is not whole.
  private func passOn(_ context: ChannelHandlerContext) {
    guard let coming else { return }
    self.coming = nil
    passedCount += 1
    context.fireChannelRead(wrapInboundOut(.head(coming.head)))
    if let body = coming.body { context.fireChannelRead(wrapInboundOut(.body(body))) }
  }

  // MARK: Answers

  private func answer(_ coming: Coming, _ context: ChannelHandlerContext) {
    isAnswering = true
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let (answerer, eventLoop) = (coming.answerer, context.eventLoop)
    let (address, logger) = (address, logger)
    let body = coming.body.map { Array($0.readableBytesView) } ?? []
    let task: @Sendable () async -> Void = {
      let response = await answerer(body, address, logger)
      let finish = { @Sendable in
        let (handler, context) = bound.value
        handler.write(response, context)
      }
      if eventLoop.inEventLoop { finish() } else { eventLoop.execute(finish) }
    }
    // What waits for nothing is answered before this returns.
    let begun =
      if #available(macOS 26, iOS 26, *) {
        Task.immediate(executorPreference: executor) { await task() }
      } else {
        Task(executorPreference: executor) { await task() }
      }
    let isRead = coming.head.method == .get || coming.head.method == .head
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
    if !isBehind { goOn(context) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { passedCount = max(0, passedCount - 1) }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if isBehind, context.channel.isWritable {
      isBehind = false
      goOn(context)
    }
    context.fireChannelWritabilityChanged()
  }

  /// Takes up what came meanwhile.
  private func goOn(_ context: ChannelHandlerContext) {
    (isAnswering, reading) = (false, nil)
    // Who takes up what is held goes on with the next by itself.
    guard !isTakingUp else { return }
    isTakingUp = true
    defer { isTakingUp = false }
    while !isAnswering, let next = held.popFirst() { take(next, context) }
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
