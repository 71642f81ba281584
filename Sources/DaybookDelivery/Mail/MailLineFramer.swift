import NIOCore
import NIOSSL

/// Splits a mail server's output into lines, and starts TLS in the middle of a conversation.
///
/// Text from before TLS must not be mistaken for text within it, because an attacker could have inserted it. So TLS
/// starts only when every line so far was read, and no part of another has arrived.
final class MailLineFramer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = String

  /// The longest accepted line, in bytes: RFC 5321 allows 512.
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

  /// Starts TLS on a channel, on its event loop.
  ///
  /// - Parameters:
  ///   - channel: A channel with a framer.
  ///   - takenCount: The number of lines read from it.
  ///   - handler: The TLS handler.
  /// - Throws: ``SendFailure`` if the server sent more than was read.
  static func beginTLS(
    on channel: any Channel, takenCount: Int, _ handler: NIOSSLClientHandler
  ) throws {
    let operations = channel.pipeline.syncOperations
    let framer = try operations.handler(type: MailLineFramer.self)
    guard framer.lineCount == takenCount, framer.piece.isEmpty else {
      throw SendFailure.temporary("SMTP: the server sent unexpected data before TLS")
    }
    try operations.addHandler(handler, position: .first)
  }
}
