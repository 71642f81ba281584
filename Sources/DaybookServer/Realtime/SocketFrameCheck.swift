import NIOCore
import NIOWebSocket

/// Lets through only such frames as a client may send (RFC 6455, sections 5.1 and 5.2): masked, and without the bits of
/// extensions, for none is agreed on.
final class SocketFrameCheck: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  /// A frame that no client may send.
  struct Violation: Error {}

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return context.fireErrorCaught(Violation())
    }
    context.fireChannelRead(data)
  }
}
