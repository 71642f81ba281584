import NIOCore
import NIOWebSocket

/// Passes only frames that a client may send (RFC 6455, sections 5.1 and 5.2): masked, and without extension bits,
/// because no extension is negotiated.
final class SocketFrameCheck: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  /// A client sent a forbidden frame.
  struct Violation: Error {}

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return context.fireErrorCaught(Violation())
    }
    context.fireChannelRead(data)
  }
}
