import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Wire

/// Checks the first request of a connection before it may become a socket, and then removes itself.
///
/// A request for an upgrade that is not available is answered as an ordinary request; the upgrade's own handler
/// would drop its head and close without an answer. For a client of HTTP/1.0, the end of the connection is the end
/// of the answer. An invalid request is refused here, because no other handler does so before the upgrade.
final class FirstRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let isForSocket: (HTTPRequestHead) -> Bool

  init(_ isForSocket: @escaping (HTTPRequestHead) -> Bool) { self.isForSocket = isForSocket }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else {
      return context.fireChannelRead(data)
    }
    if head.headers.contains(name: "Upgrade"), !isForSocket(head) {
      head.headers.remove(name: "Upgrade")
      // The connection closes, since the parser stops after such a head.
      head.headers.replaceOrAdd(name: "Connection", value: "close")
    } else if head.version.major == 1, head.version.minor == 0 {
      head.headers.replaceOrAdd(name: "Connection", value: "close")
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
    // Later bytes may already belong to the socket, and are no parts of requests.
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
  }

  /// The server does not wait for a connection without a complete request when it stops.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is ChannelShouldQuiesceEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    context.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
    let refusal = HeadRefusal(error).response
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: refusal.status.code),
      headers: HTTPHeaders(refusal.headers))
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(
      wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: refusal.body)))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      channel.close(promise: nil)
    }
  }
}

extension HTTPRequestHead {
  /// Whether it has all that a WebSocket handshake needs (RFC 6455, section 4.2.1).
  var asksForSocket: Bool {
    func says(_ name: String, _ word: String) -> Bool {
      headers[canonicalForm: name].contains { $0.lowercased() == word }
    }
    return method == .GET && says("upgrade", "websocket") && says("connection", "upgrade")
      && headers["sec-websocket-version"] == ["13"] && headers["sec-websocket-key"].count == 1
      && !headers.contains(name: "content-length") && !headers.contains(name: "transfer-encoding")
  }
}
