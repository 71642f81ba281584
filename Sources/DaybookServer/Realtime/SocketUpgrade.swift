import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket

/// A connection that speaks HTTP/1.1 and upgrades to a socket where a request may.
struct SocketUpgrade: HTTPChannelHandler {
  /// The kind of connection after the upgrade.
  enum Outcome: Sendable {
    /// It carries requests.
    case requests(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
    /// It is a socket.
    case socket
  }

  /// A connection and its future outcome.
  struct Value: ServerChildChannelValue {
    let outcome: EventLoopFuture<Outcome>
    let channel: any Channel
  }

  let responder: Responder
  /// Makes the handler of requests that can be answered on the event loop.
  let makeDirect: @Sendable () -> DirectHandler
  let limits: ConnectionLimits
  /// Makes the handler of a socket; `nil` for a request that may not upgrade, which is answered as any other.
  let makeSocket:
    @Sendable (_ target: String, _ headers: HTTPHeaders) -> (@Sendable () -> SocketHandler)?

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      let (makeSocket, makeDirect) = (makeSocket, makeDirect)
      let isForSocket = { @Sendable (head: HTTPRequestHead) in
        head.asksForSocket && makeSocket(head.uri, head.headers) != nil
      }
      let upgrader = NIOTypedWebSocketServerUpgrader<Outcome>(
        maxFrameSize: limits.socketFrameByteCount,
        shouldUpgrade: { channel, head in
          channel.eventLoop.makeSucceededFuture(
            makeSocket(head.uri, head.headers) == nil ? nil : HTTPHeaders())
        },
        upgradePipelineHandler: { channel, head in
          channel.eventLoop.makeCompletedFuture {
            guard let socket = makeSocket(head.uri, head.headers) else { return .socket }
            try channel.pipeline.syncOperations.addHandlers([
              SocketFrameCheck(),
              NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 64,
                maxAccumulatedFrameSize: limits.socketFrameByteCount),
              socket(),
            ])
            return .socket
          }
        })
      var configuration = NIOUpgradableHTTPServerPipelineConfiguration<Outcome>(
        upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
          upgraders: [upgrader],
          notUpgradingCompletionHandler: { channel in
            channel.eventLoop.makeCompletedFuture {
              let pipeline = channel.pipeline.syncOperations
              try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
              try pipeline.addHandler(HeadRefusalHandler())
              try pipeline.addHandler(
                HTTPConnectionStateHandler(idleTimeout: limits.idle, logger: logger))
              try pipeline.addHandler(makeDirect())
              return .requests(
                try NIOAsyncChannel(
                  wrappingChannelSynchronously: channel,
                  configuration: .init(isOutboundHalfClosureEnabled: true)))
            }
          }))
      configuration.enablePipelining = false
      configuration.enableErrorHandling = false
      configuration.enableResponseHeaderValidation = false
      configuration.decoderConfiguration.maxHeaderFieldSize = limits.headerByteCount
      configuration.decoderConfiguration.maxHeaderListSize = limits.headerByteCount
      configuration.decoderConfiguration.maxHeaderFieldCount = limits.headerCount
      // A request nearly always arrives in one read; checking for more would cost as much as reading it.
      try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
      let pipeline = channel.pipeline.syncOperations
      let outcome = try pipeline.configureUpgradableHTTPServerPipeline(
        configuration: configuration)
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(FirstRequestHandler(isForSocket), position: .after(decoder))
      // Until the first request is complete, nothing else limits its time.
      let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limits.idle)) {
        channel.close(promise: nil)
      }
      outcome.whenComplete { _ in deadline.cancel() }
      return Value(outcome: outcome, channel: channel)
    }
  }

  func handle(value: Value, logger: Logger) async {
    do {
      switch try await value.outcome.get() {
      case .requests(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
      case .socket: try await value.channel.closeFuture.get()
      }
    } catch {
      logger.debug("A connection ended before it was set up.", metadata: ["reason": "\(error)"])
      value.channel.close(promise: nil)
    }
  }
}

struct ConnectionLimits: Sendable {
  /// The longest silence while a request is awaited or read.
  var idle: Duration = .seconds(30)
  /// The most bytes of a request's target and headers together.
  var headerByteCount = 32 << 10
  /// The most headers of a request.
  var headerCount = 100
  /// The longest message on a socket, in bytes.
  var socketFrameByteCount = 256 << 10
}
