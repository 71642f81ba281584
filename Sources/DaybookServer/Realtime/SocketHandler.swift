import Avro
import Calendar
import DaybookAuth
import DaybookTables
import NIOCore
import NIOWebSocket

/// A socket: reads a client's messages, keeps its channels, and writes their messages.
///
/// It is used only on its connection's event loop.
final class SocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The most bytes that may wait to be written. A client further behind is told to pull, and is
  /// disconnected.
  static let pendingByteLimit = 256 << 10
  /// The longest join, in bytes: a token and a hundred bindings.
  static let joinByteLimit = 32 << 10
  /// The most bytes of a socket's joins together, without their tokens, because they are kept in
  /// memory.
  static let joinedByteLimit = 128 << 10
  /// The most channels of a socket.
  static let mostChannels = 100
  /// The longest broadcast, in bytes, so that one sender's message does not disconnect its listeners.
  static let broadcastByteLimit = 64 << 10
  /// The longest silence of a socket.
  static let silence = TimeAmount.seconds(60)

  private let hub: ChangeHub
  private let tokens: any TokenReader
  private let schema: TableSchema
  private let version: PhoenixFrame.Version
  private let now: @Sendable () -> Instant
  private var channels: [String: ChannelListener] = [:]
  private var context: ChannelHandlerContext?
  private var pendingByteCount = 0
  private var isClosing = false
  private var lastHeard = NIODeadline.now()
  private var nextBinding: Int64 = 1
  private var watch: RepeatedTask?

  init(
    _ hub: ChangeHub, _ tokens: any TokenReader, _ schema: TableSchema,
    _ version: PhoenixFrame.Version, now: @escaping @Sendable () -> Instant
  ) {
    self.hub = hub
    self.tokens = tokens
    self.schema = schema
    self.version = version
    self.now = now
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    watch = context.eventLoop.scheduleRepeatedTask(
      initialDelay: .seconds(15), delay: .seconds(15)
    ) { _ in bound.value.checkLiveness() }
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent { close(.goingAway) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is SocketFrameCheck.Violation {
      close(.protocolError)
    } else {
      context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    lastHeard = .now()
    switch frame.opcode {
    case .text: read(Array(frame.unmaskedData.readableBytesView))
    case .ping:
      write(Array(frame.unmaskedData.readableBytesView), as: .pong)
    case .connectionClose: close(.normalClosure)
    case .binary: readBroadcast(Array(frame.unmaskedData.readableBytesView))
    default: break
    }
  }

  // MARK: Messages from clients

  private func read(_ text: [UInt8]) {
    guard !isClosing else { return }
    guard let frame = PhoenixFrame(text, version) else { return close(.unexpectedServerError) }
    switch frame.event {
    case "heartbeat" where frame.topic == "phoenix": write(frame.reply("ok").encoded(version))
    case "phx_join": join(frame, byteCount: text.count)
    case "phx_leave": leave(frame)
    case "access_token": takeToken(frame)
    case "broadcast": broadcast(frame, byteCount: text.count)
    case "presence": write(frame.reply("ok").encoded(version))
    default:
      write(frame.reply("error", ["reason": "unmatched topic"]).encoded(version))
    }
  }

  /// Reads a binary broadcast, and forwards it as text, which all clients can read. Other binary messages are
  /// ignored.
  private func readBroadcast(_ bytes: [UInt8]) {
    guard !isClosing, version == .second, let push = BroadcastPush(bytes) else { return }
    guard push.isJSON else {
      return write(
        push.frame.reply("error", ["reason": "the payload is not JSON"]).encoded(version))
    }
    broadcast(push.frame, byteCount: bytes.count)
  }

  private func join(_ frame: PhoenixFrame, byteCount joinByteCount: Int) {
    guard frame.topic.hasPrefix("realtime:"), frame.topic.utf8.count > "realtime:".utf8.count
    else { return write(frame.reply("error", ["reason": "unmatched topic"]).encoded(version)) }
    // A second join of a topic replaces the first.
    guard channels[frame.topic] != nil || channels.count < Self.mostChannels else {
      return write(frame.reply("error", ["reason": "too many channels"]).encoded(version))
    }
    let holder: Claims?
    do throws(TokenError) {
      holder = try claims(of: frame)
    } catch {
      return write(
        frame.reply("error", ["reason": .string(error.description)]).encoded(version))
    }
    // The join message is kept for as long as the channel is joined.
    guard joinByteCount <= Self.joinByteLimit else {
      return write(frame.reply("error", ["reason": "the join is too long"]).encoded(version))
    }
    let config = frame.payload["config"] ?? [:]
    // A request for a private channel is refused, rather than given a public one.
    guard config["private"]?.boolean != true else {
      return write(
        frame.reply("error", ["reason": "there are no private channels"]).encoded(version))
    }
    let asked = config["postgres_changes"]?.elements ?? []
    if let former = channels.removeValue(forKey: frame.topic) { hub.leave(former) }
    let byteCount = joinByteCount - (frame.payload["access_token"]?.text?.utf8.count ?? 0)
    let joined = channels.values.reduce(byteCount) { $0 + $1.byteCount }
    guard asked.count <= 100, joined <= Self.joinedByteLimit else { return refuseBindings(frame) }
    let bindings = asked.map { json in
      defer { nextBinding += 1 }
      return ChangeBinding(json, id: nextBinding, in: schema)
    }
    guard let eventLoop = context?.eventLoop else { return }
    let listener = ChannelListener(
      number: hub.freshNumber(), schema: schema.name, topic: frame.topic,
      joinReference: frame.joinReference ?? frame.reference, since: hub.position,
      bindings: bindings, holder: holder,
      hearsItself: config["broadcast"]?["self"]?.boolean ?? false,
      isAcknowledged: config["broadcast"]?["ack"]?.boolean ?? false, byteCount: byteCount,
      socket: SocketLink(self, version, on: eventLoop))
    // Changes after the reply is written are notified, and none before it, because notifying waits for this event
    // loop.
    guard hub.join(listener) else { return refuseBindings(frame) }
    channels[frame.topic] = listener
    write(
      frame.reply("ok", ["postgres_changes": .array(bindings.map(\.echo))]).encoded(version))
    guard !bindings.isEmpty else { return }
    if let fault = bindings.lazy.compactMap(\.fault).first {
      reply("error", fault, listener)
    } else {
      reply("ok", "Subscribed to PostgreSQL", listener)
    }
  }

  private func refuseBindings(_ frame: PhoenixFrame) {
    write(frame.reply("error", ["reason": "too many bindings"]).encoded(version))
  }

  private func leave(_ frame: PhoenixFrame) {
    write(frame.reply("ok").encoded(version))
    guard let listener = channels.removeValue(forKey: frame.topic) else { return }
    hub.leave(listener)
    let closing = PhoenixFrame(
      frame.topic, "phx_close", reference: listener.joinReference,
      joinReference: listener.joinReference)
    write(closing.encoded(version))
  }

  private func takeToken(_ frame: PhoenixFrame) {
    guard let listener = channels[frame.topic], let token = frame.payload["access_token"]?.text,
      !token.hasPrefix("sb_")
    else { return }
    do throws(TokenError) {
      guard let holder = try tokens.claims(of: token) else { return }
      var renewed = listener
      renewed.holder = holder
      channels[frame.topic] = renewed
      guard hub.renew(listener, as: renewed) else {
        return reply("error", "The account has too many bindings in all.", listener)
      }
    } catch {
      reply("error", error.description, listener)
    }
  }

  private func claims(of frame: PhoenixFrame) throws(TokenError) -> Claims? {
    guard let token = frame.payload["access_token"]?.text else { return nil }
    return try tokens.claims(of: token)
  }

  private func broadcast(_ frame: PhoenixFrame, byteCount: Int) {
    guard let listener = channels[frame.topic] else {
      return write(frame.reply("error", ["reason": "unmatched topic"]).encoded(version))
    }
    guard byteCount <= Self.broadcastByteLimit else {
      return write(frame.reply("error", ["reason": "the broadcast is too long"]).encoded(version))
    }
    hub.broadcast(
      PhoenixFrame(frame.topic, "broadcast", frame.payload), from: listener,
      toSelf: listener.hearsItself)
    if listener.isAcknowledged { write(frame.reply("ok").encoded(version)) }
  }

  // MARK: Messages to clients

  /// Writes a change of a row, unless the channel was left, has another holder, or its token has ended.
  func deliver(_ text: [UInt8], to listener: ChannelListener) {
    guard let channel = channels[listener.topic], channel.number == listener.number,
      let holder = channel.holder, holder.account == listener.holder?.account,
      holder.expires > now(), tokens.isLive(holder)
    else { return }
    write(text)
  }

  /// Writes a message; if too much is waiting already, tells the client to pull, and disconnects
  /// it.
  func write(_ data: [UInt8], as opcode: WebSocketOpcode = .text) {
    guard let context, !isClosing, context.channel.isActive else { return }
    guard pendingByteCount + Self.cost(of: data) <= Self.pendingByteLimit else {
      return disconnect("Too many changes wait to be read: pull, then join again.")
    }
    put(data, as: opcode, context)
  }

  /// The memory of a waiting message; a short one takes more than its bytes.
  private static func cost(of data: [UInt8]) -> Int { data.count + 64 }

  private func put(
    _ data: [UInt8], as opcode: WebSocketOpcode = .text, _ context: ChannelHandlerContext
  ) {
    var buffer = context.channel.allocator.buffer(capacity: data.count)
    buffer.writeBytes(data)
    let count = Self.cost(of: data)
    pendingByteCount += count
    let promise = context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    promise.futureResult.whenComplete { _ in bound.value.pendingByteCount -= count }
    context.writeAndFlush(
      wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: buffer)), promise: promise)
  }

  private func reply(_ status: JSON, _ message: String, _ listener: ChannelListener) {
    write(system(status, message, listener).encoded(version))
  }

  private func system(
    _ status: JSON, _ message: String, _ listener: ChannelListener
  ) -> PhoenixFrame {
    let name = listener.topic.dropFirst("realtime:".count)
    return PhoenixFrame(
      listener.topic, "system",
      [
        "channel": .string(String(name)), "extension": "postgres_changes", "status": status,
        "message": .string(message),
      ])
  }

  /// Tells the channels that changes were left out, and closes; clients join again by themselves, and pull.
  func disconnect(_ reason: String) {
    guard let context, !isClosing else { return }
    for listener in channels.values {
      put(system("error", reason, listener).encoded(version), context)
    }
    close(WebSocketErrorCode(codeNumber: 1013))
  }

  // MARK: The end

  /// Closes a silent socket, and reports tokens that have ended.
  private func checkLiveness() {
    if lastHeard + Self.silence < .now() { return close(.goingAway) }
    for listener in channels.values {
      guard let holder = listener.holder, holder.expires <= now() || !tokens.isLive(holder) else {
        continue
      }
      reply("error", "The token has expired: send a new one, or join again.", listener)
      hub.leave(listener)
      channels[listener.topic]?.holder = nil
    }
  }

  private func close(_ code: WebSocketErrorCode) {
    guard let context, !isClosing else { return }
    isClosing = true
    var data = context.channel.allocator.buffer(capacity: 2)
    data.write(webSocketErrorCode: code)
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in
      bound.value.close(promise: nil)
    }
    // A client that reads nothing does not keep the socket open.
    context.eventLoop.scheduleTask(in: .seconds(5)) { bound.value.close(promise: nil) }
    end()
  }

  private func end() {
    watch?.cancel()
    watch = nil
    for listener in channels.values { hub.leave(listener) }
    channels = [:]
    if context?.channel.isActive != true { context = nil }
  }
}
