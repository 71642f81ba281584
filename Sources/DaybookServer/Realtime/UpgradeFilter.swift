import NIOCore
import NIOHTTP1

/// Lets the first request of a connection ask for a socket only where it may have one: elsewhere it goes on as any other.
///
/// The upgrade handler of NIO loses the head of a request whose upgrade it does not carry out, and then nothing answers
/// it: a client with a wrong key would learn nothing, and one that offers HTTP/2 (`Upgrade: h2c`) could ask nothing.
final class UpgradeFilter: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private let mayUpgrade: (HTTPRequestHead) -> Bool

  /// Filters by what a request says.
  init(_ mayUpgrade: @escaping (HTTPRequestHead) -> Bool) { self.mayUpgrade = mayUpgrade }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else {
      return context.fireChannelRead(data)
    }
    if head.headers.contains(name: "upgrade"), !mayUpgrade(head) {
      head.headers.remove(name: "upgrade")
      // Behind such a head nothing more is parsed.
      head.headers.replaceOrAdd(name: "connection", value: "close")
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }
}
