import NIOCore
import NIOSSL

/// Cuts what a mail server says into lines, and begins TLS in the middle of a conversation.
///
/// What was said before TLS must not be taken for something said within it: somebody on the way could have added it. So
/// TLS begins only when every line so far was taken, and no piece of another is there.
final class MailLineFramer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = String

  /// The longest line that is taken: RFC 5321 allows 512 bytes.
  private static let longestLine = 4096

  private var piece: [UInt8] = []
  private var lineCount = 0

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    for byte in buffer.readableBytesView {
      guard byte == 0x0A else {
        guard piece.count < Self.longestLine else {
          piece = []
          context.fireErrorCaught(SendFailure.temporary("SMTP: a line without end"))
          context.close(promise: nil)
          return
        }
        piece.append(byte)
        continue
      }
      if piece.last == 0x0D { piece.removeLast() }
      lineCount += 1
      context.fireChannelRead(wrapInboundOut(String(decoding: piece, as: UTF8.self)))
      piece = []
    }
  }

  /// Begins TLS on a channel, on its event loop.
  ///
  /// - Parameters:
  ///   - channel: A channel with a framer.
  ///   - takenCount: How many lines were taken from it.
  ///   - handler: Speaks TLS.
  /// - Throws: ``SendFailure`` when more was said than was taken.
  static func beginTLS(
    on channel: any Channel, takenCount: Int, _ handler: NIOSSLClientHandler
  ) throws {
    let operations = channel.pipeline.syncOperations
    let framer = try operations.handler(type: MailLineFramer.self)
    guard framer.lineCount == takenCount, framer.piece.isEmpty else {
      throw SendFailure.temporary("SMTP: more was said before TLS than was asked")
    }
    try operations.addHandler(handler, position: .first)
  }
}
